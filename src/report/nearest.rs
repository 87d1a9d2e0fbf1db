//! The nearest items on one side to an item, or to a text.

use serde_json::json;

use super::Report;
use super::cell::{Cell, id, score};
use super::list::List;
use super::top_results::Entry;
use crate::analysis::nearest::{By, Near};
use crate::data::Direction;
use crate::data::text::shown;

/// An item or a text, and its nearest items.
#[derive(Debug)]
pub struct NearestItems {
    /// The side of the items: images (`I2t`) or captions.
    pub side: Direction,
    /// The ground truth of common positives.
    pub truth: String,
    /// The item; of a text only its name.
    pub to: Entry,
    /// Measure of distance.
    pub by: By,
    /// Nearest first.
    pub items: Vec<(Near, Entry)>,
}

impl NearestItems {
    /// The nearest items, and how many share positives; a row for each item.
    pub fn report(&self) -> Report<'_> {
        let kind = match self.side {
            Direction::I2t => "image",
            Direction::T2i => "caption",
        };
        let mut list = List::new("nearest", "", &self.items)
            .column("similarity", "similarity", |(near, _)| score(near.similarity))
            .column("shares_positives", "shares positives", |(near, _)| match near.shares {
                None => Cell::Undefined,
                Some(shares) => Cell::from(if shares { "yes" } else { "no" }),
            })
            .column("id", "id", |(_, entry)| Cell::Id(entry.id.clone()));
        if self.side == Direction::I2t {
            list = list.column("image", "image", |(_, entry)| &entry.name);
        }
        let list = list.column("caption", "caption", |(_, entry)| entry.caption());
        let to = match self.to.id.as_str() {
            "" => format!("\"{}\"", self.to.name),
            id => format!("{} ({kind} {id})", self.to.name),
        };
        let judged = self.items.iter().filter_map(|(near, _)| near.shares);
        let [all, shared] = [judged.clone().count(), judged.filter(|shares| *shares).count()];
        let answer = match self.items.first() {
            None => format!("{to}: no {kind} is near it by {}", self.by.name()),
            Some((near, first)) => format!(
                "{to}: nearest is {kind} {}, \"{}\" ({} {:.2}){}",
                first.id,
                first.caption(),
                self.by.name(),
                near.similarity,
                match all {
                    0 => String::new(),
                    _ => format!("; {shared} of {all} share positives ({})", self.truth),
                }
            ),
        };
        Report { heading: shown(&answer), ..Report::from_sections(vec![list.section()]) }
            .with_json("by", json!(self.by.name()))
            .with_json("truth", json!(shown(&self.truth)))
            .with_json(
                "to",
                match self.to.id.as_str() {
                    "" => json!({"text": self.to.name}),
                    of => json!({"kind": kind, "id": id(of), "name": self.to.name}),
                },
            )
    }
}
