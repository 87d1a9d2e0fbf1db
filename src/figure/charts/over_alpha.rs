//! Metrics of the mixtures of two models over alpha, the weight of the first.

use super::request::require_two_models;
use super::{ChartRequest, Limits, StudyChart, axis_suffix};
use crate::data::Direction;
use crate::data::scores::{ModelPair, Scaling};
use crate::error::{Error, Result};
use crate::evaluate::curve::{self, AlphaCurve, Point, STEP, best_point};
use crate::figure::chart::{Axis, Chart, Curve, Shape, min_max};
use crate::rank::pass::CancelToken;

/// Chart with a line for each metric and direction.
pub const CHART: StudyChart = StudyChart {
    key: "over-alpha",
    title: "R@1 and mAP@R of mixtures of the first two models, over alpha",
    limits: Limits {
        models: 2,
        truths: 1,
        metrics: 2,
        directions: 2,
        pools: 1,
        scalings: 1,
        depths: 0,
    },
    check: require_two_models,
    compute_chart,
};

fn compute_chart(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let specs = request.two_specs(request.truth()?)?;
    if specs[0].metric.unit() != specs[1].metric.unit() {
        let names = specs.map(|spec| spec.title()).join(", ");
        return Err(Error::new("--metrics", names).expected("two shares, or two of another unit"));
    }
    let (study, truth, models) = (request.study(), request.truth()?, request.two_models()?);
    let [first, second] = models.map(|model| &study.models[model]);
    let pair = &ModelPair::new(first, second)?;
    let curve = AlphaCurve { study, pair, scaling: request.scaling, truth, specs };
    let mut points = Vec::new();
    if curve.run(&curve::alphas(STEP)?, token, |point, _| points.push(point))?.is_none() {
        return Ok(None);
    }
    let chart = chart(request, &curve, &points);
    let error = || {
        Error::new("over-alpha", "no metric is defined")
            .expected("metrics that the ground truth has")
    };
    chart.ok_or_else(error).map(Some)
}

/// Draws a line for each metric and direction, and a dot at its best alpha; `None` if no value is defined.
fn chart(request: &ChartRequest<'_>, curve: &AlphaCurve<'_>, points: &[Point]) -> Option<Chart> {
    let [first, second] = request.two_models().ok()?.map(|model| request.name(model));
    let unit = curve.specs[0].metric.unit();
    let (mut lines, mut dots, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for hue in [0, 1] {
        for direction in request.directions_of(curve.truth) {
            let value = |point: &Point| point.numbers[hue][direction]?.value;
            let xy = |point: &Point| Some([point.alpha, unit.to_display(value(point)?)]);
            let dashes = usize::from(direction == Direction::T2i);
            let name = format!("{} {direction}", curve.specs[hue].title());
            if let Some(best) = best_point(points, unit, value) {
                notes.push(format!("{name} {} at {:.2}", unit.format(value(best)), best.alpha));
                dots.push(Curve::new(Shape::Dots, "", [hue, 0], xy(best).into_iter().collect()));
            }
            let points = points.iter().filter_map(xy).collect();
            lines.push(Curve::line(name, [hue, dashes], points));
        }
    }
    let ends = min_max(lines.iter().flat_map(|line| &line.points).map(|point| point[1]))?;
    let y_title = match axis_suffix(unit).trim_start() {
        "" => "value",
        percent => percent,
    };
    let scaled = match curve.scaling {
        Scaling::Raw => String::new(),
        scaled @ Scaling::ZScore => format!(", scaled by {}", scaled.key()),
    };
    lines.extend(dots);
    let context = request.context(curve.truth, &[]);
    let x_title = format!("alpha: 0 is {second} alone, 1 is {first} alone");
    let best = notes.join(", ");
    Some(Chart {
        title: format!("Mixtures of {first} and {second} ({context})"),
        x: Axis::new(x_title, [0.0, 1.0], 0.1),
        y: Axis::for_range(y_title, ends),
        lines,
        note: format!(
            "alpha * {first} + (1 - alpha) * {second}{scaled}. Dots: the best alpha, chosen on these same queries: {best}."
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::charts::RankCache;
    use crate::figure::charts::request::default_metric;
    use crate::study::demo;

    #[test]
    fn lines_end_at_the_models_alone_and_the_best_are_marked() {
        let study = demo::open().unwrap();
        let cache = RankCache::new(&study);
        let token = CancelToken::default();
        let request = ChartRequest::all(&cache);
        let chart = compute_chart(&request, &token).unwrap().unwrap();
        let names: Vec<&str> = chart.lines.iter().map(|line| &*line.name).collect();
        assert_eq!(names[..4], ["R@1 i2t", "R@1 t2i", "mAP@R i2t", "mAP@R t2i"]);
        let truth = request.truth().unwrap();
        request.compute_ranks(&[truth], &token).unwrap();
        let [first, second] = request.two_models().unwrap();
        let line = &chart.lines[3];
        let (low, high) = (line.points[0], line.points[line.points.len() - 1]);
        for (model, point) in [(second, low), (first, high)] {
            let spec = default_metric(&study.truths[truth]);
            let alone = request.summary(spec, (model, truth, Direction::T2i)).unwrap();
            assert!((point[1] - 100.0 * alone.value.unwrap()).abs() < 1e-9);
        }
        let best = &chart.lines[7];
        let most = line.points.iter().map(|point| point[1]).fold(0.0, f64::max);
        assert_eq!((best.shape, best.points[0][1]), (Shape::Dots, most));
    }

    #[test]
    fn metrics_of_two_units_are_refused() {
        let study = demo::open().unwrap();
        let cache = RankCache::new(&study);
        let request = ChartRequest {
            metrics: vec!["r1".into(), "mean_rank".into()],
            ..ChartRequest::all(&cache)
        };
        let error = compute_chart(&request, &CancelToken::default()).unwrap_err();
        assert!(error.to_string().contains("R@1, MeanR"), "{error}");
    }
}
