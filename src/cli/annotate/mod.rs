//! `itm-explore annotate`: from candidates to a ground truth that people checked.

mod bias;
mod hits;
mod import;
mod pool;
mod pooled;
mod preferences;
mod reuse;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum AnnotateCommand {
    /// Gather what several models rank first, each pair once, to be judged
    Pool(Box<pool::PoolArgs>),
    /// Put a pool into HITs, with golden pairs, as JSON and as a page for a browser
    Hits(Box<hits::HitsArgs>),
    /// Read what people answered, check it, measure how well they agree, and write the ground truth that it makes
    Import(Box<import::ImportArgs>),
    /// Measure what a ground truth that was pooled says of models that were not in the pool
    Reuse(Box<reuse::ReuseArgs>),
    /// Measure how far a ground truth favours the models that proposed it
    Bias(Box<bias::BiasArgs>),
    /// Score what people compared in pairs: Bradley-Terry, with intervals
    Preferences(preferences::PreferencesArgs),
}

pub(super) fn run(command: &AnnotateCommand) -> anyhow::Result<u8> {
    match command {
        AnnotateCommand::Pool(args) => pool::run(args),
        AnnotateCommand::Hits(args) => hits::run(args),
        AnnotateCommand::Import(args) => import::run(args),
        AnnotateCommand::Reuse(args) => reuse::run(args),
        AnnotateCommand::Bias(args) => bias::run(args),
        AnnotateCommand::Preferences(args) => preferences::run(args),
    }
}
