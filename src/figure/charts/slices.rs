//! Models by slice of the queries: a dot for each mean, with its interval.

use super::{ANY, ChartRequest, Limits, StudyChart, axis_suffix};
use crate::analysis::slices::{SliceRequest, SliceRow, Slices, WordList, built_in_slices, specs};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::chart::{Axis, Chart, Curve, Shape, hue_and_dashes, min_max};
use crate::metric::Unit;
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// Chart with a row for all queries, and one for each of the first ten slices that have enough queries for a test.
pub const CHART: StudyChart = StudyChart {
    key: "slices",
    title: "models by slice of the queries, with intervals",
    limits: Limits { models: ANY, truths: 1, metrics: 1, directions: 1, pools: 1, ..Limits::NONE },
    check: Study::require_models_and_truths,
    compute_chart,
};

/// Maximum number of slices drawn.
const MAX_SLICES: usize = 10;
/// Height over which the dots of several models are spread, relative to the row.
const DOTS_HEIGHT: f64 = 0.6;

fn compute_chart(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let (study, view) = (request.study(), request.view()?);
    let [spec] = request.specs(["map_at_r"])?;
    let Some(metric) = specs().iter().position(|other| *other == spec) else {
        return Err(
            Error::new("--metrics", format!("slices has no {spec}")).expected("r1 or map_at_r")
        );
    };
    let slices = built_in_slices(study, view, &WordList::built_in());
    let slices_request = SliceRequest::new(study, &request.models, view, slices);
    let Some(slices) = slices_request.compute(None, token)? else {
        return Ok(None);
    };
    let context = request.context(view.truth, &[view.direction]);
    Ok(Some(chart(study, &slices, metric, &context)))
}

/// Draws the mean of each model on each slice, by the metric at index `metric` of [`specs`]. `context` names direction,
/// truth and pool.
fn chart(study: &Study, slices: &Slices, metric: usize, context: &str) -> Chart {
    let tested_rows = slices.rows.iter().filter(|row| row.is_tested()).take(MAX_SLICES);
    // From bottom to top.
    let mut rows: Vec<&SliceRow> = std::iter::once(&slices.all).chain(tested_rows).collect();
    rows.reverse();
    let names =
        rows.iter().map(|row| format!("{} ({})", row.slice.name, grouped(row.queries.len())));
    let count = slices.models.len();
    let mut lines = Vec::new();
    for (at, &model) in slices.models.iter().enumerate() {
        let mut dots = Vec::new();
        for (row, y) in rows.iter().zip(0..) {
            let y = f64::from(y) + 0.5 + DOTS_HEIGHT * (0.5 - (at as f64 + 0.5) / count as f64);
            let (mean, interval) = row.metrics[metric].means[at];
            let points = interval.map(|ends| ends.map(|end| [100.0 * end, y]).to_vec());
            lines.extend(points.map(|points| Curve::line("", hue_and_dashes(at), points)));
            dots.extend(mean.map(|mean| [100.0 * mean, y]));
        }
        lines.push(Curve::new(Shape::Dots, &*study.models[model].name, hue_and_dashes(at), dots));
    }
    let x_values = lines.iter().flat_map(|line| &line.points).map(|point| point[0]);
    let x_ends = min_max(x_values).unwrap_or([0.0, 100.0]);
    let title = specs()[metric].title();
    Chart {
        x: Axis::for_range(format!("{title}{}", axis_suffix(Unit::Share)), x_ends),
        y: Axis::for_groups("slice (number of queries)", names),
        lines,
        title: format!("{title} by slice ({context})"),
        note: "95 % CI, clustered by image.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::charts::RankCache;
    use crate::study::demo;

    #[test]
    fn dots_stand_in_the_rows_of_their_slices() {
        let study = demo::open().unwrap();
        let cache = RankCache::new(&study);
        let request = ChartRequest::all(&cache);
        let chart = compute_chart(&request, &CancelToken::default()).unwrap().unwrap();
        let names: Vec<String> = chart.y.labels().map(|(_, name)| name).collect();
        assert_eq!(names.last().unwrap(), "all queries (120)");
        let dots = chart.lines.iter().filter(|line| line.shape == Shape::Dots);
        for dots in dots {
            assert_eq!(dots.points.len(), names.len());
            for ([_, y], row) in dots.points.iter().zip(0..) {
                assert_eq!(y.floor() as i32, row);
            }
        }
        let lines = chart.lines.iter().filter(|line| line.shape == Shape::Line).count();
        assert_eq!(lines, study.models.len() * names.len());
        let other = ChartRequest { metrics: vec!["mrr".into()], ..ChartRequest::all(&cache) };
        assert!(compute_chart(&other, &CancelToken::default()).is_err());
    }
}
