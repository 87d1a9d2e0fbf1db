//! Truth against truth, in every format.

use serde_json::{Map, Value, json};

use super::csv;
use super::sheet::{self, Sheet};
use crate::data::json_text;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::truth::Truth;
use crate::truth::stats::{Agreement, Counts, against, counts};

/// All numbers: each truth alone, and where there is a reference, each on the queries that both judge,
/// positives and measures.
fn json(truths: &[Truth], reference: Option<&Truth>) -> String {
    let mut report = Map::new();
    let alone = truths
        .iter()
        .map(|truth| (truth.name.clone(), by_direction(counts(truth), counted)));
    report.insert("truths".into(), Value::Object(alone.collect()));
    if let Some(reference) = reference {
        let measured = |truth: &Truth| (truth.name.clone(), against(truth, reference));
        let measured: Vec<_> = truths.iter().map(measured).collect();
        let on = measured
            .iter()
            .map(|(name, found)| (name.clone(), positives(found)));
        report.insert(
            format!("on_{}_queries", reference.name),
            Value::Object(on.collect()),
        );
        let others = measured.iter().filter(|(name, _)| *name != reference.name);
        let by = others.map(|(name, found)| (name.clone(), by_direction(*found, measures)));
        report.insert(
            format!("against_{}", reference.name),
            Value::Object(by.collect()),
        );
    }
    json_text::pretty(&Value::Object(report))
}

fn counted(counts: Counts) -> Value {
    let (fewest, most) = counts.extent;
    json!({"queries": counts.queries, "positives": counts.positives,
           "fewest": fewest, "most": most})
}

fn by_direction<T: Copy>(values: PerDirection<Option<T>>, to: impl Fn(T) -> Value) -> Value {
    let of = |direction: Direction| Some((direction.key().to_owned(), to(values[direction]?)));
    Value::Object(Direction::BOTH.into_iter().filter_map(of).collect())
}

fn positives(found: &PerDirection<Option<Agreement>>) -> Value {
    let of = |direction: Direction| {
        let count = found[direction]?.positives;
        Some((format!("{direction}_positives"), json!(count)))
    };
    Value::Object(Direction::BOTH.into_iter().filter_map(of).collect())
}

fn measures(found: Agreement) -> Value {
    json!({"queries": found.queries, "not_judged": found.not_judged,
           "precision": found.precision, "recall": found.recall,
           "queries_with_any": found.queries_with_any,
           "added": found.added, "removed": found.removed,
           "common": found.common, "overlap": found.overlap})
}

/// A way of writing all numbers: of truths, and of what they are measured by.
type Write = fn(&[Truth], Option<&Truth>) -> String;

/// Every format, by the word after `--format`.
pub const FORMATS: &[(&str, Write)] = &[
    ("table", |truths, by| {
        sheet::text(&sheets(truths, by), &NOTES)
    }),
    ("json", json),
    ("csv", csv),
    ("markdown", |truths, by| {
        sheet::markdown(&sheets(truths, by), &NOTES)
    }),
    ("latex", |truths, by| {
        sheet::latex(&sheets(truths, by), &NOTES)
    }),
];

/// What is said once below all tables.
const NOTES: [&str; 2] = [
    "all by a reference is over the queries that both judge; not judged: its queries that the truth does not judge",
    "precision, recall and overlap (Jaccard) in percent, means over queries: over those with any positive of the \
     truth, of the reference, of either",
];

/// For people, shares in percent.
fn sheets(truths: &[Truth], reference: Option<&Truth>) -> Vec<Sheet> {
    let mut sheets = vec![alone(truths)];
    sheets.extend(reference.map(|reference| measured(truths, reference)));
    sheets
}

fn alone(truths: &[Truth]) -> Sheet {
    let head = [
        "truth",
        "",
        "queries",
        "positives",
        "a query",
        "fewest",
        "most",
    ];
    let row = |(truth, direction, counts): (&Truth, Direction, Counts)| {
        let mean = counts.positives as f64 / counts.queries.max(1) as f64;
        vec![
            truth.name.clone(),
            direction.to_string(),
            grouped(counts.queries),
            grouped(counts.positives as usize),
            format!("{mean:.2}"),
            counts.extent.0.to_string(),
            counts.extent.1.to_string(),
        ]
    };
    Sheet {
        title: "positives of each truth".into(),
        head: head.map(str::to_owned).into(),
        rows: each(truths, counts).map(row).collect(),
        words: 2,
    }
}

const MEASURES: [&str; 12] = [
    "truth",
    "",
    "queries",
    "not judged",
    "positives",
    "precision",
    "recall",
    "queries with any",
    "added",
    "removed",
    "common",
    "overlap",
];

fn measured(truths: &[Truth], reference: &Truth) -> Sheet {
    let share = |value: Option<f64>| value.map_or("-".into(), |v| format!("{:.2}", 100.0 * v));
    let row = |(truth, direction, found): (&Truth, Direction, Agreement)| {
        vec![
            truth.name.clone(),
            direction.to_string(),
            grouped(found.queries),
            grouped(found.not_judged),
            grouped(found.positives as usize),
            share(found.precision),
            share(found.recall),
            grouped(found.queries_with_any),
            grouped(found.added as usize),
            grouped(found.removed as usize),
            grouped(found.common as usize),
            share(found.overlap),
        ]
    };
    Sheet {
        title: format!("by {}, on the queries that both judge", reference.name),
        head: MEASURES.map(str::to_owned).into(),
        rows: others(truths, reference).map(row).collect(),
        words: 2,
    }
}

/// One number a row, full precision.
fn csv(truths: &[Truth], reference: Option<&Truth>) -> String {
    let mut rows = vec![["truth", "against", "direction", "number", "value"].map(str::to_owned)];
    let mut push = |truth: &Truth, by: &str, direction: Direction, numbers: &Value| {
        for (key, value) in numbers.as_object().into_iter().flatten() {
            let value = if value.is_null() {
                String::new()
            } else {
                value.to_string()
            };
            let named = [&truth.name, by, direction.key(), key, &value];
            rows.push(named.map(str::to_owned));
        }
    };
    for (truth, direction, counts) in each(truths, counts) {
        push(truth, "", direction, &counted(counts));
    }
    if let Some(reference) = reference {
        for (truth, direction, found) in others(truths, reference) {
            let mut numbers = measures(found);
            numbers["positives"] = json!(found.positives);
            push(truth, &reference.name, direction, &numbers);
        }
    }
    csv::lines(rows)
}

/// Every truth but the reference, measured by it.
fn others<'a>(
    truths: &'a [Truth],
    reference: &'a Truth,
) -> impl Iterator<Item = (&'a Truth, Direction, Agreement)> {
    let found = each(truths, |truth| against(truth, reference));
    found.filter(|(truth, ..)| truth.name != reference.name)
}

fn each<T: Copy>(
    truths: &[Truth],
    of: impl Fn(&Truth) -> PerDirection<Option<T>>,
) -> impl Iterator<Item = (&Truth, Direction, T)> {
    truths.iter().flat_map(move |truth| {
        let values = of(truth);
        let both = Direction::BOTH.into_iter();
        both.filter_map(move |direction| Some((truth, direction, values[direction]?)))
    })
}
