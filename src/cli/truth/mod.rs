//! `itm-explore truth`: counts, compares, makes and merges ground truths.

mod merge;
mod mine;

use clap::Args;

use super::convert::{WriteArgs, write};
use super::format::FormatArgs;
use super::values::resamples;
use super::{InputArgs, progress};
use crate::analysis::bootstrap::Draws;
use crate::analysis::ratings;
use crate::error::Error;
use crate::report;
use crate::report::stats;
use crate::study::Inputs;
use crate::truth::rule::RULES;

subcommands! {
    pub(super) TruthCommand:
    /// Count positives, and compare ground truths with one of them
    Stats(StatsArgs) => print_stats;
    /// Write Plausible Match, made from a COCO instances file
    #[command(
        after_help = "Examples:\n  itm-explore truth pm coco5k/ instances_val2014.json -o pm/\n  \
                      itm-explore truth pm coco5k/ instances_val2014.json --pm-zeta 1 -o pm1.json\n  \
                      itm-explore truth pm coco5k/ instances_val2014.json --format qrels -o pm/"
    )]
    Pm(WriteArgs) => |args| write_derived(args, "pm");
    /// Write Crisscrossed Captions, made from the ratings in sits_*.csv
    #[command(
        after_help = "Examples:\n  itm-explore truth cxc coco5k/ sits_test.csv -o cxc/\n  \
                      itm-explore truth cxc coco5k/ sits_test.csv --cxc-threshold 4 -o cxc4.json\n  \
                      itm-explore truth cxc coco5k/ sits_test.csv --format qrels -o cxc/"
    )]
    Cxc(WriteArgs) => |args| write_derived(args, "cxc");
    /// Write a ground truth as a session's judgments change it
    #[command(mut_arg("files", |files| files.help(mine::FILES)))]
    Mine(mine::MineArgs) => mine::run;
    /// Merge several ground truths
    #[command(mut_arg("files", |files| files.help(merge::FILES)))]
    Merge(Box<merge::MergeArgs>) => merge::run;
    /// Correlate labels, similarities and models with human ratings
    Ratings(RatingsArgs) => compare_ratings;
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore truth stats coco5k/\n  \
                  itm-explore truth stats coco5k/ --against eccv --format json\n  \
                  itm-explore truth stats coco5k/ sits_test.csv instances_val2014.json --against cxc")]
pub(super) struct StatsArgs {
    /// Ground truth to compare with [default: the richest]
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Writes the ground truth that the rule `name` derives, with the default threshold if none is given.
fn write_derived(args: &WriteArgs, name: &str) -> anyhow::Result<()> {
    let mut args = args.clone();
    if let Some(rule) = RULES.iter().find(|rule| rule.name == name && rule.can_rebuild) {
        args.input.given.rules.numbers[name].get_or_insert(rule.number.default);
    }
    write(&args, &[name.to_owned()])
}

/// Prints counts of each ground truth, and its agreement with the one of `--against`.
fn print_stats(args: &StatsArgs) -> anyhow::Result<()> {
    let study = InputArgs::open_inputs(&Inputs { any_order: true, ..args.input.inputs(false) })?;
    if study.truths.is_empty() {
        return Err(Error::new("inputs", "no ground truth among the files")
            .expected("one or more to count")
            .into());
    }
    let reference = match &args.against {
        Some(name) => Some(study.require_truth(name)?),
        None => study.richest().map(|index| &study.truths[index]),
    };
    Ok(args.format.print(|| stats::report(&study.truths, reference))?)
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore truth ratings coco5k/ sits_test.csv captions_test5k.json --phi cider\n  \
                  itm-explore truth ratings lsa.npy coco5k/ --phi cider --phi spice=spice.npy --format json\n  \
                  itm-explore truth ratings lsa.npy minilm.npy coco5k/ --phi cider --format csv"
)]
pub(in crate::cli) struct RatingsArgs {
    /// Resamples of the images for the intervals
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = resamples)]
    resamples: usize,
    /// Random seed
    #[arg(long, default_value_t = Draws::default().seed, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Prints the correlations of labels, similarities and models with human ratings.
fn compare_ratings(args: &RatingsArgs) -> anyhow::Result<()> {
    let study = InputArgs::open_without_similar(&args.input.inputs(true))?;
    let draws = Draws { resamples: args.resamples, seed: args.seed };
    let compare = || ratings::compare_with_ratings(&study, draws);
    let compared = progress::with_spinner("comparing with ratings", compare)?;
    Ok(args.format.print(|| report::ratings::report(&compared, draws))?)
}
