//! AP@R of every query against another one: of two models, or under two ground truths.

use super::request::{K, require_two_models};
use super::{ChartRequest, StudyChart, Takes, percent};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::chart::{Axis, Chart, Curve, Shape, ends};
use crate::metric::ncs::NCS_AT_K;
use crate::metric::{CLOSE, Spec, Unit, map_at_r};
use crate::rank::pass::CancelToken;
use crate::study::Study;
use crate::truth::{Kind, Truth};

/// A dot for each query: the second model against the first.
pub const MODELS: StudyChart = StudyChart {
    key: "ap-models",
    title: "AP@R of each query, the second model against the first",
    takes: Takes { models: 2, truths: 1, metrics: 1, directions: 1, pools: 1, ..Takes::NONE },
    check: require_two_models,
    make: make_models,
};

/// A dot for each query that both truths judge.
pub const TRUTHS: StudyChart = StudyChart {
    key: "ap-truths",
    title: "AP@R of each query under two ground truths, of the first model",
    takes: Takes { models: 1, truths: 2, metrics: 1, directions: 1, pools: 1, ..Takes::NONE },
    check: |study| {
        study.require_models_and_truths()?;
        let has_two = |direction: &Direction| {
            let lists = study.truths.iter().filter(|one| one.relevance[*direction].is_some());
            lists.count() > 1
        };
        if Direction::BOTH.iter().any(has_two) { Ok(()) } else { Err(one_truth("")) }
    },
    make: make_truths,
};

fn one_truth(lists: &str) -> Error {
    Error::new("truths", format!("1 ground truth{lists}"))
        .expected("two, such as the original and an extended one")
}

fn make_models(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let models = request.two_models()?;
    let view = request.view()?;
    let usual = usual(&request.study().truths[view.truth]).to_string();
    let [spec] = request.specs([&usual])?;
    let axes = models.map(|model| (model, view.truth));
    let context = request.context(view.truth, &[view.direction]);
    let names = models.map(|model| request.name(model));
    scatter(request, axes, ([spec; 2], view.direction), (names, &context), token)
}

fn make_truths(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let study = request.study();
    let model = request.models[0];
    let view = ChartRequest { models: vec![model], ..request.clone() }.view()?;
    let truths = match request.truths[..] {
        [first, second, ..] => [first, second],
        _ => [view.truth, other(study, view.truth, view.direction)?],
    };
    let specs = if request.metrics.is_empty() {
        truths.map(|truth| usual(&study.truths[truth]))
    } else {
        let [spec] = request.specs(["map_at_r"])?;
        [spec; 2]
    };
    let axes = truths.map(|truth| (model, truth));
    let mut context = format!("{} {}", request.name(model), view.direction);
    context.extend(study.pool_words().map(|pool| format!(", {pool}")));
    let names = truths.map(|truth| study.name_with_rule(&study.truths[truth]));
    let names = names.each_ref().map(String::as_str);
    scatter(request, axes, (specs, view.direction), (names, &context), token)
}

/// A dot for each query that both truths judge; `None` when it was cancelled.
fn scatter(
    request: &ChartRequest<'_>,
    axes: [(ModelIx, TruthIx); 2],
    (specs, direction): ([Spec; 2], Direction),
    (names, context): ([&str; 2], &str),
    token: &CancelToken,
) -> Result<Option<Chart>> {
    let study = request.study();
    let truths = axes.map(|(_, truth)| truth);
    if request.counts.count(&axes.map(|(model, _)| model), &truths, token)?.is_none() {
        return Ok(None);
    }
    let lists = truths.map(|truth| study.truths[truth].relevance[direction].as_ref());
    let ranks = axes.map(|(model, truth)| request.ranks(model, truth, direction));
    let ([Some(first), Some(second)], [Some(x), Some(y)]) = (lists, ranks) else {
        let names = truths.map(|truth| study.truths[truth].name.as_str());
        return Err(Error::new("--truth", names.join(", "))
            .expected(format!("two that have {direction} lists")));
    };
    let point = |(place, &query): (usize, &u32)| {
        let there = second.place(query as usize)?;
        Some([specs[0].per_query(x.query(place))?, specs[1].per_query(y.query(there))?])
    };
    let points: Vec<_> = first.queries().iter().enumerate().filter_map(point).collect();
    Ok(Some(Scatter { points: &points, names, specs, context }.chart()))
}

/// What a truth is seen against: the original one, else the first other that has lists in the direction.
fn other(study: &Study, truth: TruthIx, direction: Direction) -> Result<TruthIx> {
    let original = TruthIx::find(&study.truths, |truth| truth.kind == Kind::Original);
    let mut all = original.into_iter().chain(TruthIx::all(&study.truths));
    let is_other = |at: &TruthIx| *at != truth && study.truths[*at].relevance[direction].is_some();
    all.find(is_other).ok_or_else(|| one_truth(&format!(" with {direction} lists")))
}

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
            let title = format!("{title} of {}{}", self.names[at], percent(units[at]));
            match units[at] {
                // Dots at an end leave the numbers there free.
                Unit::Share | Unit::Residual => {
                    Axis { ends: [-4.0, 104.0], ..Axis::new(title, [0.0, 100.0], 20.0) }
                }
                Unit::Sum | Unit::Rank => {
                    let ends = ends(points.iter().map(|point| point[at]));
                    Axis::log(title, ends.map_or([1.0; 2], |ends| ends.map(|end| end.max(1.0))))
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
