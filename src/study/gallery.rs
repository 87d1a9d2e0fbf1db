//! Builds the gallery from all files with ids, texts or file names.

use rustc_hash::{FxHashMap, FxHashSet};

use super::files::{Files, Ids};
use super::inputs::Inputs;
use super::loaded_scores::LoadedScores;
use super::{Note, caption_ids, loaded_scores, orientation, original, texts};
use crate::data::Direction;
use crate::data::captions::CaptionFile;
use crate::data::gallery::{Gallery, fingerprint};
use crate::data::id::{DistinctIds, Id, IdList};
use crate::data::text::{Text, count, grouped};
use crate::error::{Error, Result};
use crate::truth::bundle::BundleFile;
use crate::truth::{Kind, Listed};

/// A gallery, and the files that gave the ids.
pub(super) struct Assembled {
    pub gallery: Gallery,
    /// File with the image ids; `None` if only their number is known.
    pub images_from: Option<String>,
    /// File with the caption ids.
    pub captions_from: Option<String>,
    /// Notes on the matrix orientation and on the order of captions.
    pub notes: Vec<Note>,
}

impl Assembled {
    /// Numbers of images and captions, and the source of their ids.
    pub(super) fn describe(&self) -> Note {
        let side = |n: usize, what: &str, from: &Option<String>| match from {
            Some(file) => format!("{} (ids from {file})", count(n, what)),
            None => format!("{} (ids are indices)", count(n, what)),
        };
        let Assembled { gallery, images_from, captions_from, .. } = self;
        let texts = gallery.texts.iter().filter(|text| !text.raw().is_empty()).count();
        let texts =
            if texts == 0 { String::new() } else { format!(", {} with text", grouped(texts)) };
        Note::fact(format!(
            "gallery: {}, {}{texts}",
            side(gallery.images.len(), "image", images_from),
            side(gallery.captions.len(), "caption", captions_from)
        ))
    }
}

/// Ids of a side, if a file has them, and its size otherwise.
type Side = (Option<Ids>, usize);

/// Builds the gallery: ids from flags, then bundles, id lists, captions files, the original pairing, then ranked lists;
/// otherwise ids are indices.
///
/// # Errors
/// Captions or ids that do not match, a duplicate id.
pub(super) fn assemble(loaded: &mut Files, inputs: &Inputs) -> Result<Assembled> {
    caption_ids::assign_to_all(loaded)?;
    original::add_indexed(loaded)?;
    let loaded = &*loaded;
    let (sides, oriented) = sides(loaded, inputs)?;
    let names = sides[0].0.as_ref().and_then(|ids| ids.names.clone());
    let from = sides.each_ref().map(|(ids, _)| ids.as_ref().map(|ids| ids.file.clone()));
    let [images, captions] = sides.map(|(ids, size)| match ids {
        Some(ids) => id_list(ids),
        None => Ok(IdList::for_len(size)),
    });
    let mut gallery = Gallery { images: images?, captions: captions?, ..Gallery::default() };
    gallery.file_names = names.iter().flatten().map(|name| Text::new(name)).collect();
    texts::add_to_gallery(&mut gallery, loaded)?;
    if gallery.is_indexed() && !gallery.texts.is_empty() {
        let texts: Vec<&str> = gallery.texts.iter().map(Text::raw).collect();
        gallery.text_fingerprint = Some(fingerprint(&texts));
    }
    let [images_from, captions_from] = from;
    let warning = order_warning(loaded, captions_from.as_ref());
    Ok(Assembled {
        gallery,
        images_from,
        captions_from,
        notes: oriented.into_iter().chain(warning).collect(),
    })
}

/// Ids of images and captions, if known, and their numbers in the first model; with a note on its orientation.
fn sides(loaded: &Files, inputs: &Inputs) -> Result<([Side; 2], Option<Note>)> {
    let caption_ids = caption_ids(loaded);
    let image_ids = image_ids(loaded, caption_ids.as_ref());
    let or_listed = |known: Option<Ids>, direction| match known {
        Some(known) => Ok(Some(known)),
        None => loaded_scores::listed_ids(loaded, direction),
    };
    let sides = [or_listed(image_ids, Direction::I2t)?, or_listed(caption_ids, Direction::T2i)?];
    let known = sides.each_ref().map(|ids| ids.as_ref().map(|ids| ids.ids.len()));
    let ([images, captions], note) = orientation::sizes(loaded, known, inputs)?.unwrap_or_default();
    let [of_images, of_captions] = sides;
    Ok(([(of_images, images), (of_captions, captions)], note))
}

/// Warning if the file `captions_from` is a captions file that does not list the captions of an image side by side, as
/// most matrices do; else `None`.
fn order_warning(loaded: &Files, captions_from: Option<&String>) -> Option<Note> {
    let is_unordered = |one: &&CaptionFile| Some(&one.file) == captions_from && !one.is_by_image();
    let file = &loaded.captions.iter().find(is_unordered)?.file;
    Some(Note::warning(format!(
        "{file}: the captions of an image do not stand side by side, as in most matrices: is this their order? (--caption-ids names another)"
    )))
}

/// The ids of a file as a list; an error if an id stands twice.
fn id_list(ids: Ids) -> Result<IdList> {
    let Ids { file, ids, names, .. } = ids;
    IdList::new(ids).map_err(|(id, first, second)| id_twice(&file, &id, [first, second], names))
}

/// Error for an id at two positions. If the file has image file `names` there that differ, the message shows them.
fn id_twice(file: &str, id: &Id, positions: [usize; 2], names: Option<Vec<String>>) -> Error {
    let [first, second] = positions;
    let places = format!("at positions {first} and {second}");
    let expected = "every id once, in matrix order";
    let names = names.map(|names| positions.map(|at| names[at].clone()));
    match names.filter(|[one, other]| one != other) {
        None => Error::new(file, format!("id {id} stands twice, {places}"))
            .expected(expected)
            .fix("write the ids as they were when the scores were computed, one a row or column"),
        Some([one, other]) => {
            let found = format!("{one} and {other}, {places}, are both taken for image {id}");
            Error::new(file, found).expected(expected).fix(
                "ids drop folder and extension of an image file: give images ids that differ without \
                 them, here and in the ground truths (a-0 for a/0.jpg)",
            )
        }
    }
}

/// Ids of captions, from the first of: a flag, a bundle, a list of ids, a captions file; `None` without any.
pub(super) fn caption_ids(loaded: &Files) -> Option<Ids> {
    let captions_file = || {
        loaded.captions.first().map(|file| {
            let ids = file.captions.iter().map(|caption| caption.id.clone());
            Ids::new(file.file.clone(), ids.collect())
        })
    };
    (loaded.caption_ids.clone())
        .or_else(|| bundled_ids(loaded, |parts| parts.caption_ids.clone()))
        .or_else(|| find_list(loaded, Direction::T2i))
        .or_else(captions_file)
}

/// Ids of images, from the first of: a flag, a bundle, a list of ids, a captions file, the images of `captions`; `None`
/// without any.
pub(super) fn image_ids(loaded: &Files, captions: Option<&Ids>) -> Option<Ids> {
    (loaded.image_ids.clone())
        .or_else(|| bundled_ids(loaded, |parts| parts.image_ids.clone()))
        .or_else(|| find_list(loaded, Direction::I2t))
        .or_else(|| listed_images(loaded, captions?))
        .or_else(|| paired_images(loaded, captions?))
}

/// The ids that `select` returns for the first bundle that has them.
fn bundled_ids(loaded: &Files, select: impl Fn(&BundleFile) -> Option<Vec<Id>>) -> Option<Ids> {
    let mut parts = loaded.parts.iter();
    parts.find_map(|(file, parts)| Some(Ids::new(file.clone(), select(&parts.gallery)?)))
}

/// Finds out the side of each list of ids.
pub(super) fn find_sides(loaded: &mut Files) {
    for at in 0..loaded.ids.len() {
        loaded.ids[at].side = Some(detect_side(&loaded.ids[at], loaded));
    }
}

/// The first list of ids that is of this side.
fn find_list(loaded: &Files, side: Direction) -> Option<Ids> {
    loaded.ids.iter().find(|ids| ids.side == Some(side)).cloned()
}

/// The images of a captions file, if that file also gave the caption ids.
fn listed_images(loaded: &Files, captions: &Ids) -> Option<Ids> {
    let listed = loaded.captions.first()?;
    (listed.file == captions.file && !listed.images.is_empty()).then(|| {
        let ids = listed.images.iter().map(|(id, _)| id.clone());
        Ids::new(listed.file.clone(), ids.collect())
    })
}

/// The image id of each caption id, from captions files and the original truth; and the first file that has any, `None`
/// without such a file.
pub(super) fn owners(loaded: &Files) -> (FxHashMap<&Id, &Id>, Option<&str>) {
    let mut image_of: FxHashMap<&Id, &Id> = FxHashMap::default();
    let mut file = None;
    for listed in &loaded.captions {
        let known = listed.captions.iter();
        let known = known.filter_map(|caption| Some((&caption.id, caption.image.as_ref()?)));
        let before = image_of.len();
        image_of.reserve(listed.captions.len());
        image_of.extend(known);
        if image_of.len() > before {
            file.get_or_insert(listed.file.as_str());
        }
    }
    for listed in loaded.truths().filter(|listed| is_original(listed)) {
        if listed.direction == Some(Direction::T2i) {
            file.get_or_insert(listed.file.as_str());
            let pairs = listed.pairs.iter();
            image_of
                .extend(pairs.filter_map(|(caption, mut images)| Some((caption, images.next()?))));
        }
    }
    (image_of, file)
}

/// Images in the order of their captions; `None` if the image of a caption is unknown.
fn paired_images(loaded: &Files, captions: &Ids) -> Option<Ids> {
    let (image_of, file) = owners(loaded);
    let mut images = DistinctIds::default();
    for caption in captions.ids.iter() {
        images.push(Id::clone(image_of.get(caption)?));
    }
    Some(Ids::new(file?.to_owned(), images.ids))
}

/// Whether a list is of the original pairing, by its name.
pub(super) fn is_original(listed: &Listed) -> bool {
    Kind::from_name(&listed.name) == Kind::Original
}

/// The side of an id list, `I2t` for images and `T2i` for captions: by ids in truths and captions files, else by the
/// sizes of the first model. Captions if neither decides.
fn detect_side(ids: &Ids, loaded: &Files) -> Direction {
    let sample: FxHashSet<&Id> = ids.ids.iter().take(200).collect();
    let mut hits = [0usize; 2];
    for listed in loaded.truths() {
        if let Some(direction) = listed.direction {
            let found = listed.pairs.keys().iter().filter(|id| sample.contains(id));
            // Keys differ: there are no more hits than ids in the sample.
            hits[usize::from(direction == Direction::T2i)] += found.take(sample.len()).count();
        }
    }
    for file in &loaded.captions {
        hits[0] += file.images.iter().filter(|(id, _)| sample.contains(id)).count();
        hits[1] += file.captions.iter().filter(|caption| sample.contains(&caption.id)).count();
    }
    let shape = loaded.models.first().and_then(LoadedScores::sizes);
    match hits {
        [images, captions] if images > captions => Direction::I2t,
        [0, 0] if matches!(shape, Some([rows, columns]) if rows == ids.ids.len() && columns != rows) => {
            Direction::I2t
        }
        _ => Direction::T2i,
    }
}
