//! `itm-explore annotate`: from candidates to a ground truth that people checked.

mod hits;
mod pool;
mod preferences;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum AnnotateCommand {
    /// Gather what several models rank first, each pair once, to be judged
    Pool(Box<pool::PoolArgs>),
    /// Put a pool into HITs, with golden pairs, as JSON and as a page for a browser
    Hits(Box<hits::HitsArgs>),
    /// Score what people compared in pairs: Bradley-Terry, with intervals
    Preferences(preferences::PreferencesArgs),
}

pub(super) fn run(command: &AnnotateCommand) -> anyhow::Result<u8> {
    match command {
        AnnotateCommand::Pool(args) => pool::run(args),
        AnnotateCommand::Hits(args) => hits::run(args),
        AnnotateCommand::Preferences(args) => preferences::run(args),
    }
}
