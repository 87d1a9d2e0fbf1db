//! Two values of every query against each other.

use super::asked::K;
use crate::data::text::grouped;
use crate::figure::chart::{Axis, Chart, Curve, Shape};
use crate::metric::ncs::NCS_AT_K;
use crate::metric::{CLOSE, Spec, Unit, map_at_r};
use crate::truth::Truth;

/// Values of queries, each at an axis of its own.
#[derive(Debug)]
pub struct Scatter<'a> {
    /// The values across and up, in the units of the metrics.
    pub points: &'a [[f64; 2]],
    /// What differs between the axes: two models, or two truths.
    pub names: [&'a str; 2],
    /// The metric of each axis.
    pub specs: [Spec; 2],
    /// What both have in common, such as direction and truth.
    pub context: &'a str,
}

/// What queries are shown by under a truth: NCS under that of a similarity, else AP@R.
pub fn usual(truth: &Truth) -> Spec {
    if truth.is_by_similarity() {
        return Spec { metric: &NCS_AT_K, k: K };
    }
    Spec::new(&map_at_r::MapAtR)
}

/// What the value of a query is called: AP@R is its part of mAP@R.
pub fn of_query(spec: Spec) -> String {
    if spec == Spec::new(&map_at_r::MapAtR) {
        return "AP@R".into();
    }
    spec.title()
}

impl Scatter<'_> {
    /// A dot for each query, and the line on which both values are equal.
    pub fn chart(&self) -> Chart {
        let [x, y] = self.names;
        let units = self.specs.map(|spec| spec.metric.unit());
        let shown = |at: usize, value: f64| units[at].change(value);
        let points = self.points.iter();
        let points: Vec<[f64; 2]> = points.map(|of| [shown(0, of[0]), shown(1, of[1])]).collect();
        let axis = |at: usize| {
            let title = of_query(self.specs[at]);
            match units[at] {
                // Dots at an end leave the numbers there free.
                Unit::Share | Unit::Residual => Axis {
                    ends: [-4.0, 104.0],
                    ..Axis::new(
                        format!("{title} of {} in percent", self.names[at]),
                        [0.0, 100.0],
                        20.0,
                    )
                },
                Unit::Sum | Unit::Rank => {
                    let values = || points.iter().map(|point| point[at]);
                    let ends = [
                        values().fold(f64::INFINITY, f64::min),
                        values().fold(f64::NEG_INFINITY, f64::max),
                    ];
                    let title = format!("{title} of {}", self.names[at]);
                    Axis::log(title, ends.map(|end| end.max(1.0)))
                }
            }
        };
        let (across, up) = (axis(0), axis(1));
        let low = across.ends[0].max(up.ends[0]).max(0.0);
        let high = across.ends[1].min(up.ends[1]);
        let diagonal = vec![[low, low], [high, high]];
        let above = |one: usize, other: usize| {
            let is_above = |of: &&[f64; 2]| of[one] - of[other] > CLOSE;
            grouped(self.points.iter().filter(is_above).count())
        };
        Chart {
            title: format!(
                "{} of each query: {y} against {x} ({})",
                of_query(self.specs[1]),
                self.context
            ),
            across,
            up,
            lines: vec![
                Curve::background(Shape::Line, "equal", diagonal),
                Curve::new(Shape::Dots, "queries", [0, 0], points.clone()),
            ],
            note: format!(
                "{} queries: higher with {y} {}, with {x} {}. The area of a dot is the number of queries there (nearer than 1/200 of an axis).",
                grouped(points.len()),
                above(1, 0),
                above(0, 1)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_in_percent_and_counted_on_both_sides_of_the_line() {
        let of = Scatter {
            points: &[[0.0, 0.0], [0.0, 0.5], [0.25, 1.0], [1.0, 0.1]],
            names: ["a", "b"],
            specs: [Spec::new(&map_at_r::MapAtR); 2],
            context: "t2i, rich",
        };
        let chart = of.chart();
        let third: Vec<f64> = chart.lines[1].points[2].to_vec();
        assert_eq!(third, [25.0, 100.0]);
        assert_eq!(chart.lines[0].points, [[0.0, 0.0], [104.0, 104.0]]);
        assert!(chart.note.starts_with("4 queries: higher with b 2, with a 1."), "{}", chart.note);
        assert_eq!(chart.title, "AP@R of each query: b against a (t2i, rich)");
        assert_eq!(chart.up.title, "AP@R of b in percent");
    }
}
