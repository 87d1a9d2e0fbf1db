//! The images, or the captions, nearest to an item or to a text.

use serde_json::json;

use super::Report;
use super::cell::{Cell, id, score};
use super::list::List;
use super::top_results::Entry;
use crate::analysis::nearest::{Measure, Near};
use crate::data::Direction;
use crate::data::text::shown;

/// An item or a text, and its nearest images or captions.
#[derive(Debug)]
pub struct NearestItems {
    /// Kind of the nearest items: images for `I2t`, captions for `T2i`.
    pub side: Direction,
    /// Name of the ground truth in which items share positives.
    pub truth: String,
    /// The item or text that the others are near to; a text has only a name.
    pub to: Entry,
    /// Measure of similarity by which they are near.
    pub by: Measure,
    /// The nearest items, nearest first.
    pub items: Vec<(Near, Entry)>,
}

impl NearestItems {
    /// The nearest item and how many items share positives, then a row for each item.
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
        let known = self.items.iter().filter_map(|(near, _)| near.shares);
        let [all, shared] = [known.clone().count(), known.filter(|shares| *shares).count()];
        let conclusion = match self.items.first() {
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
        Report { heading: shown(&conclusion), ..Report::from_sections(vec![list.section()]) }
            .with_json("by", json!(self.by.name()))
            .with_json("truth", json!(shown(&self.truth)))
            .with_json(
                "to",
                match self.to.id.as_str() {
                    "" => json!({"text": self.to.name}),
                    own_id => json!({"kind": kind, "id": id(own_id), "name": self.to.name}),
                },
            )
    }
}
