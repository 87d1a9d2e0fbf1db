//! `itm-explore annotate`: makes a ground truth from pooled and judged pairs.

mod hits;
mod import;
mod merge;
mod pool;
mod reuse_and_bias;

use std::path::PathBuf;

use clap::Args;

use super::format::FormatArgs;
use crate::annotate::{preferences::preferences, wins};
use crate::data::source::Source;
use crate::report;

subcommands! {
    pub(super) AnnotateCommand:
    /// Collect the top items of several models as pairs to judge
    Pool(Box<pool::PoolArgs>) => pool::run;
    /// Turn a pool into HITs with golden pairs, as JSON and HTML
    Hits(Box<hits::HitsArgs>) => hits::run;
    /// Read and check judgments, and write the ground truth they make
    Import(Box<import::ImportArgs>) => import::run;
    /// Merge sessions, and list the pairs that annotators disagree on
    Merge(merge::MergeArgs) => merge::run;
    /// Measure a pooled ground truth on models outside the pool
    #[command(
        after_help = "Examples:\n  itm-explore annotate reuse pool.jsonl lsa.npy minilm.npy coco5k/ human/\n  \
                      itm-explore annotate reuse pool.jsonl lsa.npy coco5k/ human/ --truth human --base original\n  \
                      itm-explore annotate reuse pool.jsonl lsa.npy coco5k/ human/ --truth human --format json"
    )]
    Reuse(Box<reuse_and_bias::PooledArgs>) => reuse_and_bias::print_reuse;
    /// Measure how far a ground truth favours its proposers
    #[command(
        after_help = "Examples:\n  itm-explore annotate bias pool.jsonl lsa.npy minilm.npy coco5k/ human/\n  \
                      itm-explore annotate bias pool.jsonl lsa.npy coco5k/ human/ --truth human --base original\n  \
                      itm-explore annotate bias pool.jsonl lsa.npy coco5k/ human/ --truth human --format latex"
    )]
    Bias(Box<reuse_and_bias::PooledArgs>) => reuse_and_bias::print_bias;
    /// Score paired comparisons: Bradley-Terry, with intervals
    Preferences(PreferencesArgs) => score_preferences;
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore annotate preferences wins.csv\n  \
                  itm-explore annotate preferences wins.csv --format json\n  \
                  itm-explore annotate preferences wins.csv --format latex",
    after_long_help = "WINS.csv has lines of winner,loser[,count][,tie]."
)]
pub(in crate::cli) struct PreferencesArgs {
    /// Counts of how often each model was preferred to each other
    #[arg(value_name = "WINS.csv")]
    wins: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

/// Prints Bradley-Terry scores of a file of wins.
fn score_preferences(args: &PreferencesArgs) -> anyhow::Result<()> {
    let source = Source::open(&args.wins)?;
    let wins = wins::read(&source)?;
    let scores = preferences(&wins, &source.display())?;
    Ok(args.format.print(|| report::preferences::report(&scores))?)
}
