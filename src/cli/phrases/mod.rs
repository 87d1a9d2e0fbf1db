//! `itm-explore phrases`: phrases of Flickr30k Entities, counted and localised.

mod localize;
mod stats;

subcommands! {
    pub(super) PhrasesCommand:
    /// Count phrases, chains and boxes
    Stats(stats::StatsArgs) => stats::run;
    /// Measure how well a model localizes phrases
    Localize(localize::LocalizeArgs) => localize::run;
}
