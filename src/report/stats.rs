//! Truth against truth, as text and JSON.

use serde_json::{Map, Value, json};

use super::table::aligned;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::truth::Truth;
use crate::truth::stats::{Agreement, Counts, against, counts};

/// All numbers: each truth alone, and where there is a reference, each on its queries and each
/// measured by it.
pub fn json(truths: &[Truth], reference: Option<&Truth>) -> String {
    let mut report = Map::new();
    let alone = truths.iter().map(|truth| {
        let of = by_direction(counts(truth), |counts: Counts| {
            let (fewest, most) = counts.extent;
            json!({"queries": counts.queries, "positives": counts.positives,
                   "fewest": fewest, "most": most})
        });
        (truth.name.clone(), of)
    });
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
    format!("{:#}\n", Value::Object(report))
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
    json!({"precision": found.precision, "recall": found.recall,
           "queries_with_any": found.queries_with_any,
           "added": found.added, "removed": found.removed,
           "common": found.common, "overlap": found.overlap()})
}

/// The same for people, shares in percent.
pub fn text(truths: &[Truth], reference: Option<&Truth>) -> String {
    let head = [
        "truth",
        "direction",
        "queries",
        "positives",
        "a query",
        "fewest",
        "most",
    ];
    let mut rows = Vec::new();
    for (truth, direction, counts) in each(truths, counts) {
        let mean = counts.positives as f64 / counts.queries.max(1) as f64;
        rows.push(vec![
            truth.name.clone(),
            direction.to_string(),
            grouped(counts.queries),
            grouped(counts.positives as usize),
            format!("{mean:.2}"),
            counts.extent.0.to_string(),
            counts.extent.1.to_string(),
        ]);
    }
    let mut report = aligned(&head, rows, 2);
    if let Some(reference) = reference {
        report.extend([
            format!("\nby {}, on its queries\n", reference.name),
            aligned(&MEASURES, measured(truths, reference), 2),
            "shares in percent, means over queries\n".into(),
        ]);
    }
    report
}

const MEASURES: [&str; 10] = [
    "truth",
    "direction",
    "positives",
    "precision",
    "recall",
    "queries with any",
    "added",
    "removed",
    "common",
    "overlap",
];

fn measured(truths: &[Truth], reference: &Truth) -> Vec<Vec<String>> {
    let share = |value: Option<f64>| value.map_or("-".into(), |v| format!("{:.2}", 100.0 * v));
    let row = |(truth, direction, found): (&Truth, Direction, Agreement)| {
        vec![
            truth.name.clone(),
            direction.to_string(),
            grouped(found.positives as usize),
            share(found.precision),
            share(found.recall),
            grouped(found.queries_with_any),
            grouped(found.added as usize),
            grouped(found.removed as usize),
            grouped(found.common as usize),
            share(found.overlap()),
        ]
    };
    let found = each(truths, |truth| against(truth, reference));
    let found = found.filter(|(truth, ..)| truth.name != reference.name);
    found.map(row).collect()
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
