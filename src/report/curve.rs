//! The numbers of mixtures alpha by alpha.

use serde_json::{Map, Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::held_out::HeldOut;
use crate::analysis::inference::OF_DIFFERENCES;
use crate::data::Direction;
use crate::data::scores::Scaling;
use crate::data::text::grouped;
use crate::evaluate::curve::{Curve, Point, best, usual};
use crate::metric::{self, Metric, Unit};
use crate::truth::Truth;

/// A curve, and what its best alphas are worth.
pub struct Mixed<'a> {
    /// What was mixed, and by what it is judged.
    pub curve: &'a Curve<'a>,
    /// The numbers at each alpha.
    pub points: &'a [Point],
    /// Alpha chosen on one half of the images, and the numbers on the other.
    pub held_out: &'a [HeldOut],
    /// The random seed of the halves.
    pub seed: u64,
}

/// One column: a metric in a direction that the truth has.
struct Column {
    metric: &'static dyn Metric,
    direction: Direction,
    /// Its place in a point.
    at: usize,
}

impl Column {
    fn value(&self, point: &Point) -> Option<f64> {
        point.numbers[self.at][self.direction]?.value
    }
}

/// The columns, metric by metric.
fn columns(truth: &Truth) -> Vec<Column> {
    let each = usual().into_iter().enumerate().flat_map(|(at, spec)| {
        Direction::both(|direction| Column { metric: spec.metric, direction, at })
    });
    each.filter(|column| truth.relevance[column.direction].is_some()).collect()
}

impl Mixed<'_> {
    /// The numbers at each alpha, and what an alpha is worth that other queries chose.
    pub fn report(&self) -> Report<'_> {
        let mut tables = vec![points(self)];
        let mut notes = vec!["shares in percent".to_owned()];
        if self.held_out.is_empty() {
            notes.push("no query in both halves of the images: nothing is held out".to_owned());
        } else {
            tables.push(held_out(self));
            notes.push(format!(
                "n: queries held out; 95 % CI of the gain, clustered by image: {OF_DIFFERENCES}"
            ));
        }
        Report {
            notes,
            best: Some(
                "best alpha for these same queries: how good it is on others, the half held out tells",
            ),
            ..Report::new(tables, data(self), Json::tree(|| json(self)))
        }
    }
}

/// A row for each alpha, the best of each column marked.
fn points<'a>(mixed: &'a Mixed<'_>) -> Table<'a> {
    let Mixed { curve, points, .. } = mixed;
    let truth = &curve.study.truths[curve.truth];
    let columns = columns(truth);
    let mut head = vec!["alpha".to_owned()];
    let titles = columns.iter().map(|c| format!("{} {}", c.metric.title(), c.direction));
    head.extend(titles);
    let marks = |column: &Column| {
        let values: Vec<_> = points.iter().map(|point| column.value(point)).collect();
        metric::best::marks(&values, column.metric.unit())
    };
    let marks: Vec<Vec<bool>> = columns.iter().map(marks).collect();
    let rows = points.iter().enumerate().map(move |(at, point)| {
        let mut row = row![decimals(point.alpha)];
        row.extend(columns.iter().zip(&marks).map(|(column, marks)| {
            let value = column.value(point);
            let cell = value.map(|value| Cell::Value(value, column.metric.unit()));
            Cell::from(cell).marked(marks[at])
        }));
        row
    });
    Table::new(title(mixed, truth), head, 0, rows)
}

fn title(mixed: &Mixed<'_>, truth: &Truth) -> String {
    let [first, second] = mixed.curve.pair.names();
    let scaled = match mixed.curve.scaling {
        Scaling::Raw => String::new(),
        scaled => format!(", scaled by {}", scaled.key()),
    };
    let judged = covered(truth).map(|(direction, n)| format!("{} {direction}", grouped(n)));
    let judged: Vec<String> = judged.collect();
    format!(
        "alpha * {first} + (1 - alpha) * {second}{scaled}, by {}, {} judged",
        truth.name,
        judged.join(" and "),
    )
}

/// The numbers of the half that did not choose.
fn held_out<'a>(mixed: &'a Mixed<'_>) -> Table<'a> {
    let names = mixed.curve.pair.names();
    let row = move |of: &HeldOut| {
        let value = |value: f64| Cell::Value(value, of.metric.unit());
        let gain = |value: f64| Cell::Difference(value, Unit::Share);
        row![
            of.metric.title(),
            of.direction,
            names[of.single],
            decimals(of.alpha),
            of.queries,
            of.images,
            value(of.value),
            value(of.single_value),
            gain(of.value - of.single_value),
            of.interval.map(|ends| Cell::interval(ends, gain))
        ]
    };
    let head = ["", "", "against", "alpha", "n", "images", "mixture", "single", "gain", "95 % CI"];
    let title = "alpha and the better single model chosen on one half of the images, numbers of the other half";
    Table::new(title, head, 3, mixed.held_out.iter().map(row))
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
fn json(mixed: &Mixed<'_>) -> Value {
    let Mixed { curve, points, .. } = mixed;
    let truth = &curve.study.truths[curve.truth];
    let columns = columns(truth);
    let nested = |of: &dyn Fn(&Column) -> Value| {
        let mut whole = Map::new();
        for column in &columns {
            let metric = whole.entry(column.metric.key()).or_insert_with(|| json!({}));
            metric[column.direction.key()] = of(column);
        }
        whole
    };
    let of_point = |point: &Point| {
        let mut told = Map::from_iter([("alpha".to_owned(), json!(point.alpha))]);
        told.extend(nested(&|column| json!(column.value(point))));
        Value::Object(told)
    };
    let best =
        |column: &Column| match best(points, column.metric.unit(), |point| column.value(point)) {
            Some(point) => json!({"alpha": point.alpha, "value": column.value(point)}),
            None => Value::Null,
        };
    let judged = covered(truth).map(|(direction, n)| (direction.key().to_owned(), json!(n)));
    let gallery = &curve.study.gallery;
    json!({
        "study": {"images": gallery.images.len(), "captions": gallery.captions.len()},
        "models": curve.pair.names(),
        "scaling": curve.scaling.key(),
        "truth": truth.name,
        "judged": judged.collect::<Map<String, Value>>(),
        "curve": points.iter().map(of_point).collect::<Vec<Value>>(),
        "best": nested(&best),
        "held_out": held_out_json(mixed),
    })
}

/// By metric and direction, as the best alphas stand.
fn held_out_json(mixed: &Mixed<'_>) -> Value {
    let names = mixed.curve.pair.names();
    let mut told = json!({"seed": mixed.seed});
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
fn data<'a>(mixed: &'a Mixed<'_>) -> Table<'a> {
    let Mixed { curve, points, .. } = mixed;
    let columns = columns(&curve.study.truths[curve.truth]);
    let of_point = move |point: &Point| {
        let row = |column: &Column| {
            let judged = point.numbers[column.at][column.direction].map_or(0, |of| of.judged);
            let (metric, value) = (column.metric.key(), column.value(point));
            let mut row = row![point.alpha, metric, column.direction, value, judged, "all"];
            row.resize(HEAD.len(), Cell::Empty);
            row
        };
        columns.iter().map(row).collect::<Vec<_>>()
    };
    let names = curve.pair.names();
    let held_out = mixed.held_out.iter().map(move |of| {
        row![
            of.alpha,
            of.metric.key(),
            of.direction,
            of.value,
            of.queries,
            "held_out",
            names[of.single],
            of.single_value,
            of.value - of.single_value,
            of.interval.map(|ends| ends[0]),
            of.interval.map(|ends| ends[1])
        ]
    });
    let rows = points.iter().flat_map(of_point).chain(held_out);
    Table::new("", HEAD, HEAD.len(), rows)
}
