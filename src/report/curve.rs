//! The numbers of mixtures alpha by alpha, as text, JSON and CSV.

use serde_json::{Map, Value, json};

use super::csv;
use super::table::aligned;
use crate::data::scores::Scaling;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::metric::curve::{Curve, Point, best};
use crate::metric::{Metric, Summary, hit, map_at_r};
use crate::truth::Truth;

/// The directions of one metric's numbers.
type Of = fn(&Point) -> &PerDirection<Option<Summary>>;

/// The metrics of a point.
const NUMBERS: [(&dyn Metric, Of); 2] = [
    (&hit::R1, |point| &point.r1),
    (&map_at_r::MapAtR, |point| &point.map_at_r),
];

/// One column: a metric in a direction that the truth has.
struct Column {
    metric: &'static dyn Metric,
    direction: Direction,
    of: Of,
}

impl Column {
    fn value(&self, point: &Point) -> Option<f64> {
        (self.of)(point)[self.direction]?.value
    }
}

/// The columns, metric by metric.
fn columns(truth: &Truth) -> Vec<Column> {
    let each = NUMBERS.into_iter().flat_map(|(metric, of)| {
        Direction::BOTH.map(|direction| Column {
            metric,
            direction,
            of,
        })
    });
    each.filter(|column| truth.relevance[column.direction].is_some())
        .collect()
}

/// A table for people, shares in percent, `*` at the best alpha of each column.
pub fn text(curve: &Curve, points: &[Point]) -> String {
    let truth = &curve.study.truths[curve.truth];
    let columns = columns(truth);
    let mut head = vec!["alpha".to_owned()];
    let titles = columns
        .iter()
        .map(|c| format!("{} {}", c.metric.title(), c.direction));
    head.extend(titles);
    let [first, second] = curve.pair.names();
    let scaled = match curve.scaling {
        Scaling::Raw => String::new(),
        scaled => format!(", scaled by {}", scaled.key()),
    };
    let judged: Vec<String> = covered(truth)
        .map(|(direction, n)| format!("{} {direction}", grouped(n)))
        .collect();
    format!(
        "alpha * {first} + (1 - alpha) * {second}{scaled}, by {}, {} judged\n\n{}\n\
         shares in percent; * best alpha\n",
        truth.name,
        judged.join(" and "),
        aligned(&head, rows(&columns, points), 0),
    )
}

/// A row for each alpha.
fn rows(columns: &[Column], points: &[Point]) -> Vec<Vec<String>> {
    let most = |column: &Column| column.value(best(points, |point| column.value(point))?);
    let bests: Vec<Option<f64>> = columns.iter().map(most).collect();
    let row = |point: &Point| {
        let cells = columns.iter().zip(&bests).map(|(column, best)| {
            let value = column.value(point);
            let is_best = value.is_some() && value == *best;
            let mark = ["", "*"][usize::from(is_best)];
            format!("{mark}{}", column.metric.unit().shown(value))
        });
        std::iter::once(decimals(point.alpha))
            .chain(cells)
            .collect()
    };
    points.iter().map(row).collect()
}

/// Two decimals, or as many as it takes.
fn decimals(alpha: f64) -> String {
    let (two, full) = (format!("{alpha:.2}"), alpha.to_string());
    if two.len() < full.len() { full } else { two }
}

/// How many queries the truth covers in each direction that it has.
fn covered(truth: &Truth) -> impl Iterator<Item = (Direction, usize)> {
    let of = |direction: Direction| Some((direction, truth.relevance[direction].as_ref()?.len()));
    Direction::BOTH.into_iter().filter_map(of)
}

/// Every number in full precision, for programs, and the best alpha of each metric and direction:
/// the least of several.
pub fn json(curve: &Curve, points: &[Point]) -> String {
    let truth = &curve.study.truths[curve.truth];
    let columns = columns(truth);
    let nested = |of: &dyn Fn(&Column) -> Value| {
        let mut whole = Map::new();
        for column in &columns {
            let metric = whole
                .entry(column.metric.key())
                .or_insert_with(|| json!({}));
            metric[column.direction.key()] = of(column);
        }
        whole
    };
    let of_point = |point: &Point| {
        let mut told = Map::from_iter([("alpha".to_owned(), json!(point.alpha))]);
        told.extend(nested(&|column| json!(column.value(point))));
        Value::Object(told)
    };
    let best = |column: &Column| match best(points, |point| column.value(point)) {
        Some(point) => json!({"alpha": point.alpha, "value": column.value(point)}),
        None => Value::Null,
    };
    let judged = covered(truth).map(|(direction, n)| (direction.key().to_owned(), json!(n)));
    let gallery = &curve.study.gallery;
    let whole = json!({
        "study": {"images": gallery.images.len(), "captions": gallery.captions.len()},
        "models": curve.pair.names(),
        "scaling": curve.scaling.key(),
        "truth": truth.name,
        "judged": judged.collect::<Map<String, Value>>(),
        "curve": points.iter().map(of_point).collect::<Vec<Value>>(),
        "best": nested(&best),
    });
    format!("{whole:#}\n")
}

/// One number a row, full precision.
pub fn csv(curve: &Curve, points: &[Point]) -> String {
    let columns = columns(&curve.study.truths[curve.truth]);
    let head = ["alpha", "metric", "direction", "value", "judged"].map(str::to_owned);
    let row = |point: &Point, column: &Column| {
        let judged = (column.of)(point)[column.direction].map_or(0, |summary| summary.judged);
        [
            point.alpha.to_string(),
            column.metric.key().to_owned(),
            column.direction.key().to_owned(),
            csv::full(column.value(point)),
            judged.to_string(),
        ]
    };
    let rows = points
        .iter()
        .flat_map(|point| columns.iter().map(move |column| row(point, column)));
    csv::lines(std::iter::once(head).chain(rows))
}
