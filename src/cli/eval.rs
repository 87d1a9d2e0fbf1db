//! `itm-explore eval`: metrics of every model under every truth.

use clap::{Args, ValueEnum, builder::PossibleValuesParser};
use std::io::Write;

use super::InputArgs;
use crate::data::Direction;
use crate::error::Error;
use crate::metric::evaluation;
use crate::metric::plan::{Choice, Request};
use crate::rank::pass::Watch;
use crate::report::{Options, REPORTS};

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  itm-explore eval lsa.npy minilm.npy coco5k/ --format json\n  \
                        itm-explore eval sims.npy eccv.json --metrics r1,map_at_r,ndcg_at_10 --truth eccv"
)]
pub(super) struct EvalArgs {
    #[command(flatten)]
    input: InputArgs,
    /// How to print
    #[arg(long, default_value = "table", value_parser = PossibleValuesParser::new(REPORTS.iter().map(|r| r.key())))]
    format: String,
    /// Metrics or full keys, separated by commas, or `all` [default: what `eccv_caption` reports]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    metrics: Vec<String>,
    /// Depths for metrics at K, separated by commas or blanks
    #[arg(long, value_delimiter = ',', default_values_t = [1, 5, 10], value_parser = clap::value_parser!(u32).range(1..))]
    k: Vec<u32>,
    /// Truths, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    /// Pools: all; fold1 to fold5 and folds, their mean (COCO test gallery only); those of --pool-file;
    /// random1000s7: 1,000 images drawn with seed 7, and their captions
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pool: Vec<String>,
    /// Directions
    #[arg(long, value_enum, default_value_t = Directions::Both)]
    direction: Directions,
    /// Cap of R in pmrp (the PCME papers use 50)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pmrp_cap: Option<u32>,
    /// Add alpha * A + (1 - alpha) * B, scores taken as they are or scaled; repeatable
    #[arg(long, value_name = "A,B,ALPHA[,raw|zscore|minmax]")]
    mix: Vec<String>,
    /// Add what a perfect model would get
    #[arg(long)]
    ceiling: bool,
    /// Say nothing about the inputs on stderr
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Directions {
    I2t,
    T2i,
    Both,
}

impl Directions {
    /// Those that are meant, in the order of every table.
    pub(super) fn list(self) -> Vec<Direction> {
        match self {
            Directions::I2t => vec![Direction::I2t],
            Directions::T2i => vec![Direction::T2i],
            Directions::Both => Direction::BOTH.to_vec(),
        }
    }
}

pub(super) fn run(args: &EvalArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let mut study = args.input.open(false)?;
    if !args.quiet {
        super::report_notes(&study);
    }
    study.require_models_and_truths()?;
    study.add_mixtures(&args.mix)?;
    let request = Request {
        metrics: choice(&args.metrics),
        depths: args.k.clone(),
        truths: args.truth.clone(),
        pools: args
            .pool
            .iter()
            .map(|name| study.pool_named(name))
            .collect::<Result<_, _>>()?,
        pmrp_cap: args.pmrp_cap,
        ceiling: args.ceiling,
    };
    let watch = Watch::default();
    let evaluation = super::progress::shown(
        || watch.progress(),
        || evaluation::evaluate(&study, &request, &watch),
    )?;
    for line in &evaluation.undefined {
        eprintln!("warning: {line}");
    }
    let report = REPORTS.iter().find(|report| report.key() == args.format);
    let report = report.ok_or_else(|| Error::new("--format", &args.format))?;
    let options = Options {
        directions: args.direction.list(),
    };
    std::io::stdout()
        .lock()
        .write_all(report.write(&evaluation, &options).as_bytes())?;
    Ok(0)
}

/// The metrics that names mean; without names the usual ones.
pub(super) fn choice(metrics: &[String]) -> Choice {
    match metrics {
        [] => Choice::Usual,
        names if names.iter().any(|name| name == "all") => Choice::All,
        names => Choice::Named(names.to_vec()),
    }
}
