//! `itm-explore annotate preferences`: scores of what was compared in pairs.

use std::path::PathBuf;

use clap::Args;

use super::super::format::FormatArgs;
use crate::annotate::{preferences::preferences, wins};
use crate::data::source::Source;
use crate::report;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore annotate preferences wins.csv\n  \
                  itm-explore annotate preferences wins.csv --format json\n  \
                  itm-explore annotate preferences wins.csv --format latex",
    after_long_help = "WINS.csv is a square table (name,A,B,.. and a line for each: how often it was preferred to the one of the\n\
                       column), or has lines of winner,loser[,count][,tie]."
)]
pub(in crate::cli) struct PreferencesArgs {
    /// How often each was preferred to each other
    #[arg(value_name = "WINS.csv")]
    wins: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn run(args: &PreferencesArgs) -> anyhow::Result<u8> {
    let source = Source::open(&args.wins)?;
    let wins = wins::read(&source)?;
    let scores = preferences(&wins, &source.display())?;
    args.format.put(report::preferences::report(&scores))?;
    Ok(0)
}
