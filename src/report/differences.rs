//! The pairs on which truths differ from another.

use std::rc::Rc;

use serde_json::{Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table, caption_text};
use crate::data::Direction;
use crate::data::index::{ItemIx, QueryIx};
use crate::data::text::grouped;
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::stats::differences;

/// Whether pairs are those that a truth adds to the reference, or those that it lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Those that the reference does not list.
    Added,
    /// Those that only the reference lists.
    Removed,
}

/// A pair: truth, direction, query and item.
type Pair<'a> = (&'a Truth, Direction, QueryIx, ItemIx);

/// The pairs of each truth, the reference left out.
fn pairs<'a>(truths: &[&'a Truth], reference: &Truth, which: Which) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    for &truth in truths.iter().filter(|truth| truth.name != reference.name) {
        for direction in Direction::BOTH {
            let found = differences(truth, reference, direction).unwrap_or_default();
            let of_truth = match which {
                Which::Added => found.added,
                Which::Removed => found.removed,
            };
            let named = |(query, item)| (truth, direction, query, item);
            pairs.extend(of_truth.into_iter().map(named));
        }
    }
    pairs
}

const HEAD: [&str; 5] = ["truth", "direction", "query", "item", "caption"];

/// The pairs of these truths that differ from the reference.
pub fn report<'a>(
    study: &'a Study,
    truths: &[&'a Truth],
    reference: &'a Truth,
    which: Which,
) -> Report<'a> {
    let pairs: Rc<[Pair<'a>]> = pairs(truths, reference, which).into();
    let (what, key) = match which {
        Which::Added => (format!("not listed by {}", reference.name), "added"),
        Which::Removed => (format!("listed by {} only", reference.name), "removed"),
    };
    let plural = if pairs.len() == 1 { "pair" } else { "pairs" };
    let count = grouped(pairs.len());
    let title = format!("{count} {plural} {what}, on the queries that both judge");
    let table = move |title: &str| {
        let pairs = pairs.clone();
        let rows = (0..pairs.len()).map(move |at| row(study, pairs[at]));
        Table::new(title, HEAD, HEAD.len(), rows)
    };
    Report::new(
        vec![table(&title)],
        table(&title),
        Json::tree(
            move || json!({"against": reference.name, key: table("").records().collect::<Value>()}),
        ),
    )
}

/// Truth, direction, ids and text of a pair.
fn row(study: &Study, (truth, direction, query, item): Pair<'_>) -> Vec<Cell> {
    let gallery = &study.gallery;
    let caption = match direction {
        Direction::I2t => item.raw(),
        Direction::T2i => query.raw(),
    };
    row![
        &truth.name,
        direction,
        Cell::Id(gallery.queries(direction)[query.get()].to_string()),
        Cell::Id(gallery.items(direction)[item.get()].to_string()),
        caption_text(study, caption)
    ]
}
