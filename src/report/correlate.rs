//! Correlation of metrics over models, in every format.

use serde_json::{Map, Value, json};

use super::sheet::Sheet;
use super::{csv, heat, sheet};
use crate::analysis::bootstrap::Draws;
use crate::analysis::correlate::{Cell, Correlation};
use crate::analysis::published::{Place, Published};
use crate::analysis::results::ModelValues;
use crate::data::json_text;
use crate::data::text::grouped;

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
        ..
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
    format!("{out}\n{}", sheet::text(&below(told), &legend(told)))
}

/// What stands below the matrix.
fn below(told: &Correlated<'_>) -> Vec<Sheet> {
    let mut sheets = vec![intervals(told)];
    sheets.extend(places(told));
    sheets
}

/// A row for each two metrics.
fn intervals(told: &Correlated<'_>) -> Sheet {
    let Correlation { metrics, cells, .. } = told.correlation;
    let dash = || "-".to_owned();
    let ends =
        |of: Option<[f64; 2]>| of.map_or_else(dash, |[low, high]| format!("{low:.2} to {high:.2}"));
    let row = |one: usize, other: usize| {
        let cell = &cells[one][other];
        vec![
            metrics[one].clone(),
            metrics[other].clone(),
            cell.tau.map_or_else(dash, |tau| format!("{tau:.2}")),
            ends(cell.interval),
            ends(cell.by_family),
            cell.models.to_string(),
        ]
    };
    let others = |one: usize| (one + 1..metrics.len()).map(move |other| row(one, other));
    Sheet {
        title: "95 % intervals of tau-b".to_owned(),
        head: [
            "metric",
            "and",
            "tau-b",
            "over models",
            "by family",
            "models",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: (0..metrics.len()).flat_map(others).collect(),
        words: 2,
    }
}

/// What the intervals are about.
fn legend(told: &Correlated<'_>) -> Vec<String> {
    let Draws { resamples, seed } = told.draws;
    let mut lines = vec![
        format!(
            "over models: percentile bootstrap, {} resamples of the models, seed {seed}: how far tau-b hangs on which \
             models were asked; queries and gallery are held fixed; - for fewer than four",
            grouped(resamples)
        ),
        "by family: models of one family are resampled together, as they are no independent evidence; of models \
         named NAME@SEED those of one NAME are a family, any other model is its own"
            .to_owned(),
    ];
    let published = told.published;
    lines.extend(published.map(|of| format!("families of the published models: {}", of.families)));
    lines
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

/// The matrix, and what stands below it.
fn sheets(told: &Correlated<'_>) -> Vec<Sheet> {
    std::iter::once(table(told)).chain(below(told)).collect()
}

fn markdown(told: &Correlated<'_>) -> String {
    sheet::markdown(&sheets(told), &legend(told))
}

fn latex(told: &Correlated<'_>) -> String {
    sheet::latex(&sheets(told), &legend(told))
}

fn json(told: &Correlated<'_>) -> String {
    let Correlation {
        models,
        families,
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
        "low": each(|cell| json!(cell.interval.map(|ends| ends[0]))),
        "high": each(|cell| json!(cell.interval.map(|ends| ends[1]))),
        "low_by_family": each(|cell| json!(cell.by_family.map(|ends| ends[0]))),
        "high_by_family": each(|cell| json!(cell.by_family.map(|ends| ends[1]))),
        "families": families,
        "resamples": told.draws.resamples,
        "seed": told.draws.seed,
    });
    if let Some(published) = told.published {
        whole["published"] = json!(published.source);
        whole["published_families"] = json!(published.families);
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
    json_text::pretty(&whole)
}

/// One pair of metrics a row.
fn csv(told: &Correlated<'_>) -> String {
    let Correlation { metrics, cells, .. } = told.correlation;
    let head = [
        "metric",
        "other",
        "tau_b",
        "models",
        "low",
        "high",
        "low_by_family",
        "high_by_family",
    ];
    let head = head.map(str::to_owned);
    let end = |of: Option<[f64; 2]>, at: usize| csv::full(of.map(|ends| ends[at]));
    let rows = metrics.iter().zip(cells).flat_map(|(key, row)| {
        metrics.iter().zip(row).map(|(other, cell)| {
            [
                key.clone(),
                other.clone(),
                csv::full(cell.tau),
                cell.models.to_string(),
                end(cell.interval, 0),
                end(cell.interval, 1),
                end(cell.by_family, 0),
                end(cell.by_family, 1),
            ]
        })
    });
    csv::lines(std::iter::once(head).chain(rows))
}
