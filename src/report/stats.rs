//! Truth against truth.

use serde_json::{Map, Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::data::{Direction, PerDirection};
use crate::metric::Unit;
use crate::truth::Truth;
use crate::truth::stats::{Agreement, Counts, against, counts};

/// All numbers: each truth alone, and where there is a reference, each on the queries that both judge,
/// positives and measures.
fn json(truths: &[Truth], reference: Option<&Truth>) -> Value {
    let mut report = Map::new();
    let alone =
        truths.iter().map(|truth| (truth.name.clone(), by_direction(counts(truth), counted)));
    report.insert("truths".into(), Value::Object(alone.collect()));
    if let Some(reference) = reference {
        let measured = |truth: &Truth| (truth.name.clone(), against(truth, reference));
        let measured: Vec<_> = truths.iter().map(measured).collect();
        let on = measured.iter().map(|(name, found)| (name.clone(), positives(found)));
        report.insert(format!("on_{}_queries", reference.name), Value::Object(on.collect()));
        let others = measured.iter().filter(|(name, _)| *name != reference.name);
        let by = others.map(|(name, found)| (name.clone(), by_direction(*found, measures)));
        report.insert(format!("against_{}", reference.name), Value::Object(by.collect()));
    }
    Value::Object(report)
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

/// The counts of each truth, and where there is a reference, the others measured by it.
pub fn report<'a>(truths: &'a [Truth], reference: Option<&'a Truth>) -> Report<'a> {
    let mut tables = vec![alone(truths)];
    tables.extend(reference.map(|reference| measured(truths, reference)));
    Report {
        notes: NOTES.map(str::to_owned).into(),
        ..Report::new(tables, data(truths, reference), Json::tree(move || json(truths, reference)))
    }
}

/// What is said once below all tables.
const NOTES: [&str; 2] = [
    "against another ground truth every number is over the queries that both judge; not judged: queries of that one which \
     this one does not judge",
    "precision, recall and overlap (Jaccard) in percent, means over queries: over those with any positive of the \
     ground truth, of the other, of either",
];

fn alone(truths: &[Truth]) -> Table<'_> {
    let head = ["truth", "", "queries", "positives", "a query", "fewest", "most"];
    let row = |(truth, direction, counts): (&Truth, Direction, Counts)| {
        let mean = counts.positives as f64 / counts.queries.max(1) as f64;
        let (fewest, most) = counts.extent;
        row![
            &truth.name,
            direction,
            counts.queries,
            counts.positives,
            Cell::Number(mean, 2),
            fewest,
            most
        ]
    };
    let rows = each(truths, counts).map(row);
    Table::new("positives of each ground truth", head, 2, rows)
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

fn measured<'a>(truths: &'a [Truth], reference: &'a Truth) -> Table<'a> {
    let share = |share: Option<f64>| share.map(|share| Cell::Value(share, Unit::Share));
    let row = move |(truth, direction, found): (&Truth, Direction, Agreement)| {
        row![
            &truth.name,
            direction,
            found.queries,
            found.not_judged,
            found.positives,
            share(found.precision),
            share(found.recall),
            found.queries_with_any,
            found.added,
            found.removed,
            found.common,
            share(found.overlap)
        ]
    };
    let title = format!("against {}, on the queries that both judge", reference.name);
    Table::new(title, MEASURES, 2, others(truths, reference).map(row))
}

/// One number a row.
fn data<'a>(truths: &'a [Truth], reference: Option<&'a Truth>) -> Table<'a> {
    let alone = each(truths, counts)
        .flat_map(|(truth, direction, counts)| numbers(truth, "", direction, counted(counts)));
    let measured = reference.into_iter().flat_map(|reference| {
        others(truths, reference).flat_map(|(truth, direction, found)| {
            let mut told = measures(found);
            told["positives"] = json!(found.positives);
            numbers(truth, &reference.name, direction, told)
        })
    });
    let head = ["truth", "against", "direction", "number", "value"];
    Table::new("", head, 4, alone.chain(measured))
}

/// A row for each number of an object.
fn numbers(truth: &Truth, by: &str, direction: Direction, of: Value) -> Vec<Vec<Cell>> {
    let Value::Object(numbers) = of else {
        return Vec::new();
    };
    let numbers = numbers.into_iter();
    let row = |(key, value)| row![&truth.name, by, direction, key, value];
    numbers.map(row).collect()
}

/// Every truth but the reference, measured by it.
fn others<'a>(
    truths: &'a [Truth],
    reference: &'a Truth,
) -> impl Iterator<Item = (&'a Truth, Direction, Agreement)> + use<'a> {
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
