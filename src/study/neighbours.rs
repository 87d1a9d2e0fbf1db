//! Nearest neighbours as ranked lists of the gallery.

use super::{Note, runs};
use crate::data::gallery::Gallery;
use crate::data::scores::{Knn, Lists};
use crate::data::text::{count, grouped};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// Fits the arrays of one model to the gallery, with notes.
///
/// # Errors
/// A number of queries that fits neither side, or both; two arrays of one direction; indices beyond the gallery.
pub(super) fn resolve(
    found: &[(Option<Direction>, Knn)],
    gallery: &Gallery,
    notes: &mut Vec<Note>,
) -> Result<PerDirection<Lists>> {
    let mut lists: PerDirection<Option<Lists>> = PerDirection::default();
    for (told, knn) in found {
        let direction = direction_of(*told, knn, gallery)?;
        if lists[direction].is_some() {
            let name = knn.indices().source().display();
            return Err(Error::new(name, format!("a second array of {direction} neighbours"))
                .expected("one --knn for each direction of a model"));
        }
        let of_direction = knn.clone().lists(gallery.items(direction).len())?;
        notes.push(Note::fine(format!(
            "{direction} neighbours of {}, {} items each",
            count(knn.query_count(), "query"),
            runs::lengths(&of_direction),
        )));
        lists[direction] = Some(of_direction);
    }
    Ok(runs::completed(lists, gallery, notes))
}

/// The direction of the flag, else the one with as many queries.
fn direction_of(told: Option<Direction>, knn: &Knn, gallery: &Gallery) -> Result<Direction> {
    let sizes = Direction::both(|direction| gallery.queries(direction).len());
    let fits = |direction: &Direction| gallery.queries(*direction).len() == knn.query_count();
    let candidates: Vec<Direction> = match told {
        Some(direction) => vec![direction],
        None => Direction::BOTH.to_vec(),
    };
    let fitting: Vec<Direction> = candidates.into_iter().filter(fits).collect();
    if let [direction] = fitting[..] {
        return Ok(direction);
    }
    let name = knn.indices().source().display();
    let [images, captions] = sizes.map(grouped);
    Err(Error::new(name, format!("neighbours of {} queries", grouped(knn.query_count())))
        .expected(format!("a row for each of {images} images or {captions} captions"))
        .mend("name the direction as --knn i2t:I.npy,D.npy or t2i:.., and the ids with --image-ids and --caption-ids"))
}
