//! Nearest neighbours as ranked lists of the gallery.

use super::{Note, runs};
use crate::data::gallery::Gallery;
use crate::data::scores::{Knn, Lists};
use crate::data::text::{count, grouped};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// Ranked lists of both directions from the arrays of one model, each with its direction if given; adds notes.
///
/// # Errors
/// A number of queries that fits neither side, or both; two arrays of one direction; indices beyond the gallery.
pub(super) fn resolve(
    arrays: &[(Option<Direction>, Knn)],
    gallery: &Gallery,
    notes: &mut Vec<Note>,
) -> Result<PerDirection<Lists>> {
    let mut lists: PerDirection<Option<Lists>> = PerDirection::default();
    for (known, knn) in arrays {
        let direction = detect_direction(*known, knn, gallery)?;
        if lists[direction].is_some() {
            let name = knn.indices().source().display();
            return Err(Error::new(name, format!("a second array of {direction} neighbours"))
                .expected("one --knn for each direction of a model"));
        }
        let ranked = knn.clone().lists(gallery.items(direction).len())?;
        notes.push(Note::fact(format!(
            "{direction} neighbours of {}, {} items each",
            count(knn.query_count(), "query"),
            runs::length_range(&ranked),
        )));
        lists[direction] = Some(ranked);
    }
    Ok(runs::fill_missing(lists, gallery, notes))
}

/// The direction whose number of queries in the gallery equals the number of rows. With `known`, only that direction is
/// tried. An error if none or both fit.
fn detect_direction(known: Option<Direction>, knn: &Knn, gallery: &Gallery) -> Result<Direction> {
    let sizes = Direction::both(|direction| gallery.queries(direction).len());
    let fits = |direction: &Direction| {
        let has_size = gallery.queries(*direction).len() == knn.query_count();
        has_size && known.is_none_or(|known| known == *direction)
    };
    let fitting: Vec<Direction> = Direction::BOTH.into_iter().filter(fits).collect();
    if let [direction] = fitting[..] {
        return Ok(direction);
    }
    let name = knn.indices().source().display();
    let [images, captions] = sizes.map(grouped);
    Err(Error::new(name, format!("neighbours of {} queries", grouped(knn.query_count())))
        .expected(format!("a row for each of {images} images or {captions} captions"))
        .fix("name the direction as --knn i2t:I.npy,D.npy or t2i:.., and the ids with --image-ids and --caption-ids"))
}
