//! `itm-explore annotate`: from candidates to a ground truth that people checked.

mod hits;
mod import;
mod pool;
mod pooled;
mod preferences;

subcommands! {
    pub(super) AnnotateCommand:
    /// Collect the top items of several models as pairs to judge
    Pool(Box<pool::PoolArgs>) => pool::run;
    /// Turn a pool into HITs with golden pairs, as JSON and HTML
    Hits(Box<hits::HitsArgs>) => hits::run;
    /// Read and check judgments, and write the ground truth they make
    Import(Box<import::ImportArgs>) => import::run;
    /// Measure a pooled ground truth on models outside the pool
    #[command(
        after_help = "Examples:\n  itm-explore annotate reuse pool.jsonl lsa.npy minilm.npy coco5k/ human/\n  \
                      itm-explore annotate reuse pool.jsonl lsa.npy coco5k/ human/ --truth human --base original\n  \
                      itm-explore annotate reuse pool.jsonl lsa.npy coco5k/ human/ --truth human --format json"
    )]
    Reuse(Box<pooled::PooledArgs>) => pooled::reuse;
    /// Measure how far a ground truth favours its proposers
    #[command(
        after_help = "Examples:\n  itm-explore annotate bias pool.jsonl lsa.npy minilm.npy coco5k/ human/\n  \
                      itm-explore annotate bias pool.jsonl lsa.npy coco5k/ human/ --truth human --base original\n  \
                      itm-explore annotate bias pool.jsonl lsa.npy coco5k/ human/ --truth human --format latex"
    )]
    Bias(Box<pooled::PooledArgs>) => pooled::bias;
    /// Score paired comparisons: Bradley-Terry, with intervals
    Preferences(preferences::PreferencesArgs) => preferences::run;
}
