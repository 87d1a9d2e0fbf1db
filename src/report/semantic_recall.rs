//! Semantic recall over m.

use super::cell::Cell;
use super::list::List;
use super::{Report, Table};
use crate::analysis::semantic_recall::RecallByM;

/// A row for each m, a column for each model and depth.
pub fn report(found: &[RecallByM]) -> Report<'_> {
    let mut sorted: Vec<&RecallByM> = found.iter().collect();
    let place = |phi: &str| found.iter().position(|one| one.phi == phi);
    let key = |one: &&RecallByM| (place(&one.phi), one.direction);
    // Stable: models keep their order.
    sorted.sort_by_key(key);
    let tables = sorted.chunk_by(|one, other| key(one) == key(other));
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
        ..Report::from_sections(vec![list.section()])
    }
}

fn table<'a>(together: &[&RecallByM]) -> Table<'a> {
    let title = format!("semantic recall by {}, {}", together[0].phi, together[0].direction);
    let mut list = List::new("", title, 0..together[0].by_m.len())
        .shown("m", |at| at + 1)
        .shown("n", |&at| together.iter().map(|one| one.by_m[at].judged).max());
    for one in together {
        list = list.shown(format!("{} SR@{}", one.model, one.k), |&at| {
            one.by_m[at].value.map(Cell::share)
        });
    }
    list.section().table()
}
