//! `itm-explore plot`: one chart of a study as a file.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::InputArgs;
use super::say;
use super::values::{Directions, above_zero, choices, direction_parser};
use crate::data::output::check_free;
use crate::data::scores::Scaling;
use crate::error::{Error, Result};
use crate::figure::chart::{Chart, draw_chart};
use crate::figure::charts::{CHARTS, ChartRequest, RankCache, StudyChart, ratings, slices, steps};
use crate::figure::{self, MIN_TEXT_POINTS, Options};
use crate::study::{Inputs, Study};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore plot models lsa.npy minilm.npy coco5k/ -o models.pdf\n  \
                  itm-explore plot over-alpha lsa.npy minilm.npy coco5k/ --columns 2 -o mixtures.pdf\n  \
                  itm-explore plot slices lsa.npy minilm.npy coco5k/ --truth eccv -o slices.svg",
    after_long_help = charts_help()
)]
pub(super) struct PlotArgs {
    /// Chart, such as models or bump; `plot --help` lists all
    #[arg(value_name = "KIND", value_parser = kind_parser())]
    kind: String,
    /// File to write (.svg, .png, .pdf, ..) [default: SVG to stdout]
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
    #[arg(long, value_name = "DIRECTION", value_parser = direction_parser())]
    direction: Option<Directions>,
    /// Pool: fold1, folds, random1000s7, or of --pool-file
    #[arg(long, value_name = "NAME")]
    pool: Option<String>,
    /// Depth of semantic-recall [default: 10]
    #[arg(long, short, value_name = "N", value_parser = above_zero)]
    k: Option<u32>,
    /// Scaling of the scores in over-alpha [default: raw]
    #[arg(long, value_parser = choices(Scaling::ALL.map(|one| (one.key(), one))))]
    scaling: Option<Scaling>,
    #[command(flatten)]
    look: LayoutArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Options for the layout of a figure or chart on paper.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Layout")]
pub(super) struct LayoutArgs {
    /// Paper layout: one column (121 mm) or one of two (83.3 mm)
    #[arg(long, value_name = "1|2", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2))]
    pub(super) columns: u32,
    /// Width in millimetres [default: that of --columns]
    #[arg(long, value_name = "MM")]
    width: Option<f32>,
    /// Text size in points [default: that of --columns]
    #[arg(long, value_name = "PT", hide_short_help = true)]
    text_size: Option<f32>,
    /// Resolution of images, and of PNG
    #[arg(long, default_value_t = Options::default().dpi, hide_short_help = true)]
    dpi: u32,
    /// Font family [default: the bundled Liberation Sans]
    #[arg(long, value_name = "FAMILY", hide_short_help = true)]
    font: Option<String>,
}

impl LayoutArgs {
    /// The figure options, with defaults for the layout of `--columns`.
    pub(super) fn options(&self) -> Options {
        let defaults = Options::for_columns(self.columns);
        Options {
            width: self.width.unwrap_or(defaults.width),
            text: self.text_size.unwrap_or(defaults.text),
            dpi: self.dpi,
            font: self.font.clone(),
            min_text: self.text_size.unwrap_or(MIN_TEXT_POINTS),
            ..defaults
        }
    }
}

/// Parser of the keys of charts.
fn kind_parser() -> PossibleValuesParser {
    let kind = |chart: &StudyChart| PossibleValue::new(chart.key).help(chart.title);
    PossibleValuesParser::new(CHARTS.iter().map(kind))
}

pub(super) fn run(args: &PlotArgs) -> anyhow::Result<()> {
    let options = args.look.options();
    options.check()?;
    let kind = CHARTS.iter().find(|chart| chart.key == args.kind);
    let kind = kind.ok_or_else(|| Error::new("KIND", &args.kind))?;
    check_options(args, kind)?;
    let inputs = Inputs {
        // A chart over steps reads models as a series even without `--series`.
        series: args.input.given.series || kind.key == steps::CHART.key,
        ..args.input.inputs([ratings::CHART.key, slices::CHART.key].contains(&kind.key))
    };
    if let Some(file) = &args.output {
        figure::format_of(file)?;
        check_free(file, inputs.force)?;
    }
    let study = InputArgs::open_inputs(&inputs)?;
    study.require_models_and_truths()?;
    let study = match &args.pool {
        Some(name) => study.in_pool(study.pool_named(name)?)?,
        None => study,
    };
    let drawing = draw_chart(&make_chart(args, kind, &study)?, &options)?;
    Ok(say::write_figure(&[drawing], args.output.as_deref(), inputs.force)?)
}

/// Makes the requested chart of the study.
fn make_chart(args: &PlotArgs, kind: &StudyChart, study: &Study) -> Result<Chart> {
    let cache = RankCache::new(study);
    let mut request = ChartRequest {
        metrics: args.metrics.clone(),
        k: args.k,
        scaling: args.scaling.unwrap_or_default(),
        ..ChartRequest::all(&cache)
    };
    request.models = super::model_indices(study, &args.model)?;
    let truths = args.truth.iter().map(|name| study.truth_index(name));
    request.truths = truths.collect::<Result<_>>()?;
    if let Some(directions) = args.direction {
        request.directions = directions.to_vec();
    }
    (kind.check)(study)?;
    super::progress::try_rank_bar(|token| (kind.compute_chart)(&request, token))
}

/// Rejects options that have no effect on the chart, and more values than it shows.
fn check_options(args: &PlotArgs, kind: &StudyChart) -> Result<()> {
    let directions = args.direction.map_or(0, <[_]>::len);
    // Option, number of values given, and maximum number.
    let options = [
        ("--model", args.model.len(), kind.limits.models),
        ("--truth", args.truth.len(), kind.limits.truths),
        ("--metrics", args.metrics.len(), kind.limits.metrics),
        ("--direction", directions, kind.limits.directions),
        ("--pool", usize::from(args.pool.is_some()), kind.limits.pools),
        ("--k", usize::from(args.k.is_some()), kind.limits.depths),
        ("--scaling", usize::from(args.scaling.is_some()), kind.limits.scalings),
    ];
    let Some((flag, given, max)) = options.into_iter().find(|(_, given, max)| given > max) else {
        return Ok(());
    };
    if max > 0 {
        let found = format!("{} takes at most {max}, not {given}", kind.key);
        return Err(Error::new(flag, found));
    }
    let accepted = options.into_iter().filter(|(.., max)| *max > 0);
    let accepted: Vec<&str> = accepted.map(|(flag, ..)| flag).collect();
    Err(Error::new(flag, format!("{} takes none", kind.key)).expected(accepted.join(", ")))
}

/// Help text: every chart and what it shows.
fn charts_help() -> String {
    let lines = CHARTS.iter().map(|chart| format!("\n  {:<16} {}", chart.key, chart.title));
    format!("Charts:{}", lines.collect::<String>())
}
