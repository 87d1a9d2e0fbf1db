//! The numbers of mixtures alpha by alpha, as text, JSON and CSV.

use serde_json::{Map, Value, json};

use super::csv;
use super::sheet::Sheet;
use super::table::aligned;
use crate::analysis::bootstrap::Draws;
use crate::analysis::held_out::HeldOut;
use crate::data::json_text;
use crate::data::scores::Scaling;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::evaluate::curve::{Curve, Point, best};
use crate::metric::{Metric, Summary, hit, map_at_r};
use crate::truth::Truth;

/// A curve, and what its best alphas are worth.
pub struct Mixed<'a> {
    /// What was mixed, and by what it is judged.
    pub curve: &'a Curve<'a>,
    /// The numbers at each alpha.
    pub points: &'a [Point],
    /// Alpha chosen on one half of the images, and the numbers on the other.
    pub held_out: &'a [HeldOut],
    /// What the halves and the intervals are drawn from.
    pub draws: Draws,
}

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

/// A table for people, shares in percent, `*` at the best alpha of each column; then what an alpha is worth
/// that other queries chose.
pub fn text(mixed: &Mixed<'_>) -> String {
    let Mixed { curve, points, .. } = mixed;
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
         shares in percent; * best alpha for these same queries: how good it is on others is told below\n\n{}",
        truth.name,
        judged.join(" and "),
        aligned(&head, rows(&columns, points), 0),
        held_out(mixed),
    )
}

/// The numbers of the half that did not choose.
fn held_out(mixed: &Mixed<'_>) -> String {
    let Draws { resamples, seed } = mixed.draws;
    let names = mixed.curve.pair.names();
    let row = |of: &HeldOut| {
        let shown = |value: f64| of.metric.unit().shown(Some(value));
        let signed = |value: f64| format!("{:+.2}", 100.0 * value);
        let ends = of.interval.map(|ends| ends.map(signed));
        vec![
            of.metric.title().to_owned(),
            of.direction.to_string(),
            names[of.single].to_owned(),
            decimals(of.alpha),
            grouped(of.queries),
            grouped(of.images),
            shown(of.value),
            shown(of.single_value),
            signed(of.value - of.single_value),
            ends.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low} to {high}")),
        ]
    };
    if mixed.held_out.is_empty() {
        return "no query in both halves of the images: nothing is held out\n".to_owned();
    }
    let head = [
        "", "", "against", "alpha", "n", "images", "mixture", "single", "gain", "95 %",
    ];
    let sheet = Sheet {
        title: "alpha and the better single model chosen on one half of the images, numbers of the other half"
            .to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: mixed.held_out.iter().map(row).collect(),
        words: 3,
    };
    format!(
        "{}\nn: queries held out; 95 %: bootstrap interval of the gain, {} resamples, queries of one image \
         together; halves and resamples by seed {seed}\n",
        sheet.text(),
        grouped(resamples),
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
pub fn json(mixed: &Mixed<'_>) -> String {
    let Mixed { curve, points, .. } = mixed;
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
        "held_out": held_out_json(mixed),
    });
    json_text::pretty(&whole)
}

/// By metric and direction, as the best alphas stand.
fn held_out_json(mixed: &Mixed<'_>) -> Value {
    let names = mixed.curve.pair.names();
    let mut told = json!({"seed": mixed.draws.seed, "resamples": mixed.draws.resamples});
    for of in mixed.held_out {
        told[of.metric.key()][of.direction.key()] = json!({
            "alpha": of.alpha,
            "queries": of.queries,
            "images": of.images,
            "value": of.value,
            "single": names[of.single],
            "single_value": of.single_value,
            "delta": of.value - of.single_value,
            "low": of.interval.map(|ends| ends[0]),
            "high": of.interval.map(|ends| ends[1]),
        });
    }
    told
}

/// The columns; those from the sixth on tell the numbers of the half held out from those of the curve.
const HEAD: [&str; 11] = [
    "alpha",
    "metric",
    "direction",
    "value",
    "judged",
    "part",
    "single",
    "single_value",
    "delta",
    "low",
    "high",
];

/// One number a row, full precision: those of the curve, then those held out.
pub fn csv(mixed: &Mixed<'_>) -> String {
    let Mixed { curve, points, .. } = mixed;
    let columns = columns(&curve.study.truths[curve.truth]);
    let row = |point: &Point, column: &Column| {
        let judged = (column.of)(point)[column.direction].map_or(0, |summary| summary.judged);
        let told = [
            point.alpha.to_string(),
            column.metric.key().to_owned(),
            column.direction.key().to_owned(),
            csv::full(column.value(point)),
            judged.to_string(),
            "all".to_owned(),
        ];
        let mut told = told.into_iter();
        std::array::from_fn(|_| told.next().unwrap_or_default())
    };
    let rows = points
        .iter()
        .flat_map(|point| columns.iter().map(move |column| row(point, column)));
    let names = curve.pair.names();
    let held_out = mixed.held_out.iter().map(|of| {
        let end = |at: usize| csv::full(of.interval.map(|ends| ends[at]));
        [
            of.alpha.to_string(),
            of.metric.key().to_owned(),
            of.direction.key().to_owned(),
            csv::full(Some(of.value)),
            of.queries.to_string(),
            "held_out".to_owned(),
            names[of.single].to_owned(),
            csv::full(Some(of.single_value)),
            csv::full(Some(of.value - of.single_value)),
            end(0),
            end(1),
        ]
    });
    let head = HEAD.map(str::to_owned);
    csv::lines(std::iter::once(head).chain(rows).chain(held_out))
}
