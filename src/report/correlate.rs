//! Correlation of metrics over models.

use serde_json::{Map, Value, json};

use super::cell::{self, row};
use super::{Json, Report, Table, heat};
use crate::analysis::bootstrap::Draws;
use crate::analysis::correlate::{Cell, Correlation, LEAST};
use crate::analysis::published::{Published, PublishedRank};
use crate::analysis::results::ModelValues;
use crate::metric::rsum::Sum;

/// What was correlated, and what else is told.
#[derive(Debug)]
pub struct Correlated<'a> {
    /// The matrix.
    pub correlation: &'a Correlation,
    /// The models of the files, whose places among the published ones are told.
    pub models: &'a [ModelValues],
    /// The published ones, where they are among the models.
    pub published: Option<&'a Published>,
    /// What intervals are drawn from.
    pub draws: Draws,
    /// Whether the heat map may be coloured.
    pub is_coloured: bool,
}

impl Correlated<'_> {
    /// The matrix, the intervals of its cells, and the places among published models.
    pub fn report(&self) -> Report<'_> {
        let mut tables = vec![matrix(self), intervals(self)];
        tables.extend(places(self));
        Report { notes: legend(self), ..Report::new(tables, data(self), Json::tree(|| json(self))) }
    }
}

/// A heat map: metrics by number at the top, by number and key at the left.
fn drawn(told: &Correlated<'_>) -> String {
    let Correlation { metrics, cells, models, .. } = told.correlation;
    let longest = metrics.iter().map(|key| key.chars().count()).max().unwrap_or(0);
    let digits = metrics.len().to_string().len();
    let numbers = (1..=metrics.len()).map(|number| format!(" {number:>5} "));
    let numbers: Vec<String> = numbers.collect();
    let mut out = format!(
        "{}\n\n{:indent$}{}\n",
        title(told),
        "",
        numbers.concat().trim_end(),
        indent = digits + longest + 2
    );
    for (at, (key, row)) in metrics.iter().zip(cells).enumerate() {
        let values: Vec<Option<f64>> = row.iter().map(|cell| cell.tau).collect();
        let values = heat::row(&values, told.is_coloured);
        let line = format!("{:>digits$} {key:<longest$} {values}", at + 1);
        out += line.trim_end();
        out.push('\n');
    }
    out + &fewest(told.correlation, models.len())
}

/// The matrix; a heat map on a terminal.
fn matrix<'a>(told: &'a Correlated<'_>) -> Table<'a> {
    let Correlation { metrics, cells, .. } = told.correlation;
    let row = |(key, row): (&String, &Vec<Cell>)| {
        let mut cells = row![key];
        cells.extend(row.iter().map(|cell| two(cell.tau)));
        cells
    };
    let head = std::iter::once("metric").chain(metrics.iter().map(String::as_str));
    Table {
        drawn: Some(drawn(told)),
        ..Table::new(title(told), head, 1, metrics.iter().zip(cells).map(row))
    }
}

/// Two decimals.
fn two(value: Option<f64>) -> cell::Cell {
    value.map(|value| cell::Cell::Number(value, 2)).into()
}

/// A row for each two metrics.
fn intervals<'a>(told: &'a Correlated<'_>) -> Table<'a> {
    let Correlation { metrics, cells, .. } = told.correlation;
    let ends = |of: Option<[f64; 2]>| of.map(|of| cell::Cell::interval(of, |end| two(Some(end))));
    let row = move |one: usize, other: usize| {
        let cell = &cells[one][other];
        row![
            &metrics[one],
            &metrics[other],
            two(cell.tau),
            ends(cell.interval),
            ends(cell.by_family),
            cell.models.to_string()
        ]
    };
    let count = metrics.len();
    let is_told = move |one: usize, other: &usize| cells[one][*other].models >= LEAST;
    let others = move |one: usize| {
        let others = (one + 1..count).filter(move |other| is_told(one, other));
        others.map(move |other| row(one, other))
    };
    let head = ["metric", "and", "tau-b", "over models", "by family", "models"];
    let rows = (0..count).flat_map(others);
    Table::new("95 % CI of tau-b", head, 2, rows)
}

/// What the intervals are about.
fn legend(told: &Correlated<'_>) -> Vec<String> {
    let mut lines = vec![
        format!(
            "over models: percentile bootstrap, models drawn with replacement ({}): how far tau-b hangs on which \
             models were asked; queries and gallery are held fixed; - for fewer than four, and where every resample has \
             the same tau-b, as of models in one order: then resampling says nothing",
            told.draws
        ),
        "by family: models of one family are resampled together, as they are no independent evidence; of models \
         named NAME@SEED those of one NAME are a family, any other model is its own"
            .to_owned(),
    ];
    let published = told.published;
    lines.extend(published.map(|of| format!("families of the published models: {}", of.families)));
    lines.extend(left_out(told.correlation));
    lines.extend(published.filter(|of| share_nothing(of, told.models)).map(
        |of| {
            format!(
                "the models of the files and the published ones share no metric: no tau-b is over both, and none has a \
                 place among them; of the published ones are {}",
                of.metrics.join(", ")
            )
        },
    ));
    lines
}

/// The metrics that too few models have.
fn left_out(of: &Correlation) -> Option<String> {
    let keys = of.left_out.join(", ");
    let is_any = !keys.is_empty();
    is_any.then(|| format!("left out, since fewer than {LEAST} models have them: {keys}"))
}

/// Whether there are models, and none has a metric that was published.
fn share_nothing(published: &Published, models: &[ModelValues]) -> bool {
    let none = |model: &ModelValues| placed(published, model).is_empty();
    !models.is_empty() && models.iter().all(none)
}

fn title(told: &Correlated<'_>) -> String {
    let count = told.correlation.models.len();
    format!("Kendall's tau-b between metrics over {count} models, averages of both directions")
}

/// A warning where some cells are over fewer models than there are.
fn fewest(correlation: &Correlation, models: usize) -> String {
    let cells = correlation.cells.iter().flatten();
    match cells.map(|cell| cell.models).min() {
        Some(fewest) if fewest < LEAST => {
            format!(
                "each cell over the models that have both metrics; - where fewer than {LEAST} have\n"
            )
        }
        Some(fewest) if fewest < models => {
            format!("each cell over the models that have both metrics: {fewest} to {models}\n")
        }
        _ => String::new(),
    }
}

/// The place of each model of the files among the published ones; `None` where there is nothing to
/// place.
fn places<'a>(told: &'a Correlated<'_>) -> Option<Table<'a>> {
    let published = told.published?;
    let of_model = |model: &'a ModelValues| {
        let placed = placed(published, model).into_iter();
        placed.map(move |(key, value, place)| {
            let tied =
                if place.ties > 0 { format!(", tied with {}", place.ties) } else { String::new() };
            let unit =
                if Sum::ALL.iter().any(|sum| key.ends_with(sum.key())) { 1.0 } else { 100.0 };
            let place = format!("{} of {}{tied}", place.rank, place.of + 1);
            row![&model.name, key, two(Some(value * unit)), place]
        })
    };
    let rows = told.models.iter().flat_map(of_model);
    let count = published.models.len();
    let title = format!("places among the {count} published models");
    Table::new(title, ["model", "metric", "average", "place"], 2, rows).if_any()
}

/// A model's metrics that were published too, with value and place.
fn placed<'a>(
    published: &'a Published,
    model: &ModelValues,
) -> Vec<(&'a String, f64, PublishedRank)> {
    let of_key = |key: &'a String| {
        let value = model.average(key)?;
        Some((key, value, published.place(key, None, value)?))
    };
    published.metrics.iter().filter_map(of_key).collect()
}

fn json(told: &Correlated<'_>) -> Value {
    let Correlation { models, families, metrics, cells, left_out } = told.correlation;
    let each = |of: fn(&Cell) -> Value| {
        let row = |row: &Vec<Cell>| row.iter().map(of).collect::<Vec<Value>>();
        cells.iter().map(row).collect::<Vec<Vec<Value>>>()
    };
    let mut whole = json!({
        "models": models,
        "metrics": metrics,
        "tau_b": each(|cell| json!(cell.tau)),
        "over_models": each(|cell| json!(cell.models)),
        "low": each(|cell| json!(cell.interval.map(|ends| ends[0]))),
        "high": each(|cell| json!(cell.interval.map(|ends| ends[1]))),
        "low_by_family": each(|cell| json!(cell.by_family.map(|ends| ends[0]))),
        "high_by_family": each(|cell| json!(cell.by_family.map(|ends| ends[1]))),
        "families": families,
        "left_out": left_out,
        "resamples": told.draws.resamples,
        "seed": told.draws.seed,
    });
    if let Some(published) = told.published {
        whole["published"] = json!(published.source);
        whole["published_families"] = json!(published.families);
        let model = |model: &ModelValues| {
            let places = placed(published, model).into_iter().map(|(key, value, place)| {
                let PublishedRank { rank, ties, of } = place;
                let told = json!({"average": value, "place": rank, "ties": ties, "published": of});
                (key.clone(), told)
            });
            (model.name.clone(), Value::Object(places.collect()))
        };
        let places: Map<String, Value> = told.models.iter().map(model).collect();
        whole["places"] = Value::Object(places);
    }
    whole
}

/// One pair of metrics a row.
fn data<'a>(told: &'a Correlated<'_>) -> Table<'a> {
    let Correlation { metrics, cells, .. } = told.correlation;
    let head =
        ["metric", "other", "tau_b", "models", "low", "high", "low_by_family", "high_by_family"];
    let end = |of: Option<[f64; 2]>, at: usize| of.map(|ends| ends[at]);
    let rows = metrics.iter().zip(cells).flat_map(move |(key, row)| {
        metrics.iter().zip(row).map(move |(other, cell)| {
            row![
                key,
                other,
                cell.tau,
                cell.models,
                end(cell.interval, 0),
                end(cell.interval, 1),
                end(cell.by_family, 0),
                end(cell.by_family, 1)
            ]
        })
    });
    Table::new("", head, 2, rows)
}
