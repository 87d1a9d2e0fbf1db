//! `itm-explore truth`: truths counted, compared, made and written.

mod derived;
mod merge;
mod mine;
mod ratings;
mod unite;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, builder::PossibleValuesParser};

use super::InputArgs;
use super::format::PrintArgs;
use crate::data::text::shown;
use crate::error::Error;
use crate::report::differences::{self, Which};
use crate::report::stats;
use crate::study::{self, Inputs};
use crate::truth::Truth;
use crate::truth::output::OUTPUTS;

#[derive(Debug, Subcommand)]
pub(super) enum TruthCommand {
    /// Count positives, and measure each ground truth by another
    Stats(StatsArgs),
    #[command(flatten)]
    Derived(derived::DerivedCommand),
    /// Write ground truths in another format
    Write(ChosenArgs),
    /// Write a ground truth as changed by the verdicts of a session, or the verdicts alone
    #[command(mut_arg("files", |files| files.help(mine::FILES)))]
    Mine(mine::MineArgs),
    /// Put verdicts of several annotators together, and measure how well they agree
    Merge(merge::MergeArgs),
    /// Correlate labels, similarities and models with human ratings of pairs
    Ratings(ratings::RatingsArgs),
    /// Unite ground truths, without what is invalid, and measure models before and after
    Unite(Box<unite::UniteArgs>),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore truth stats coco5k/ --against eccv --format json\n  \
                  itm-explore truth stats coco5k/ --against eccv --list added --truth original"
)]
pub(super) struct StatsArgs {
    /// The ground truth that the others are measured by [default: the richest]
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Print pairs instead: those that the others list and this ground truth does not, or the other way round, on
    /// the queries that both judge
    #[arg(long, value_enum, value_name = "WHICH")]
    list: Option<List>,
    /// Ground truths whose pairs are printed, separated by commas [default: all]
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

#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Examples:\n  itm-explore truth pm coco5k/ instances_val2014.json --pm-zeta 1 -o pm/\n  \
                  itm-explore truth cxc coco5k/ sits_test.csv --cxc-threshold 3 -o cxc/"
)]
pub(super) struct WriteArgs {
    #[command(flatten)]
    input: InputArgs,
    /// The folder to write to
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// json: ids by id, as `eccv_caption` reads them; qrels: as TREC tools do
    #[arg(long, default_value = "json", value_parser = PossibleValuesParser::new(OUTPUTS.iter().map(|o| o.key)))]
    format: String,
    /// Say on stderr what to heed, and nothing else about the inputs
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  itm-explore truth write eccv.json --truth eccv --format qrels -o qrels/"
)]
pub(super) struct ChosenArgs {
    /// Ground truths, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    #[command(flatten)]
    write: WriteArgs,
}

pub(super) fn run(command: &TruthCommand) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    match command {
        TruthCommand::Stats(args) => print_stats(args),
        TruthCommand::Derived(command) => derived::run(command),
        TruthCommand::Write(args) => write(&args.write, &args.truth),
        TruthCommand::Mine(args) => mine::run(args),
        TruthCommand::Merge(args) => merge::run(args),
        TruthCommand::Ratings(args) => ratings::run(args),
        TruthCommand::Unite(args) => unite::run(args),
    }
}

fn print_stats(args: &StatsArgs) -> anyhow::Result<u8> {
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

fn write(args: &WriteArgs, names: &[String]) -> anyhow::Result<u8> {
    let how = OUTPUTS.iter().find(|output| output.key == args.format);
    let how = how.ok_or_else(|| Error::new("--format", &args.format))?;
    let inputs = Inputs { any_order: true, ..args.input.inputs(false) };
    let write = || study::write_truths(&inputs, names, how, &args.output);
    let (study, written) = super::progress::waiting("writing", write)?;
    super::report_notes(&study, args.quiet);
    for path in written {
        say!("wrote {}", shown(&path.display().to_string()));
    }
    Ok(0)
}
