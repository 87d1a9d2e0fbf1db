//! Metrics of the mixtures of two models over alpha, the weight of the first.

use super::request::require_two_models;
use super::{ChartRequest, StudyChart, Takes, percent};
use crate::data::Direction;
use crate::data::scores::{ModelPair, Scaling};
use crate::error::{Error, Result};
use crate::evaluate::curve::{self, AlphaCurve, Point, STEP, best};
use crate::figure::chart::{Axis, Chart, Curve, Shape, ends};
use crate::rank::pass::CancelToken;

/// A line for each metric and direction.
pub const CHART: StudyChart = StudyChart {
    key: "over-alpha",
    title: "R@1 and mAP@R of mixtures of the first two models, over alpha",
    takes: Takes {
        models: 2,
        truths: 1,
        metrics: 2,
        directions: 2,
        pools: 1,
        scalings: 1,
        depths: 0,
    },
    check: require_two_models,
    make,
};

fn make(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
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

/// A line for each metric and direction, and a dot at its best. `None` if none is defined.
fn chart(request: &ChartRequest<'_>, curve: &AlphaCurve<'_>, points: &[Point]) -> Option<Chart> {
    let [first, second] = request.two_models().ok()?.map(|model| request.name(model));
    let unit = curve.specs[0].metric.unit();
    let (mut lines, mut dots, mut told) = (Vec::new(), Vec::new(), Vec::new());
    for hue in [0, 1] {
        for direction in request.directions_of(curve.truth) {
            let value = |point: &Point| point.numbers[hue][direction]?.value;
            let shown = |point: &Point| Some([point.alpha, unit.to_display(value(point)?)]);
            let dashes = usize::from(direction == Direction::T2i);
            let name = format!("{} {direction}", curve.specs[hue].title());
            if let Some(best) = best(points, unit, value) {
                told.push(format!("{name} {} at {:.2}", unit.shown(value(best)), best.alpha));
                let at = shown(best).into_iter().collect();
                dots.push(Curve::new(Shape::Dots, "", [hue, 0], at));
            }
            let points = points.iter().filter_map(shown).collect();
            lines.push(Curve::line(name, [hue, dashes], points));
        }
    }
    let ends = ends(lines.iter().flat_map(|line| &line.points).map(|point| point[1]))?;
    let title = match percent(unit).trim_start() {
        "" => "value",
        percent => percent,
    };
    let scaled = match curve.scaling {
        Scaling::Raw => String::new(),
        scaled @ Scaling::ZScore => format!(", scaled by {}", scaled.key()),
    };
    lines.extend(dots);
    let context = request.context(curve.truth, &[]);
    let across = format!("alpha: 0 is {second} alone, 1 is {first} alone");
    let best = told.join(", ");
    Some(Chart {
        title: format!("Mixtures of {first} and {second} ({context})"),
        across: Axis::new(across, [0.0, 1.0], 0.1),
        up: Axis::over(title, ends),
        lines,
        note: format!(
            "alpha * {first} + (1 - alpha) * {second}{scaled}. Dots: the best alpha, chosen on these same queries: {best}."
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::charts::Counts;
    use crate::figure::charts::request::usual;
    use crate::study::demo;

    #[test]
    fn lines_end_at_the_models_alone_and_the_best_are_marked() {
        let study = demo::open().unwrap();
        let counts = Counts::new(&study);
        let token = CancelToken::default();
        let request = ChartRequest::all(&counts);
        let chart = make(&request, &token).unwrap().unwrap();
        let names: Vec<&str> = chart.lines.iter().map(|line| &*line.name).collect();
        assert_eq!(names[..4], ["R@1 i2t", "R@1 t2i", "mAP@R i2t", "mAP@R t2i"]);
        let truth = request.truth().unwrap();
        request.count(&[truth], &token).unwrap();
        let [first, second] = request.two_models().unwrap();
        let line = &chart.lines[3];
        let (low, high) = (line.points[0], line.points[line.points.len() - 1]);
        for (model, point) in [(second, low), (first, high)] {
            let spec = usual(&study.truths[truth]);
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
        let counts = Counts::new(&study);
        let request = ChartRequest {
            metrics: vec!["r1".into(), "mean_rank".into()],
            ..ChartRequest::all(&counts)
        };
        let error = make(&request, &CancelToken::default()).unwrap_err();
        assert!(error.to_string().contains("R@1, MeanR"), "{error}");
    }
}
