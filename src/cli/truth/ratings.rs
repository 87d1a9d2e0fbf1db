//! `itm-explore truth ratings`: labels, similarities and models by human ratings.

use std::path::{Path, PathBuf};

use clap::Args;

use super::super::drawn::write;
use super::super::format::PrintArgs;
use super::super::resampling::resamples;
use super::super::{InputArgs, progress, report_notes};
use crate::analysis::bootstrap::Draws;
use crate::analysis::ratings::{ByRating, STEPS, by_rating, ratings};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::Options;
use crate::figure::chart::{Axis, Chart, Curve, HUES, chart};
use crate::report;

/// The part of a step that boxes take, and the part of its room that a box takes.
const ROOM: f64 = 0.8;
const BOX: f64 = 0.8;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore truth ratings coco5k/ sits_test.csv captions_test5k.json --phi cider\n  \
                  itm-explore truth ratings lsa.npy coco5k/ --phi cider --phi spice=spice.npy --format json\n  \
                  itm-explore truth ratings lsa.npy minilm.npy coco5k/ --phi cider --chart ratings.svg"
)]
pub(in crate::cli) struct RatingsArgs {
    /// Resamples of the images, for the intervals
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = resamples)]
    resamples: usize,
    /// What they are drawn from: the same seed gives the same numbers
    #[arg(long, default_value_t = Draws::default().seed, value_name = "N")]
    seed: u64,
    /// Draw the scores of similarities and models by rating, a box for each step of the ratings (.svg, .png, .pdf)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &RatingsArgs) -> anyhow::Result<u8> {
    let inputs = args.input.inputs(true);
    let study = progress::waiting("reading", || crate::study::open(&inputs))?;
    if !args.print.quiet {
        report_notes(&study);
    }
    let draws = Draws {
        resamples: args.resamples,
        seed: args.seed,
    };
    let compared = progress::waiting("comparing with ratings", || ratings(&study, draws))?;
    if let Some(file) = &args.chart {
        inputs.spare(file)?;
        draw(&by_rating(&study)?, file)?;
    }
    args.print
        .format
        .put(report::ratings::report(&compared, draws))?;
    Ok(0)
}

/// Draws boxes side by side, a hue for each similarity and model.
fn draw(found: &[ByRating], file: &Path) -> Result<()> {
    let Some(first) = found.first() else {
        return Err(Error::new("--chart", "nothing to draw")
            .expected("a similarity (--phi), or the scores of a model"));
    };
    let pairs = first
        .steps
        .iter()
        .flatten()
        .map(|spread| grouped(spread.pairs));
    let of = Chart {
        title: "Scores of pairs by their rating".into(),
        across: Axis::new("rating, 0 to 5", [0.0, STEPS as f64], 1.0),
        up: Axis::new(
            "rated pairs with a lower score, in percent",
            [0.0, 100.0],
            20.0,
        ),
        lines: boxes(found),
        note: format!(
            "Box: the middle half of the pairs, with the median; ends: the 5th and the 95th percentile. Pairs of {} from \
             left to right: {}.",
            first.name,
            pairs.collect::<Vec<String>>().join(", ")
        ),
    };
    write(&chart(&of, &Options::default())?, file)
}

fn boxes(found: &[ByRating]) -> Vec<Curve> {
    let width = ROOM / found.len() as f64;
    let mut lines = Vec::new();
    for (hue, one) in found.iter().enumerate() {
        let mut name = one.name.clone();
        for (step, spread) in one.steps.iter().enumerate() {
            let left = step as f64 + (1.0 - ROOM) / 2.0 + hue as f64 * width;
            let points = spread.map(|spread| outline(spread.quantiles, left, width * BOX));
            lines.extend(points.map(|points| Curve {
                name: std::mem::take(&mut name),
                hue,
                dashes: hue / HUES.len(),
                points,
            }));
        }
    }
    lines
}

/// A box with its median and both whiskers, in one line.
fn outline([low, first, median, third, high]: [f64; 5], left: f64, width: f64) -> Vec<[f64; 2]> {
    let (right, middle) = (left + width, left + width / 2.0);
    vec![
        [middle, low],
        [middle, first],
        [left, first],
        [left, median],
        [right, median],
        [left, median],
        [left, third],
        [middle, third],
        [middle, high],
        [middle, third],
        [right, third],
        [right, first],
        [middle, first],
    ]
}
