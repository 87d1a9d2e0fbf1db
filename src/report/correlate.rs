//! Correlation of metrics over models, in every format.

use serde_json::{Map, Value, json};

use super::sheet::Sheet;
use super::{csv, heat, latex};
use crate::analysis::correlate::{Cell, Correlation};
use crate::analysis::published::{Place, Published};
use crate::analysis::results::ModelValues;

/// What was correlated, and what else is told.
#[derive(Debug)]
pub struct Correlated<'a> {
    /// The matrix.
    pub correlation: &'a Correlation,
    /// The models of the files, whose places among the published ones are told.
    pub models: &'a [ModelValues],
    /// The published ones, where they are among the models.
    pub published: Option<&'a Published>,
    /// Whether the heat map may be coloured.
    pub is_coloured: bool,
}

/// A way of writing a [`Correlated`].
type Write = fn(&Correlated<'_>) -> String;

/// Every format, by the word after `--format`.
pub const FORMATS: &[(&str, Write)] = &[
    ("table", text),
    ("json", json),
    ("csv", csv),
    ("markdown", markdown),
    ("latex", latex),
];

/// A heat map: metrics by number at the top, by number and key at the left.
fn text(told: &Correlated<'_>) -> String {
    let Correlation {
        metrics,
        cells,
        models,
    } = told.correlation;
    let longest = metrics
        .iter()
        .map(|key| key.chars().count())
        .max()
        .unwrap_or(0);
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
    out += &fewest(told.correlation, models.len());
    let places = places(told).map(|sheet| format!("\n{}", sheet.text()));
    out + &places.unwrap_or_default()
}

fn title(told: &Correlated<'_>) -> String {
    let count = told.correlation.models.len();
    format!("Kendall's tau-b between metrics over {count} models, averages of both directions")
}

/// A warning where some cells are over fewer models than there are.
fn fewest(correlation: &Correlation, models: usize) -> String {
    let cells = correlation.cells.iter().flatten();
    match cells.map(|cell| cell.models).min() {
        Some(fewest) if fewest < models => {
            format!("over the models that have both metrics, {fewest} at least\n")
        }
        _ => String::new(),
    }
}

fn table(told: &Correlated<'_>) -> Sheet {
    let Correlation { metrics, cells, .. } = told.correlation;
    let row = |(key, row): (&String, &Vec<Cell>)| {
        let value = |cell: &Cell| cell.tau.map_or("-".to_owned(), |tau| format!("{tau:.2}"));
        std::iter::once(key.clone())
            .chain(row.iter().map(value))
            .collect()
    };
    Sheet {
        title: title(told),
        head: std::iter::once("metric".to_owned())
            .chain(metrics.iter().cloned())
            .collect(),
        rows: metrics.iter().zip(cells).map(row).collect(),
        words: 1,
    }
}

/// The place of each model of the files among the published ones; `None` where there is nothing to
/// place.
fn places(told: &Correlated<'_>) -> Option<Sheet> {
    let published = told.published?;
    let rows = told.models.iter().flat_map(|model| {
        let placed = placed(published, model);
        placed.into_iter().map(|(key, value, place)| {
            let tied = if place.ties > 0 {
                format!(", tied with {}", place.ties)
            } else {
                String::new()
            };
            let unit = if key.ends_with("rsum") { 1.0 } else { 100.0 };
            let place = format!("{} of {}{tied}", place.rank, place.of + 1);
            vec![
                model.name.clone(),
                key.clone(),
                format!("{:.2}", value * unit),
                place,
            ]
        })
    });
    let rows: Vec<Vec<String>> = rows.collect();
    (!rows.is_empty()).then(|| Sheet {
        title: format!(
            "places among the {} published models",
            published.models.len()
        ),
        head: ["model", "metric", "average", "place"]
            .map(str::to_owned)
            .to_vec(),
        rows,
        words: 2,
    })
}

/// A model's metrics that were published too, with value and place.
fn placed<'a>(published: &'a Published, model: &ModelValues) -> Vec<(&'a String, f64, Place)> {
    let of_key = |key: &'a String| {
        let value = model.average(key)?;
        Some((key, value, published.place(key, None, value)?))
    };
    published.metrics.iter().filter_map(of_key).collect()
}

fn markdown(told: &Correlated<'_>) -> String {
    let places = places(told).map(|sheet| format!("\n{}", sheet.markdown()));
    table(told).markdown() + &places.unwrap_or_default()
}

fn latex(told: &Correlated<'_>) -> String {
    let places = places(told).map(|sheet| format!("\n{}", sheet.latex()));
    format!(
        "{}\n{}{}",
        latex::NEEDS,
        table(told).latex(),
        places.unwrap_or_default()
    )
}

fn json(told: &Correlated<'_>) -> String {
    let Correlation {
        models,
        metrics,
        cells,
    } = told.correlation;
    let each = |of: fn(&Cell) -> Value| {
        let row = |row: &Vec<Cell>| row.iter().map(of).collect::<Vec<Value>>();
        cells.iter().map(row).collect::<Vec<Vec<Value>>>()
    };
    let mut whole = json!({
        "models": models,
        "metrics": metrics,
        "tau_b": each(|cell| json!(cell.tau)),
        "over_models": each(|cell| json!(cell.models)),
    });
    if let Some(published) = told.published {
        whole["published"] = json!(published.source);
        let model = |model: &ModelValues| {
            let places = placed(published, model)
                .into_iter()
                .map(|(key, value, place)| {
                    let Place { rank, ties, of } = place;
                    let told =
                        json!({"average": value, "place": rank, "ties": ties, "published": of});
                    (key.clone(), told)
                });
            (model.name.clone(), Value::Object(places.collect()))
        };
        let places: Map<String, Value> = told.models.iter().map(model).collect();
        whole["places"] = Value::Object(places);
    }
    format!("{whole:#}\n")
}

/// One pair of metrics a row.
fn csv(told: &Correlated<'_>) -> String {
    let Correlation { metrics, cells, .. } = told.correlation;
    let head = ["metric", "other", "tau_b", "models"].map(str::to_owned);
    let rows = metrics.iter().zip(cells).flat_map(|(key, row)| {
        metrics.iter().zip(row).map(|(other, cell)| {
            [
                key.clone(),
                other.clone(),
                csv::full(cell.tau),
                cell.models.to_string(),
            ]
        })
    });
    csv::lines(std::iter::once(head).chain(rows))
}
