//! Semantic recall over m.

use serde_json::{Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::semantic_recall::RecallByM;
use crate::metric::Unit;

/// A row for each m, a column for each model and depth.
pub fn report(found: &[RecallByM]) -> Report<'_> {
    let is_together = |one: &RecallByM, other: &RecallByM| {
        (&one.phi, one.direction) == (&other.phi, other.direction)
    };
    let mut sorted: Vec<&RecallByM> = found.iter().collect();
    let place = |phi: &str| found.iter().position(|one| one.phi == phi);
    // Stable: models stay in their order.
    sorted.sort_by_key(|one| (place(&one.phi), one.direction));
    let tables = sorted.chunk_by(|one, other| is_together(one, other));
    Report {
        notes: vec![
            "SR@K in percent: share of the m most similar items in the top K; n: queries that entered the mean"
                .into(),
        ],
        ..Report::new(
            tables.map(table).collect(),
            data(found),
            Json::tree(|| found.iter().map(entry).collect()),
        )
    }
}

fn table<'a>(together: &[&'a RecallByM]) -> Table<'a> {
    let together = together.to_vec();
    let title = together.first().map_or_else(String::new, |first| {
        format!("semantic recall by {}, {}", first.phi, first.direction)
    });
    let mut head = vec!["m".to_owned(), "n".to_owned()];
    head.extend(together.iter().map(|one| format!("{} SR@{}", one.model, one.k)));
    let count = together.first().map_or(0, |first| first.by_m.len());
    let rows = (0..count).map(move |at| {
        let n = together.iter().map(|one| one.by_m[at].judged).max();
        let mut cells = row![at + 1, n];
        let value =
            |one: &&RecallByM| one.by_m[at].value.map(|value| Cell::Value(value, Unit::Share));
        cells.extend(together.iter().map(|one| Cell::from(value(one))));
        cells
    });
    Table::new(title, head, 0, rows)
}

/// One number a row.
fn data(found: &[RecallByM]) -> Table<'_> {
    let head = ["phi", "model", "direction", "k", "m", "sr", "count"];
    let rows = found.iter().flat_map(|one| {
        (1_u32..).zip(&one.by_m).map(|(m, summary)| {
            row![&one.phi, &one.model, one.direction, one.k, m, summary.value, summary.judged]
        })
    });
    Table::new("", head, 3, rows)
}

fn entry(one: &RecallByM) -> Value {
    let values: Vec<Option<f64>> = one.by_m.iter().map(|summary| summary.value).collect();
    json!({
        "phi": one.phi,
        "model": one.model,
        "direction": one.direction.key(),
        "k": one.k,
        "sr_by_m": values,
        "count": one.by_m.first().map_or(0, |summary| summary.judged),
    })
}
