//! The original pairing: from a captions file, an index array, or lists of one direction.

use rustc_hash::FxHashSet;

use super::files::{Files, Ids};
use super::{Note, gallery};
use crate::data::Direction;
use crate::data::captions::{Caption, CaptionFile};
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::truth::pairs::Pairs;
use crate::truth::{Kind, Listed, Truth, TruthFile};

/// Name of the original pairing among the truths.
const NAME: &str = "original";

/// The original pairing from a captions file, in both directions.
pub(super) fn from_captions(file: &CaptionFile) -> [Listed; 2] {
    let mut seen = FxHashSet::default();
    let with_image = file.captions.iter().filter_map(|caption| {
        let image = caption.image.clone()?;
        seen.insert(&caption.id).then(|| (caption.id.clone(), [image]))
    });
    both_directions(&file.file, with_image.collect())
}

/// The original pairing in both directions, given the image of each caption.
fn both_directions(file: &str, t2i: Pairs) -> [Listed; 2] {
    let listed = |direction, pairs| Listed::new(NAME, direction, pairs, file);
    [listed(Direction::I2t, t2i.transposed()), listed(Direction::T2i, t2i)]
}

/// Whether ids are taken as the image of each caption, like `texts_image_index`: at most half of them are distinct.
pub(super) fn is_image_index(ids: &[Id]) -> bool {
    let images: FxHashSet<&Id> = ids.iter().collect();
    !ids.is_empty() && 2 * images.len() <= ids.len()
}

/// Adds the original pairings that index arrays give. Captions without ids get indices as ids. Images without ids get
/// the ids in the array: in ascending order if these are indices, else in the order of their captions.
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
                let ids = (0..count as i64).map(Id::Number).collect();
                loaded.caption_ids.insert(Ids::new(file.clone(), ids)).ids.clone()
            }
        };
        let images = resolve_images(&file, images, loaded);
        let of_caption = captions.iter().zip(&images);
        let t2i = of_caption.map(|(caption, image)| (caption.clone(), [image.clone()]));
        let truths = both_directions(&file, t2i.collect()).into();
        loaded.parts.push((file, TruthFile { truths, ..TruthFile::default() }));
    }
    Ok(())
}

/// Id of each caption's image. The array `images` has ids, or indices if the images have other ids. If no file has
/// image ids, sets them in `loaded` to the ids in the array.
fn resolve_images(file: &str, images: Vec<Id>, loaded: &mut Files) -> Vec<Id> {
    let captions = gallery::caption_ids(loaded);
    let known = gallery::image_ids(loaded, captions.as_ref());
    let largest: Option<usize> = images.iter().try_fold(0, |largest, id| match id {
        Id::Number(number) => Some(largest.max(usize::try_from(*number).ok()?)),
        Id::Text(_) => None,
    });
    match (known, largest) {
        (Some(known), Some(largest))
            if largest < known.ids.len() && !known.ids.contains(&images[0]) =>
        {
            let id_at = |index: &Id| match index {
                Id::Number(number) => known.ids[*number as usize].clone(),
                Id::Text(_) => index.clone(),
            };
            images.iter().map(id_at).collect()
        }
        (None, largest) => {
            let mut seen = FxHashSet::default();
            let distinct: Vec<Id> = images.iter().filter(|id| seen.insert(*id)).cloned().collect();
            // As many as the largest index: they are indices, and sorted as such.
            let ids = match largest {
                Some(largest) if largest + 1 == distinct.len() => {
                    (0..=largest as i64).map(Id::Number).collect()
                }
                _ => distinct,
            };
            loaded.image_ids = Some(Ids::new(file.to_owned(), ids));
            images
        }
        _ => images,
    }
}

/// Maximum number of captions of a file whose images are compared with the original pairing.
const MAX_COMPARED: usize = 1000;

/// Warning on the first captions file that gives a caption another image than the original pairing in `truths` does.
/// Compares a sample of captions.
pub(super) fn contradiction(
    files: &[CaptionFile],
    truths: &[Truth],
    gallery: &Gallery,
) -> Option<Note> {
    let truth = truths.iter().find(|truth| truth.kind == Kind::Original)?;
    let images_of = truth.relevance.t2i.as_ref()?;
    let has_other_image = |caption: &&Caption| {
        let place = gallery.captions.find(&caption.id).and_then(|at| images_of.place(at as usize));
        let image = caption.image.as_ref().and_then(|image| gallery.images.find(image));
        place.zip(image).is_some_and(|(place, image)| !images_of.positives(place).contains(image))
    };
    files.iter().find_map(|file| {
        let mut sample = file.captions.iter().step_by(file.captions.len() / MAX_COMPARED + 1);
        let first = sample.find(has_other_image)?;
        Some(Note::warning(format!(
            "{}: caption {} has another image than in ground truth {}: one of the two has other ids or another order",
            file.file, first.id, truth.name
        )))
    })
}

/// Adds the other direction of a ground truth that pairs every caption with one image and every image with captions;
/// returns a note on it. No effect if a file has the other direction, or gives the original pairing.
pub(super) fn add_other_direction(all: &mut Vec<Listed>, gallery: &Gallery) -> Vec<Note> {
    let is_only_list = |one: &&Listed| {
        let mut others = all.iter().filter(|other| !std::ptr::eq(*other, *one));
        others.all(|other| other.name != one.name && !gallery::is_original(other))
    };
    let is_pairing = |one: &&Listed| {
        let Some(direction) = one.direction else {
            return false;
        };
        let pairs = &one.pairs;
        let [queries, items] = [gallery.queries(direction), gallery.items(direction)];
        let are_all = |ids: &[Id], list: &IdList| {
            ids.len() == list.len() && list.find_all(ids).iter().all(Option::is_some)
        };
        let captions = if direction == Direction::I2t { items } else { queries };
        pairs.is_plain()
            && pairs.len() == captions.len()
            && are_all(pairs.keys(), queries)
            && are_all(pairs.values(), items)
            && pairs.iter_graded().all(|(_, items)| items.len() > 0)
    };
    let paired = all.iter().filter(is_only_list).filter(is_pairing);
    let (added, notes): (Vec<Listed>, Vec<Note>) = paired
        .map(|one| {
            let direction = one.direction.map(Direction::flipped);
            let shown = direction.map_or("", Direction::key);
            let note = format!(
                "{}: ground truth {}: {shown} follows, as each caption belongs to one image",
                one.file, one.name
            );
            let pairs = one.pairs.transposed();
            let (name, file) = (one.name.clone(), one.file.clone());
            (Listed { name, direction, pairs, file }, Note::fact(note))
        })
        .unzip();
    all.extend(added);
    notes
}
