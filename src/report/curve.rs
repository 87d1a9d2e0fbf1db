//! Metrics of mixtures by alpha.

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::analysis::clusters::Clustering;
use crate::analysis::held_out::HeldOut;
use crate::data::Direction;
use crate::evaluate::curve::{AlphaCurve, Point, best_point, main_specs};
use crate::metric::{self, Metric};

/// The result of `mix`: metrics over alpha, and held-out results of the best alphas.
pub struct MixtureReport<'a> {
    /// The two models, scaling, metrics and ground truth.
    pub curve: &'a AlphaCurve<'a>,
    /// The numbers at each alpha.
    pub points: &'a [Point],
    /// For each metric and direction, the alpha chosen on one half of the images, with its value on the other.
    pub held_out: &'a [HeldOut],
    /// The random seed of the halves.
    pub seed: u64,
}

/// A metric in a direction of the truth.
struct Column {
    metric: &'static dyn Metric,
    direction: Direction,
    /// Index of the metric in [`Point::numbers`].
    metric_index: usize,
}

impl Column {
    /// The value at an alpha; `None` if undefined.
    fn value(&self, point: &Point) -> Option<f64> {
        point.numbers[self.metric_index][self.direction]?.value
    }

    /// The cell of a value, in the unit of the metric.
    fn cell(&self, value: f64) -> Cell {
        Cell::Value(value, self.metric.unit())
    }
}

impl MixtureReport<'_> {
    /// The best alphas with their held-out estimates, and the numbers at each alpha.
    pub fn report(&self) -> Report<'_> {
        let columns = self.columns();
        let names = self.curve.pair.names();
        let scaling = self.curve.scaling.key();
        let truth = &self.curve.study.truths[self.curve.truth].name;
        let mut notes = vec![format!(
            "shares in percent; held out: the half of the images that did not choose alpha and the single model; 95 % CI \
             clustered by {}",
            Clustering::ByImage.key(self.curve.study)
        )];
        if self.held_out.is_empty() {
            notes.push("no query in both halves of the images: nothing is held out".to_owned());
        }
        let definition = format!(
            "alpha * {} + (1 - alpha) * {}, by {truth}, {scaling} scores",
            names[0], names[1]
        );
        let count = |is_certain: fn([f64; 2]) -> bool| {
            self.held_out.iter().filter(|half| half.interval.is_some_and(is_certain)).count()
        };
        let (improved, worsened) = (count(|[low, _]| low > 0.0), count(|[_, high]| high < 0.0));
        let all = self.held_out.len();
        let answer = (all > 0).then(|| {
            format!("On held-out images mixing improves {improved} of {all} values and worsens {worsened} (95 % CI).\n")
        });
        Report {
            heading: answer.unwrap_or_default() + &definition,
            notes,
            best: Some("best alpha for these same queries"),
            ..Report::from_sections(vec![self.best(&columns), self.curve(&columns)])
        }
        .with_json("models", json!(names))
        .with_json("scaling", json!(scaling))
        .with_json("truth", json!(truth))
        .with_json("seed", json!(self.seed))
    }

    /// The metrics, each in the directions that the truth has.
    fn columns(&self) -> Vec<Column> {
        let truth = &self.curve.study.truths[self.curve.truth];
        let columns = main_specs().into_iter().enumerate().flat_map(|(metric_index, spec)| {
            Direction::both(|direction| Column { metric: spec.metric, direction, metric_index })
        });
        columns.filter(|column| truth.relevance[column.direction].is_some()).collect()
    }

    /// A row for each column: the best alpha on all queries (the lowest if several are best), and the alpha chosen on
    /// one half of the images with its value on the other half.
    fn best(&self, columns: &[Column]) -> Section {
        let names = self.curve.pair.names();
        let records = columns.iter().map(|column| {
            let is_same = |result: &&HeldOut| {
                (result.metric.key(), result.direction) == (column.metric.key(), column.direction)
            };
            let point = best_point(self.points, column.metric.unit(), |point| column.value(point));
            (column, point, self.held_out.iter().find(is_same))
        });
        let title = "best alpha on all queries, and mixture against the better single model on held-out images";
        List::new("best", title, records)
            .data("metric", |(column, ..)| column.metric.key())
            .display("metric", |(column, ..)| column.metric.title())
            .column("direction", "", |(column, ..)| column.direction)
            .column("alpha", "alpha", |(_, point, _)| point.map(|point| alpha(point.alpha)))
            .column("value", "value", |(column, point, _)| {
                point.and_then(|point| column.value(point)).map(|value| column.cell(value))
            })
            .column("judged", "n", |(column, point, _)| {
                point
                    .and_then(|point| point.numbers[column.metric_index][column.direction])
                    .map(|summary| summary.judged)
            })
            .column("held_out_alpha", "held out: alpha", |(.., half)| {
                half.map(|half| alpha(half.alpha))
            })
            .column("queries", "n", |(.., half)| half.map(|half| half.queries))
            .data("images", |(.., half)| half.map(|half| half.images))
            .column("mixture", "mixture", |(column, _, half)| {
                half.map(|half| column.cell(half.value))
            })
            .column("single", "better model", move |(.., half)| half.map(|half| names[half.single]))
            .column("single_value", "its value", |(column, _, half)| {
                half.map(|half| column.cell(half.single_value))
            })
            .column("delta", "gain", |(.., half)| {
                half.map(|half| Cell::points(half.value - half.single_value))
            })
            .interval(
                ["low", "high"],
                "95 % CI",
                |(.., half)| half.and_then(|half| half.interval),
                Cell::points,
            )
            .section()
    }

    /// A row for each alpha, with the best value of each column marked.
    fn curve(&self, columns: &[Column]) -> Section {
        let mut list = List::new("curve", "every alpha", self.points.iter().enumerate()).column(
            "alpha",
            "alpha",
            |(_, point)| alpha(point.alpha),
        );
        for column in columns {
            let Column { metric, direction, .. } = column;
            let values: Vec<_> = self.points.iter().map(|point| column.value(point)).collect();
            let marks = metric::best::marks(&values, metric.unit());
            list = list.column(
                format!("{}_{}", metric.key(), direction.key()),
                format!("{} {direction}", metric.title()),
                move |&(at, point)| {
                    let value = column.value(point).map(|value| column.cell(value));
                    Cell::from(value).mark_best(marks[at])
                },
            );
        }
        list.section()
    }
}

/// An alpha with two decimals, or as many as it needs.
fn alpha(alpha: f64) -> Cell {
    Cell::Number(alpha, alpha.to_string().len().saturating_sub(2).max(2))
}
