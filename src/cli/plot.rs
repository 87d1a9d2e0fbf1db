//! `itm-explore plot`: one chart of a study as a file.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::InputArgs;
use super::look::LookArgs;
use super::say;
use super::values::{OneOrBoth, above_zero, choices};
use crate::data::scores::Scaling;
use crate::data::text::count;
use crate::error::{Error, Result};
use crate::figure;
use crate::figure::chart::{Chart, chart};
use crate::figure::charts::{Asked, CHARTS, Counts, StudyChart, Takes};
use crate::study::{Inputs, Study};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore plot models lsa.npy minilm.npy coco5k/ -o models.pdf\n  \
                  itm-explore plot ap-models lsa.npy minilm.npy coco5k/ --truth eccv --direction i2t -o ap.svg\n  \
                  itm-explore plot over-k lsa.npy minilm.npy coco5k/ --metrics ir_recall_at_k -o recall.pdf",
    after_long_help = charts()
)]
pub(super) struct PlotArgs {
    /// Chart, such as models or over-k; `plot --help` lists all
    #[arg(value_name = "KIND", value_parser = kinds())]
    kind: String,
    /// File to write (.svg, .png, .pdf) [default: SVG on standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Models, in this order [default: all]
    #[arg(long, alias = "models", value_name = "A,B", value_delimiter = ',')]
    model: Vec<String>,
    /// Ground truths [default: the richest; of over-steps all]
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    truth: Vec<String>,
    /// Metrics, as in `eval` [default: as the chart says]
    #[arg(long, alias = "metric", value_name = "NAMES", value_delimiter = ',')]
    metrics: Vec<String>,
    /// Direction of retrieval [default: both if the chart has room]
    #[arg(long, value_name = "DIRECTION", value_parser = OneOrBoth::parser())]
    direction: Option<OneOrBoth>,
    /// Candidate pool, such as fold1, folds or random1000s7
    ///
    /// similar100:MODEL: for each query the 100 items that a model scores highest, and its positives; also those of --pool-file.
    #[arg(long, value_name = "NAME")]
    pool: Option<String>,
    /// Depth of hubness and semantic-recall [default: 10]
    #[arg(long, short, value_name = "N", value_parser = above_zero)]
    k: Option<u32>,
    /// Scaling of the scores in over-alpha [default: raw]
    #[arg(long, value_parser = choices(Scaling::ALL.map(|one| (one.key(), one))))]
    scaling: Option<Scaling>,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    input: InputArgs,
}

fn kinds() -> PossibleValuesParser {
    let kind = |chart: &StudyChart| PossibleValue::new(chart.key).help(chart.title);
    PossibleValuesParser::new(CHARTS.iter().map(kind))
}

pub(super) fn run(args: &PlotArgs) -> anyhow::Result<u8> {
    let options = args.look.options();
    options.check()?;
    let kind = StudyChart::named(&args.kind).ok_or_else(|| Error::new("KIND", &args.kind))?;
    require_taken(args, kind)?;
    let inputs = Inputs {
        // What is no series yet is taken as one where a chart is of nothing else.
        series: args.input.series || kind.takes(Takes::Steps),
        // Such ratings are read with the texts.
        ..args.input.inputs(kind.takes(Takes::Ratings))
    };
    if let Some(file) = &args.output {
        figure::format_of_drawing(file)?;
        inputs.spare(file)?;
    }
    let study = args.input.open_with(&inputs)?;
    study.require_models_and_truths()?;
    let study = match &args.pool {
        Some(name) => study.in_pool(study.pool_named(name)?)?,
        None => study,
    };
    let drawn = chart(&of_study(args, kind, &study)?, &options)?;
    match &args.output {
        Some(file) => say::draw(&drawn, file)?,
        None => say::put(figure::svg_of(&drawn).into_bytes())?,
    }
    Ok(0)
}

/// The chart of a study.
fn of_study(args: &PlotArgs, kind: &StudyChart, study: &Study) -> Result<Chart> {
    let counts = Counts::new(study);
    let mut asked = Asked {
        metrics: args.metrics.clone(),
        k: args.k,
        scaling: args.scaling.unwrap_or_default(),
        ..Asked::all(&counts)
    };
    asked.models = super::model_places(study, &args.model)?;
    let places = args.truth.iter().map(|name| study.truth_place(name));
    asked.truths = places.collect::<Result<_>>()?;
    if let Some(directions) = args.direction {
        asked.directions = directions.list();
    }
    (kind.check)(study)?;
    let found = super::progress::counting(|token| (kind.make)(&asked, token))?;
    found.ok_or_else(|| Error::new(kind.key, "nothing to draw"))
}

/// Refuses what the chart would not heed.
fn require_taken(args: &PlotArgs, kind: &StudyChart) -> Result<()> {
    if matches!(args.direction, Some(OneOrBoth(None))) && kind.takes(Takes::OneDirection) {
        return Err(Error::new("--direction", format!("{} is of one direction", kind.key))
            .expected("i2t or t2i, a chart each"));
    }
    if args.truth.len() > 1 && kind.takes(Takes::Truth) {
        return Err(Error::new("--truth", args.truth.join(", "))
            .expected(format!("one; {} is of one ground truth", kind.key)));
    }
    let most = kind.most_models();
    if most > 0 && args.model.len() > most {
        return Err(Error::new("--model", args.model.join(", "))
            .expected(format!("at most {}", count(most, "model"))));
    }
    let flags = [
        ("--model", !args.model.is_empty(), most > 0),
        ("--truth", !args.truth.is_empty(), kind.has_truth()),
        ("--metrics", !args.metrics.is_empty(), kind.takes(Takes::Metrics)),
        ("--direction", args.direction.is_some(), kind.has_directions()),
        ("--pool", args.pool.is_some(), kind.takes(Takes::Pool)),
        ("--k", args.k.is_some(), kind.takes(Takes::Depth)),
        ("--scaling", args.scaling.is_some(), kind.takes(Takes::Scaling)),
    ];
    let ignored = flags.into_iter().find(|(_, is_named, is_taken)| *is_named && !is_taken);
    let Some((flag, ..)) = ignored else {
        return Ok(());
    };
    let taken = flags.into_iter().filter(|(.., is_taken)| *is_taken);
    let taken = taken.map(|(flag, ..)| flag).collect::<Vec<_>>().join(", ");
    let taken = if taken.is_empty() { "none of these options" } else { &taken };
    Err(Error::new(flag, format!("{} takes none", kind.key)).expected(taken))
}

/// The charts and what they show.
fn charts() -> String {
    let lines = CHARTS.iter().map(|chart| format!("\n  {:<16} {}", chart.key, chart.title));
    format!("Charts:{}", lines.collect::<String>())
}
