//! `itm-explore annotate`: from candidates to a ground truth that people checked.

mod bias;
mod hits;
mod import;
mod pool;
mod pooled;
mod preferences;
mod reuse;

subcommands! {
    pub(super) AnnotateCommand:
    /// Collect the top items of several models as pairs to judge
    Pool(Box<pool::PoolArgs>) => pool::run;
    /// Turn a pool into HITs with golden pairs, as JSON and HTML
    Hits(Box<hits::HitsArgs>) => hits::run;
    /// Read and check judgments, and write the ground truth they make
    Import(Box<import::ImportArgs>) => import::run;
    /// Measure a pooled ground truth on models outside the pool
    Reuse(Box<reuse::ReuseArgs>) => reuse::run;
    /// Measure how far a ground truth favours its proposers
    Bias(Box<bias::BiasArgs>) => bias::run;
    /// Score paired comparisons: Bradley-Terry, with intervals
    Preferences(preferences::PreferencesArgs) => preferences::run;
}
