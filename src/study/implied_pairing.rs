//! The implied original pairing without a file: consecutive captions per image.

use super::files::Files;
use super::inputs::Inputs;
use super::loaded_scores::Form;
use super::percentile::Percentile;
use super::{Note, Topic, gallery};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::{Model, Scores};
use crate::data::text::{count, grouped};
use crate::error::{Error, Result};
use crate::truth::{Listed, NONE, Truth};

/// The option for it.
const FLAG: &str = "--captions-per-image";
/// Stands for the file of an implied pairing.
const SIZES: &str = "the sizes of the gallery";

/// A pairing and its notes.
pub(super) struct Implied {
    /// One list per direction, unless a file has it.
    pub lists: Vec<Listed>,
    /// Note on it.
    pub note: Note,
    /// Always shown in the explorer; `None` if the user gave the number.
    pub caveat: Option<String>,
}

/// Whether no file has a ground truth and sizes may imply one: those of a matrix, with ids in its order.
pub(super) fn is_wanted(loaded: &Files) -> bool {
    let first = loaded.models.first();
    let in_order = first.is_some_and(|one| !matches!(one.form, Form::Lists(_)));
    let has_none = loaded.parts.iter().all(|(_, parts)| parts.truths.is_empty());
    in_order && has_none && loaded.bases.is_empty() && !loaded.any_order
}

/// The sizes if there are no ids: the first of `readings` with equal captions per image if the pairing is to be
/// implied, else the first.
pub(super) fn choose_sizes(readings: &[[usize; 2]], loaded: &Files, inputs: &Inputs) -> [usize; 2] {
    let wanted = inputs.captions_per_image.map(|wanted| wanted as usize);
    let is_meant = |sizes: &&[usize; 2]| match wanted {
        None => is_wanted(loaded) && ratio(**sizes).is_some(),
        wanted => wanted != Some(0) && ratio(**sizes) == wanted,
    };
    *readings.iter().find(is_meant).unwrap_or(&readings[0])
}

/// The pairing that `--captions-per-image` requests or, if `is_wanted`, the sizes imply; when browsing without one, an
/// empty ground truth. `None` otherwise.
///
/// # Errors
/// A requested number of captions that does not fit every image.
pub(super) fn pairing(
    listed: &[Listed],
    gallery: &Gallery,
    is_wanted: bool,
    inputs: &Inputs,
) -> Result<Option<Implied>> {
    let requested = inputs.captions_per_image;
    let is_wanted = is_wanted && listed.is_empty();
    let has_items = !gallery.images.is_empty() && !gallery.captions.is_empty();
    let empty = || (inputs.is_browsed && is_wanted && has_items).then(|| empty_truth(gallery));
    let per_image = ratio([gallery.images.len(), gallery.captions.len()]);
    let original = listed.iter().find(|one| gallery::is_original(one));
    match (requested, original) {
        (Some(0), _) => Ok(empty()),
        (Some(count), Some(Listed { file, .. })) => Ok(Some(Implied {
            lists: Vec::new(),
            note: Note::warning(format!(
                "{FLAG} {count}: not used, since {file} lists the original pairing"
            )),
            caveat: None,
        })),
        (Some(count), None) => match per_image.filter(|each| *each == count as usize) {
            Some(each) => Ok(Some(Implied {
                lists: lists(gallery, each),
                note: Note::fine(format!(
                    "ground truth original: {}, as {FLAG} says",
                    describe_pairing(each)
                )),
                caveat: None,
            })),
            None => Err(misfit(gallery, count)),
        },
        (None, _) if is_wanted => {
            let assumed = per_image.map(|each| assumed(gallery, each));
            Ok(assumed.or_else(empty))
        }
        (None, _) => Ok(None),
    }
}

/// Captions per image, if equal for all.
fn ratio([images, captions]: [usize; 2]) -> Option<usize> {
    let fits = images > 0 && captions >= images && captions.is_multiple_of(images);
    fits.then(|| captions / images)
}

/// Error for an assumed pairing with chance-level ranks in all models.
pub(super) fn contradicted(
    implied: Option<&Implied>,
    gallery: &Gallery,
    models: &[Model],
    truths: &[Truth],
) -> Option<Error> {
    implied.filter(|implied| implied.note.topic == Topic::Assumed)?;
    let of_model = |model: &Model| {
        let direction = match &model.scores {
            Scores::Matrix(matrix) => matrix.rows(),
            Scores::Two(_) | Scores::Embeddings(_) => Direction::I2t,
            _ => return None,
        };
        let relevance = truths.first()?.relevance[direction].as_ref()?;
        let found = Percentile::sample(&model.scores, direction, relevance)?;
        (found.is_telling() && found.is_chance()).then_some(found)
    };
    let of_models: Option<Vec<Percentile>> = models.iter().map(of_model).collect();
    let first = of_models?.first()?.described();
    let found = format!(
        "no ground truth among the files, and the scores contradict the pairing that {} imply ({first})",
        sizes(gallery)
    );
    let each = gallery.captions.len() / gallery.images.len();
    let mend = format!(
        "name a ground truth or COCO captions beside the scores; if {each} captions in a row belong to each image, add \
         {FLAG} {each}; if these are embeddings: --image-emb FILE --text-emb FILE"
    );
    let error = Error::new("inputs", found);
    let expected = "a file that lists which captions belong to which image";
    Some(error.expected(expected).mend(mend))
}

fn assumed(gallery: &Gallery, each: usize) -> Implied {
    let plural = if each == 1 { "caption" } else { "captions" };
    let text = format!(
        "no ground truth among the files: {}, as {} imply ({FLAG} K sets another number, 0 none)",
        describe_pairing(each),
        sizes(gallery)
    );
    Implied {
        lists: lists(gallery, each),
        note: Note::about(Topic::Assumed, text),
        caveat: Some(format!("{} {plural}/image assumed", grouped(each))),
    }
}

/// Without positives: an empty ground truth.
pub(super) fn empty_truth(gallery: &Gallery) -> Implied {
    let listed = |direction| {
        let queries = gallery.queries(direction).as_slice().iter();
        let pairs = queries.map(|query| (query.clone(), Vec::new())).collect();
        Listed::new(NONE, direction, pairs, SIZES)
    };
    Implied {
        lists: Direction::both(listed).into(),
        note: Note::fine(format!(
            "no ground truth among the files, and none is assumed of {}: rankings and scores alone, no metric is defined \
             before you judge ({FLAG} K pairs each image with K captions in a row; embeddings: --image-emb FILE --text-emb FILE)",
            sizes(gallery)
        )),
        caveat: Some("no ground truth".into()),
    }
}

fn misfit(gallery: &Gallery, count: u32) -> Error {
    let found = format!("{count}, but there are {}", sizes(gallery));
    let [images, captions] = [gallery.images.len(), gallery.captions.len()];
    let error = Error::new(FLAG, found);
    match ratio([images, captions]) {
        Some(each) => error.expected(format!("{each}, or a file that lists the pairing")),
        None => error.expected("as many captions for every image").mend(
            "name a file that lists the pairing: a ground truth called original, or COCO captions",
        ),
    }
}

fn describe_pairing(each: usize) -> String {
    match each {
        1 => "each caption is taken for that of the image at its place".to_owned(),
        _ => format!("{} captions in a row are taken for those of an image", grouped(each)),
    }
}

fn sizes(gallery: &Gallery) -> String {
    let [images, captions] = [gallery.images.len(), gallery.captions.len()];
    format!("{} x {}", count(images, "image"), count(captions, "caption"))
}

/// Consecutive captions per image.
fn lists(gallery: &Gallery, each: usize) -> Vec<Listed> {
    let (images, captions) = (gallery.images.as_slice(), gallery.captions.as_slice());
    let both = || images.iter().zip(captions.chunks(each));
    let i2t = both().map(|(image, own)| (image.clone(), own.to_vec()));
    let t2i = both()
        .flat_map(|(image, own)| own.iter().map(|caption| (caption.clone(), [image.clone()])));
    let listed = |direction, pairs| Listed::new("original", direction, pairs, SIZES);
    vec![listed(Direction::I2t, i2t.collect()), listed(Direction::T2i, t2i.collect())]
}
