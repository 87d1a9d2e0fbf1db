//! `itm-explore series`: one model at many steps of its training.

use clap::Args;

use super::InputArgs;
use super::eval::metric_choice;
use super::format::FormatArgs;
use super::values::DirectionArgs;
use crate::analysis::clusters::Clustering;
use crate::analysis::series::{self, Course};
use crate::error::Result;
use crate::evaluate::plan;
use crate::figure::charts;
use crate::report::series::Series;
use crate::study::{Inputs, Study};

#[derive(Debug, Args)]
#[command(
    mut_arg("series", |series| series.hide(true)),
    // The models of the demo are no steps of a training.
    mut_arg("demo", |demo| demo.hide(true)),
    after_help = "Examples:\n  itm-explore series run/step-*.npy coco5k/\n  \
                  itm-explore series run/step-*.npy coco5k/ --truth original,eccv --metrics r1,map_at_r\n  \
                  itm-explore series run/step-*.npy eccv.json --metrics r1 --direction t2i --format csv"
)]
pub(super) struct SeriesArgs {
    /// Metrics, such as R@1, r1 or a full key
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_values_t = charts::steps::DEFAULT_METRICS.map(str::to_owned))]
    metrics: Vec<String>,
    /// Ground truths [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    #[command(flatten)]
    direction: DirectionArgs,
    /// Pool: fold1, folds, random1000s7, or of --pool-file
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &SeriesArgs) -> anyhow::Result<()> {
    let study = InputArgs::open_inputs(&Inputs { series: true, ..args.input.inputs(false) })?;
    study.require_models_and_truths()?;
    study.require_steps()?;
    let courses = courses(args, &study)?;
    let images = Clustering::ByImage.images(&study);
    let choices = series::step_choices(&courses, images.as_deref());
    let series =
        Series { study: &study, courses: &courses, choices: &choices, by_image: images.is_some() };
    Ok(args.format.print(|| series.report())?)
}

/// Computes each requested metric at every step, by ground truth and direction.
fn courses(args: &SeriesArgs, study: &Study) -> Result<Vec<Course>> {
    let lines = plan::Request {
        metrics: metric_choice(&args.metrics),
        truths: args.truth.clone(),
        pools: vec![study.pool_named(&args.pool)?],
        ..plan::Request::default()
    };
    let directions = args.direction.list();
    super::progress::try_rank_bar(|token| series::courses(study, lines, &directions, token))
}
