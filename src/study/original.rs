//! The original pairing: from a captions file, an index array, or lists of one direction.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::files::{Files, Ids};
use super::{Note, gallery};
use crate::data::Direction;
use crate::data::captions::CaptionFile;
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::truth::pairs::Pairs;
use crate::truth::{Listed, Parts};

const NAME: &str = "original";

/// The original pairing from a captions file.
pub(super) fn from_captions(file: &CaptionFile) -> [Listed; 2] {
    let with_image = file.captions.iter().filter_map(|caption| {
        let image = caption.image.clone()?;
        Some((caption.id.clone(), [image]))
    });
    both(&file.file, with_image.collect())
}

fn both(file: &str, t2i: Pairs) -> [Listed; 2] {
    let listed = |direction, pairs| Listed::new(NAME, direction, pairs, file);
    [listed(Direction::I2t, inverse(&t2i)), listed(Direction::T2i, t2i)]
}

/// Whether ids are the image of each caption, like `texts_image_index`: each image is repeated once per caption.
pub(super) fn is_index(ids: &[Id]) -> bool {
    let images: FxHashSet<&Id> = ids.iter().collect();
    !ids.is_empty() && 2 * images.len() <= ids.len()
}

/// Adds pairings of index arrays: ids for captions without any, and those of images, in index order, else in caption
/// order.
///
/// # Errors
/// An array that does not match the number of captions.
pub(super) fn add_indexed(loaded: &mut Files) -> Result<()> {
    for (file, images) in std::mem::take(&mut loaded.indexed) {
        let count = images.len();
        let captions = match gallery::caption_ids(loaded) {
            Some(known) if known.ids.len() != count => {
                let found = format!("the images of {} captions", grouped(count));
                let expected = format!(
                    "one for each of the {} captions in {}",
                    grouped(known.ids.len()),
                    known.file
                );
                return Err(Error::new(&file, found).expected(expected));
            }
            Some(known) => known.ids,
            None => {
                let ids = Arc::new((0..count as i64).map(Id::Number).collect());
                let known = Ids { file: file.clone(), ids, names: None };
                loaded.caption_ids.insert(known).ids.clone()
            }
        };
        let images = with_ids(&file, images, loaded);
        let of_caption = captions.iter().zip(&images);
        let t2i = of_caption.map(|(caption, image)| (caption.clone(), [image.clone()]));
        let truths = both(&file, t2i.collect()).into();
        loaded.parts.push((file, Parts { truths, ..Parts::default() }));
    }
    Ok(())
}

/// Ids of each caption's image. If images have ids but the array does not use them, it has indices.
fn with_ids(file: &str, images: Vec<Id>, loaded: &mut Files) -> Vec<Id> {
    let captions = gallery::caption_ids(loaded);
    let known = gallery::image_ids(loaded, captions.as_ref());
    let largest = images.iter().map(|id| match id {
        Id::Number(number) => usize::try_from(*number).ok(),
        Id::Text(_) => None,
    });
    let largest: Option<usize> =
        largest.into_iter().try_fold(0, |largest, one| Some(one?.max(largest)));
    match (known, largest) {
        (Some(known), Some(largest))
            if largest < known.ids.len() && !known.ids.contains(&images[0]) =>
        {
            let of = |id: &Id| match id {
                Id::Number(number) => known.ids[*number as usize].clone(),
                Id::Text(_) => id.clone(),
            };
            images.iter().map(of).collect()
        }
        (None, largest) => {
            let mut seen = FxHashSet::default();
            let mentioned: Vec<Id> = images.iter().filter(|id| seen.insert(*id)).cloned().collect();
            // As many as the largest index: they are indices, and sorted as such.
            let ids = match largest {
                Some(largest) if largest + 1 == mentioned.len() => {
                    (0..=largest as i64).map(Id::Number).collect()
                }
                _ => mentioned,
            };
            loaded.image_ids = Some(Ids::new(file.to_owned(), ids));
            images
        }
        _ => images,
    }
}

/// Adds the other direction of a ground truth that pairs every caption with one image and every image with captions, if
/// no file gives the original pairing; with a note.
pub(super) fn complete(all: &mut Vec<Listed>, gallery: &Gallery) -> Vec<Note> {
    let is_alone = |one: &&Listed| {
        let mut others = all.iter().filter(|other| !std::ptr::eq(*other, *one));
        others.all(|other| other.name != one.name && !gallery::is_original(other))
    };
    let is_pairing = |one: &&Listed| {
        let Some(direction) = one.direction else {
            return false;
        };
        let pairs = &one.pairs;
        let [queries, items] = [gallery.queries(direction), gallery.items(direction)];
        let are = |ids: &[Id], of: &IdList| {
            ids.len() == of.len() && ids.iter().all(|id| of.find(id).is_some())
        };
        let captions = if direction == Direction::I2t { items } else { queries };
        pairs.is_plain()
            && pairs.len() == captions.len()
            && are(pairs.keys(), queries)
            && are(pairs.values(), items)
            && pairs.judged().all(|(_, items)| items.len() > 0)
    };
    let paired = all.iter().filter(is_alone).filter(is_pairing);
    let (added, notes): (Vec<Listed>, Vec<Note>) = paired
        .map(|one| {
            let direction = one.direction.map(Direction::flipped);
            let shown = direction.map_or("", Direction::key);
            let note = format!(
                "{}: ground truth {}: {shown} follows, as each caption belongs to one image",
                one.file, one.name
            );
            let pairs = inverse(&one.pairs);
            let (name, file) = (one.name.clone(), one.file.clone());
            (Listed { name, direction, pairs, file }, Note::fine(note))
        })
        .unzip();
    all.extend(added);
    notes
}

/// Inverts the lists: queries by item.
fn inverse(pairs: &Pairs) -> Pairs {
    let mut lists: IndexMap<&Id, Vec<Id>, FxBuildHasher> = IndexMap::default();
    for (query, items) in pairs.iter() {
        items.for_each(|item| lists.entry(item).or_default().push(query.clone()));
    }
    lists.into_iter().map(|(item, queries)| (item.clone(), queries)).collect()
}
