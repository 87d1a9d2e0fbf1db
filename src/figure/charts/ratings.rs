//! Scores of pairs by their human rating, as box plots: for each step of the ratings one box per similarity and model.

use super::{ChartRequest, Limits, StudyChart};
use crate::analysis::ratings::{BINS, RatingBins, scores_by_rating};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::chart::{Axis, Chart, Curve, HUES};
use crate::rank::pass::CancelToken;
use crate::truth::cxc;

/// Width of all boxes of a rating step, relative to the step.
const BOXES_WIDTH: f64 = 0.8;
/// Width of a box, relative to its part of [`BOXES_WIDTH`].
const BOX_WIDTH: f64 = 0.8;

/// Box plots of the scores by rating. They are of pairs, so both directions have the same chart.
pub const CHART: StudyChart = StudyChart {
    key: "ratings",
    title: "scores of pairs by their human rating",
    limits: Limits::NONE,
    check: |study| match &study.bases[cxc::NAME] {
        Some(_) => Ok(()),
        None => Err(Error::new("truths", "no ratings of pairs")
            .expected("the ratings of Crisscrossed Captions, sits_*.csv")),
    },
    compute_chart,
};

fn compute_chart(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let Some(sources) = scores_by_rating(request.study(), token)? else {
        return Ok(None);
    };
    let Some(first) = sources.first() else {
        return Err(Error::new("chart of ratings", "nothing to draw")
            .expected("a similarity (--phi), or the scores of a model"));
    };
    let spreads = first.bins.iter().flatten();
    let pairs: Vec<String> = spreads.map(|spread| grouped(spread.pairs)).collect();
    Ok(Some(Chart {
        title: "Scores of pairs by their rating".into(),
        x: Axis::new("rating, 0 to 5", [0.0, BINS as f64], 1.0),
        y: Axis::new("rated pairs with a lower score, in percent", [0.0, 100.0], 20.0),
        lines: boxes(&sources),
        note: format!(
            "Box: the middle half of the pairs, with the median; ends: the 5th and the 95th percentile. Pairs of {} from \
             left to right: {}.",
            first.name,
            pairs.join(", ")
        ),
    }))
}

/// A box per rating step for each source of scores, in a hue of its own.
fn boxes(sources: &[RatingBins]) -> Vec<Curve> {
    let width = BOXES_WIDTH / sources.len() as f64;
    let mut lines = Vec::new();
    for (hue, source) in sources.iter().enumerate() {
        // Only the first box has a legend entry.
        let mut name = source.name.clone();
        for (step, spread) in source.bins.iter().enumerate() {
            let left = step as f64 + (1.0 - BOXES_WIDTH) / 2.0 + hue as f64 * width;
            let points = spread.map(|spread| outline(spread.quantiles, left, width * BOX_WIDTH));
            lines.extend(points.map(|points| {
                Curve::line(std::mem::take(&mut name), [hue, hue / HUES.len()], points)
            }));
        }
    }
    lines
}

/// Points of one line that draws a box with its median and both whiskers.
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
