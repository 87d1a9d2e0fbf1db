//! `itm-explore annotate`: from candidates to a ground truth that people checked.

mod import;
mod preferences;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum AnnotateCommand {
    /// Read what people answered, check it, measure how well they agree, and write the ground truth that it makes
    Import(Box<import::ImportArgs>),
    /// Score what people compared in pairs: Bradley-Terry, with intervals
    Preferences(preferences::PreferencesArgs),
}

pub(super) fn run(command: &AnnotateCommand) -> anyhow::Result<u8> {
    match command {
        AnnotateCommand::Import(args) => import::run(args),
        AnnotateCommand::Preferences(args) => preferences::run(args),
    }
}
