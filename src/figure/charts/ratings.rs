//! Scores of pairs by their human rating: boxes side by side for each step of the ratings.

use super::{ChartRequest, StudyChart, Takes};
use crate::analysis::ratings::{ByRating, STEPS, by_rating};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::chart::{Axis, Chart, Curve, HUES};
use crate::rank::pass::CancelToken;
use crate::truth::cxc;

/// Share of a step for its boxes, and share of its room for a box.
const ROOM: f64 = 0.8;
const BOX: f64 = 0.8;

/// The scores of similarities and models by rating; of pairs, so that both directions are equal.
pub const CHART: StudyChart = StudyChart {
    key: "ratings",
    title: "scores of pairs by their human rating",
    takes: Takes::NONE,
    check: |study| match &study.bases[cxc::NAME] {
        Some(_) => Ok(()),
        None => Err(Error::new("truths", "no ratings of pairs")
            .expected("the ratings of Crisscrossed Captions, sits_*.csv")),
    },
    make,
};

/// Boxes side by side, a hue for each similarity and model.
fn make(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let Some(found) = by_rating(request.study(), token)? else {
        return Ok(None);
    };
    let Some(first) = found.first() else {
        return Err(Error::new("chart of ratings", "nothing to draw")
            .expected("a similarity (--phi), or the scores of a model"));
    };
    let spreads = first.steps.iter().flatten();
    let pairs: Vec<String> = spreads.map(|spread| grouped(spread.pairs)).collect();
    Ok(Some(Chart {
        title: "Scores of pairs by their rating".into(),
        across: Axis::new("rating, 0 to 5", [0.0, STEPS as f64], 1.0),
        up: Axis::new("rated pairs with a lower score, in percent", [0.0, 100.0], 20.0),
        lines: boxes(&found),
        note: format!(
            "Box: the middle half of the pairs, with the median; ends: the 5th and the 95th percentile. Pairs of {} from \
             left to right: {}.",
            first.name,
            pairs.join(", ")
        ),
    }))
}

fn boxes(found: &[ByRating]) -> Vec<Curve> {
    let width = ROOM / found.len() as f64;
    let mut lines = Vec::new();
    for (hue, one) in found.iter().enumerate() {
        let mut name = one.name.clone();
        for (step, spread) in one.steps.iter().enumerate() {
            let left = step as f64 + (1.0 - ROOM) / 2.0 + hue as f64 * width;
            let points = spread.map(|spread| outline(spread.quantiles, left, width * BOX));
            lines.extend(points.map(|points| {
                Curve::line(std::mem::take(&mut name), [hue, hue / HUES.len()], points)
            }));
        }
    }
    lines
}

/// A box with its median and both whiskers, as one line.
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
