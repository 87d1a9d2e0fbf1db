//! `itm-explore annotate`: from candidates to a ground truth that people checked.

mod preferences;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum AnnotateCommand {
    /// Score what people compared in pairs: Bradley-Terry, with intervals
    Preferences(preferences::PreferencesArgs),
}

pub(super) fn run(command: &AnnotateCommand) -> anyhow::Result<u8> {
    match command {
        AnnotateCommand::Preferences(args) => preferences::run(args),
    }
}
