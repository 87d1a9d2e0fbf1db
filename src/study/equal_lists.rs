//! Lists that are all as long: rankings that were taken for a ground truth, perhaps.

use super::Note;
use crate::data::Direction;
use crate::truth::{Kind, Truth};

/// Fewer positives for each query are those of a data set, such as five captions an image.
const LEAST_ITEMS: u32 = 10;
/// Fewer queries may be as long by chance.
const LEAST_QUERIES: usize = 10;

/// Says that a direction of a truth may be of rankings, cut at one length; not of the original pairing, where images may
/// well have as many captions.
pub(super) fn note(truth: &Truth, direction: Direction) -> Option<Note> {
    let relevance = truth.relevance[direction].as_ref()?;
    let length = relevance.listed(relevance.len().checked_sub(1)?);
    let are_equal = (0..relevance.len()).all(|place| relevance.listed(place) == length);
    let is_long = length >= LEAST_ITEMS && relevance.len() >= LEAST_QUERIES;
    (are_equal && is_long && truth.kind != Kind::Original).then(|| {
        Note::warning(format!(
            "ground truth {} {direction}: every query has exactly {length} positives, as rankings have; --run FILE reads a file as ranked lists",
            truth.name
        ))
    })
}
