//! Semantic recall over m.

use super::cell::{Cell, row};
use super::list::List;
use super::{Report, Table};
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
    let records = found.iter().flat_map(|one| (1_u32..).zip(&one.by_m).map(move |at| (one, at)));
    let list = List::new("recall", "", records)
        .data("phi", |(one, _)| &one.phi)
        .data("model", |(one, _)| &one.model)
        .data("direction", |(one, _)| one.direction)
        .data("k", |(one, _)| one.k)
        .data("m", |(_, (m, _))| *m)
        .data("sr", |(_, (_, summary))| summary.value)
        .data("count", |(_, (_, summary))| summary.judged);
    Report {
        tables: tables.map(table).collect(),
        notes: vec![
            "SR@K in percent: share of the m most similar items in the top K; n: queries that entered the mean"
                .into(),
        ],
        ..Report::of(vec![list.section()])
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
