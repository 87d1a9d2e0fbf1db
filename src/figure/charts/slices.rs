//! Models by slice: a dot for each mean, with its interval.

use super::{ANY, ChartRequest, StudyChart, Takes, percent};
use crate::analysis::slices::{Request, SliceRow, Slices, WordList, built_in, specs};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::chart::{Axis, Chart, Curve, Shape, ends, look};
use crate::metric::Unit;
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// A row for all queries and for each of the first slices.
pub const CHART: StudyChart = StudyChart {
    key: "slices",
    title: "models by slice of the queries, with intervals",
    takes: Takes { models: ANY, truths: 1, metrics: 1, directions: 1, pools: 1, ..Takes::NONE },
    check: Study::require_models_and_truths,
    make,
};

/// Maximum slices.
const MAX_SLICES: usize = 10;
/// Share of a row for the dots of several models.
const ROOM: f64 = 0.6;

fn make(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let (study, view) = (request.study(), request.view()?);
    let [spec] = request.specs(["map_at_r"])?;
    let Some(metric) = specs().iter().position(|known| *known == spec) else {
        return Err(
            Error::new("--metrics", format!("slices has no {spec}")).expected("r1 or map_at_r")
        );
    };
    let slices = built_in(study, view, &WordList::built_in());
    let asked = Request::new(study, &request.models, view, slices);
    let Some(slices) = asked.count(None, token)? else {
        return Ok(None);
    };
    let context = request.context(view.truth, &[view.direction]);
    Ok(Some(chart(study, &slices, metric, &context)))
}

fn chart(study: &Study, slices: &Slices, metric: usize, context: &str) -> Chart {
    let tested = slices.rows.iter().filter(|row| row.is_tested()).take(MAX_SLICES);
    // From bottom to top.
    let mut rows: Vec<&SliceRow> = std::iter::once(&slices.all).chain(tested).collect();
    rows.reverse();
    let names =
        rows.iter().map(|row| format!("{} ({})", row.slice.name, grouped(row.queries.len())));
    let count = slices.models.len();
    let mut lines = Vec::new();
    for (at, &model) in slices.models.iter().enumerate() {
        let mut dots = Vec::new();
        for (row, y) in rows.iter().zip(0..) {
            let y = f64::from(y) + 0.5 + ROOM * (0.5 - (at as f64 + 0.5) / count as f64);
            let (mean, interval) = row.metrics[metric].means[at];
            let points = interval.map(|ends| ends.map(|end| [100.0 * end, y]).to_vec());
            lines.extend(points.map(|points| Curve::line("", look(at), points)));
            dots.extend(mean.map(|mean| [100.0 * mean, y]));
        }
        lines.push(Curve::new(Shape::Dots, &*study.models[model].name, look(at), dots));
    }
    let across = || lines.iter().flat_map(|line| &line.points).map(|point| point[0]);
    let title = specs()[metric].title();
    Chart {
        across: Axis::over(
            format!("{title}{}", percent(Unit::Share)),
            ends(across()).unwrap_or([0.0, 100.0]),
        ),
        up: Axis::of_groups("slice (number of queries)", names),
        lines,
        title: format!("{title} by slice ({context})"),
        note: "95 % CI, clustered by image.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::charts::Counts;
    use crate::study::demo;

    #[test]
    fn dots_stand_in_the_rows_of_their_slices() {
        let study = demo::open().unwrap();
        let counts = Counts::new(&study);
        let request = ChartRequest::all(&counts);
        let chart = make(&request, &CancelToken::default()).unwrap().unwrap();
        let names: Vec<String> = chart.up.numbers().map(|(_, name)| name).collect();
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
        let other = ChartRequest { metrics: vec!["mrr".into()], ..ChartRequest::all(&counts) };
        assert!(make(&other, &CancelToken::default()).is_err());
    }
}
