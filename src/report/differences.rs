//! The pairs on which truths differ from another.

use serde_json::json;

use super::cell::Cell;
use super::list::List;
use super::{Report, caption_text};
use crate::data::Direction;
use crate::data::index::{ItemIx, QueryIx};
use crate::data::text::count;
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

/// The pairs of these truths that differ from the reference.
pub fn report<'a>(
    study: &'a Study,
    truths: &[&'a Truth],
    reference: &'a Truth,
    which: Which,
) -> Report<'a> {
    let gallery = &study.gallery;
    let pairs = pairs(truths, reference, which);
    let (key, what) = match which {
        Which::Added => ("added", format!("not listed by {}", reference.name)),
        Which::Removed => ("removed", format!("listed by {} only", reference.name)),
    };
    let title = format!("{} {what}, on the queries that both judge", count(pairs.len(), "pair"));
    let list = List::new(key, title, pairs)
        .column("truth", "truth", |(truth, ..)| &truth.name)
        .column("direction", "direction", |(_, direction, ..)| *direction)
        .column("query", "query", |&(_, direction, query, _)| {
            Cell::Id(gallery.queries(direction)[query.get()].to_string())
        })
        .column("item", "item", |&(_, direction, _, item)| {
            Cell::Id(gallery.items(direction)[item.get()].to_string())
        })
        .column("caption", "caption", |&(_, direction, query, item)| {
            let caption = match direction {
                Direction::I2t => item.raw(),
                Direction::T2i => query.raw(),
            };
            caption_text(study, caption)
        });
    Report::of(vec![list.section()]).with_json("against", json!(reference.name))
}
