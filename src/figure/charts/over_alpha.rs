//! Metrics of the mixtures of two models over alpha, the weight of the first.

use super::asked::require_two_models;
use super::scatter::usual;
use super::{Asked, StudyChart, Takes};
use crate::data::Direction;
use crate::data::scores::{ModelPair, Scaling};
use crate::error::{Error, Result};
use crate::evaluate::curve::{self, Point, STEP, best};
use crate::figure::chart::{Axis, Chart, Curve, Shape};
use crate::metric::{Spec, Unit};
use crate::rank::pass::CancelToken;

/// A line for each metric and direction.
pub const CHART: StudyChart = StudyChart {
    key: "over-alpha",
    title: "R@1 and mAP@R of mixtures of the first two models, over alpha",
    takes: &[
        Takes::TwoModels,
        Takes::Truth,
        Takes::Metrics,
        Takes::Directions,
        Takes::Pool,
        Takes::Scaling,
    ],
    is_held: true,
    check: require_two_models,
    make,
};

/// Mixtures by alpha, and what they are of.
#[derive(Debug)]
pub struct Mixtures<'a> {
    /// The models; alpha is the weight of the first.
    pub names: [&'a str; 2],
    /// What makes their scores comparable.
    pub scaling: Scaling,
    /// The metrics.
    pub specs: [Spec; 2],
    /// The directions that are shown.
    pub directions: &'a [Direction],
    /// The numbers at each alpha.
    pub points: &'a [Point],
    /// The truth, and the pool where there is one.
    pub context: &'a str,
}

fn make(asked: &Asked<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let (study, truth) = (asked.study(), asked.truth()?);
    let models = asked.two_models()?;
    let second = usual(&study.truths[truth]).to_string();
    let specs = asked.specs(&["r1", &second])?;
    let specs = [specs[0], specs[1]];
    let [first, second] = models.map(|model| &study.models[model]);
    let curve = curve::Curve {
        study,
        pair: &ModelPair::of(first, second)?,
        scaling: asked.scaling,
        truth,
        specs,
    };
    let mut points = Vec::new();
    let done = curve.run(&curve::alphas(STEP)?, token, |point| points.push(point))?;
    let mixtures = Mixtures {
        names: models.map(|model| asked.name(model)),
        scaling: asked.scaling,
        specs,
        directions: &asked.directions_of(truth),
        points: &points,
        context: &asked.context(truth, &[]),
    };
    done.map(|()| mixtures.chart()).transpose()
}

impl Mixtures<'_> {
    /// A line for each metric and direction, and a dot where it is best.
    ///
    /// # Errors
    /// Metrics of two units, which are not on one axis.
    pub fn chart(&self) -> Result<Chart> {
        let units = self.specs.map(|spec| spec.metric.unit());
        if units[0] != units[1] {
            let names = self.specs.map(|spec| spec.title()).join(", ");
            return Err(
                Error::new("--metrics", names).expected("two shares, or two of another unit")
            );
        }
        let mut lines = Vec::new();
        let mut bests = Vec::new();
        for (hue, spec) in self.specs.iter().enumerate() {
            for &direction in self.directions {
                let value = |point: &Point| point.numbers[hue][direction]?.value;
                let shown = |point: &Point| Some([point.alpha, units[hue].change(value(point)?)]);
                let dashes = usize::from(direction == Direction::T2i);
                let name = format!("{} {direction}", spec.title());
                let points = self.points.iter().filter_map(shown).collect();
                lines.push(Curve::line(name, [hue, dashes], points));
                let best = best(self.points, units[hue], value).and_then(shown);
                bests.extend(best.map(|at| Curve::new(Shape::Dots, "", [hue, 0], vec![at])));
            }
        }
        let values = || lines.iter().flat_map(|line| &line.points).map(|point| point[1]);
        let ends =
            [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)];
        if ends[0] > ends[1] {
            return Err(Error::new("over-alpha", "no metric is defined")
                .expected("metrics that the ground truth has"));
        }
        let unit = match units[0] {
            Unit::Share | Unit::Residual => "in percent",
            Unit::Sum | Unit::Rank => "value",
        };
        let [first, second] = self.names;
        let scaled = match self.scaling {
            Scaling::Raw => String::new(),
            scaled => format!(", scaled by {}", scaled.key()),
        };
        lines.extend(bests);
        Ok(Chart {
            title: format!("Mixtures of {first} and {second} ({})", self.context),
            across: Axis::new(
                format!("alpha: 0 is {second} alone, 1 is {first} alone"),
                [0.0, 1.0],
                0.1,
            ),
            up: Axis::over(unit, ends),
            lines,
            note: format!(
                "alpha * {first} + (1 - alpha) * {second}{scaled}. Dots: the best alpha, chosen on these same queries."
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::charts::Counts;
    use crate::study::demo;

    #[test]
    fn lines_end_at_the_models_alone_and_the_best_are_marked() {
        let study = demo::open().unwrap();
        let counts = Counts::new(&study);
        let token = CancelToken::default();
        let asked = Asked::all(&counts);
        let chart = make(&asked, &token).unwrap().unwrap();
        let names: Vec<&str> = chart.lines.iter().map(|line| &*line.name).collect();
        assert_eq!(names[..4], ["R@1 i2t", "R@1 t2i", "mAP@R i2t", "mAP@R t2i"]);
        let truth = asked.truth().unwrap();
        asked.count(&[truth], &token).unwrap();
        let [first, second] = asked.two_models().unwrap();
        let line = &chart.lines[3];
        let (low, high) = (line.points[0], line.points[line.points.len() - 1]);
        for (model, point) in [(second, low), (first, high)] {
            let spec = usual(&study.truths[truth]);
            let alone = asked.summary(spec, (model, truth, Direction::T2i)).unwrap();
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
        let asked = Asked { metrics: vec!["r1".into(), "mean_rank".into()], ..Asked::all(&counts) };
        let error = make(&asked, &CancelToken::default()).unwrap_err();
        assert!(error.to_string().contains("R@1, MeanR"), "{error}");
    }
}
