//! Semantic recall over m, the number of most similar items.

use super::cell::Cell;
use super::list::List;
use super::{Report, Table};
use crate::analysis::semantic_recall::RecallByM;

/// A table for each similarity and direction, with a row for each m and a column for each model and depth.
pub fn report(recalls: &[RecallByM]) -> Report<'_> {
    let mut sorted: Vec<&RecallByM> = recalls.iter().collect();
    let position = |phi: &str| recalls.iter().position(|one| one.phi == phi);
    let key = |one: &&RecallByM| (position(&one.phi), one.direction);
    // Stable: models keep their order.
    sorted.sort_by_key(key);
    let tables = sorted.chunk_by(|one, other| key(one) == key(other));
    let records =
        recalls.iter().flat_map(|one| (1_u32..).zip(&one.by_m).map(move |mean| (one, mean)));
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

/// The table of recalls with the same similarity and direction.
fn table<'a>(recalls: &[&RecallByM]) -> Table<'a> {
    let title = format!("semantic recall by {}, {}", recalls[0].phi, recalls[0].direction);
    let mut list = List::new("", title, 0..recalls[0].by_m.len())
        .display("m", |at| at + 1)
        .display("n", |&at| recalls.iter().map(|one| one.by_m[at].judged).max());
    for one in recalls {
        list = list.display(format!("{} SR@{}", one.model, one.k), |&at| {
            one.by_m[at].value.map(Cell::share)
        });
    }
    list.section().table()
}
