//! `itm-explore truth`: truths counted, compared, made and merged.

mod derived;
mod merge;
mod mine;
mod ratings;
mod sessions;

use clap::{Args, ValueEnum};

use super::InputArgs;
use super::convert::WriteArgs;
use super::format::PrintArgs;
use crate::error::Error;
use crate::report::differences::{self, Which};
use crate::report::stats;
use crate::study::Inputs;
use crate::truth::Truth;

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
    Pm(WriteArgs) => derived::pm;
    /// Write Crisscrossed Captions, made from the ratings in sits_*.csv
    #[command(
        after_help = "Examples:\n  itm-explore truth cxc coco5k/ sits_test.csv -o cxc/\n  \
                      itm-explore truth cxc coco5k/ sits_test.csv --cxc-threshold 4 -o cxc4.json\n  \
                      itm-explore truth cxc coco5k/ sits_test.csv --format qrels -o cxc/"
    )]
    Cxc(WriteArgs) => derived::cxc;
    /// Write a ground truth as a session's judgments change it
    #[command(mut_arg("files", |files| files.help(mine::FILES)))]
    Mine(mine::MineArgs) => mine::run;
    /// Merge sessions of several annotators, or several ground truths
    #[command(mut_arg("files", |files| files.help(merge::FILES)))]
    Merge(Box<merge::MergeArgs>) => merge::run;
    /// Correlate labels, similarities and models with human ratings
    Ratings(ratings::RatingsArgs) => ratings::run;
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore truth stats coco5k/\n  \
                  itm-explore truth stats coco5k/ --against eccv --format json\n  \
                  itm-explore truth stats coco5k/ --against eccv --list added --truth original")]
pub(super) struct StatsArgs {
    /// Ground truth to compare with [default: the richest]
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// List pairs instead: those that the others add, or lack
    ///
    /// On the queries that both ground truths cover.
    #[arg(long, value_enum, value_name = "WHICH")]
    list: Option<List>,
    /// Ground truths whose pairs are listed [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES", requires = "list")]
    truth: Vec<String>,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum List {
    Added,
    Removed,
}

impl List {
    fn which(self) -> Which {
        match self {
            List::Added => Which::Added,
            List::Removed => Which::Removed,
        }
    }
}

fn print_stats(args: &StatsArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let study = super::InputArgs::open_with(&Inputs {
        any_order: true,
        ..args.input.inputs(args.list.is_some())
    })?;
    super::report_notes(&study, args.print.quiet);
    if study.truths.is_empty() {
        return Err(Error::new("inputs", "no ground truth among the files")
            .expected("one or more to count")
            .into());
    }
    let reference = match &args.against {
        Some(name) => Some(study.require_truth(name)?),
        None => study.richest().map(|at| &study.truths[at]),
    };
    let named = args.truth.iter().map(|name| study.require_truth(name));
    let mut truths: Vec<&Truth> = named.collect::<Result<_, _>>()?;
    if truths.is_empty() {
        truths = study.truths.iter().collect();
    }
    args.print.format.put(match (args.list, reference) {
        (Some(list), Some(reference)) => {
            differences::report(&study, &truths, reference, list.which())
        }
        _ => stats::report(&study.truths, reference),
    })?;
    Ok(0)
}
