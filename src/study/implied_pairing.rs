//! The implied original pairing without a file: consecutive captions per image.

use super::files::Files;
use super::inputs::Inputs;
use super::loaded_scores::LoadedForm;
use super::percentile::Percentile;
use super::{Note, Topic, gallery};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::{Model, Scores};
use crate::data::text::{count, grouped};
use crate::error::{Error, Result};
use crate::truth::{Listed, NONE, Truth};

/// Option for the number of consecutive captions per image.
const FLAG: &str = "--captions-per-image";
/// Source of an implied pairing in messages, in place of a file.
const SIZES: &str = "the sizes of the gallery";

/// A pairing that no file lists, and its note.
pub(super) struct ImpliedPairing {
    /// The lists of both directions; empty if a file lists the original pairing.
    pub lists: Vec<Listed>,
    /// Note on the pairing.
    pub note: Note,
    /// [`super::Study::caveat`]; `None` if the user requested the pairing.
    pub caveat: Option<String>,
}

/// Whether sizes may imply the pairing: no file has a ground truth, and a matrix gives the order of ids.
pub(super) fn can_be_implied(loaded: &Files) -> bool {
    let first = loaded.models.first();
    let in_order = first.is_some_and(|one| !matches!(one.form, LoadedForm::Lists(_)));
    let has_none = loaded.parts.iter().all(|(_, parts)| parts.truths.is_empty());
    in_order && has_none && loaded.rule_files.is_empty() && !loaded.any_order
}

/// Whether the gallery has the order of a matrix or of files with ids, so that captions in a row may belong together.
/// With ranked lists alone, ids stand in the order of their first retrieval.
pub(super) fn is_in_order(loaded: &Files) -> bool {
    let are_lists =
        loaded.models.first().is_some_and(|one| matches!(one.form, LoadedForm::Lists(_)));
    let captions = || gallery::caption_ids(loaded);
    !are_lists || captions().is_some_and(|ids| gallery::image_ids(loaded, Some(&ids)).is_some())
}

/// Numbers of images and captions if there are no ids: the first of `readings` with the requested number of captions
/// per image. Without a request, the first with equally many for every image, if the pairing can be implied. Else the
/// first reading.
pub(super) fn choose_sizes(readings: &[[usize; 2]], loaded: &Files, inputs: &Inputs) -> [usize; 2] {
    let requested = inputs.captions_per_image.map(|count| count as usize);
    let fits = |sizes: &&[usize; 2]| match requested {
        None => can_be_implied(loaded) && captions_per_image(**sizes).is_some(),
        _ => requested != Some(0) && captions_per_image(**sizes) == requested,
    };
    *readings.iter().find(fits).unwrap_or(&readings[0])
}

/// The pairing that `--captions-per-image` requests, or that the sizes imply if `can_be_implied` and nothing is
/// `listed`; an empty ground truth when browsing without a pairing. `None` otherwise.
///
/// # Errors
/// A requested number of captions that does not fit every image, or of ids that are not `in_order`.
pub(super) fn pairing(
    listed: &[Listed],
    gallery: &Gallery,
    [can_be_implied, in_order]: [bool; 2],
    inputs: &Inputs,
) -> Result<Option<ImpliedPairing>> {
    let requested = inputs.captions_per_image;
    let can_be_implied = can_be_implied && listed.is_empty();
    let has_items = !gallery.images.is_empty() && !gallery.captions.is_empty();
    let empty = || (inputs.is_browsed && can_be_implied && has_items).then(|| empty_truth(gallery));
    let per_image = captions_per_image([gallery.images.len(), gallery.captions.len()]);
    let original = listed.iter().find(|one| gallery::is_original(one));
    match (requested, original) {
        (Some(0), _) => Ok(empty()),
        (Some(count), Some(Listed { file, .. })) => Ok(Some(ImpliedPairing {
            lists: Vec::new(),
            note: Note::warning(format!(
                "{FLAG} {count}: not used, since {file} lists the original pairing"
            )),
            caveat: None,
        })),
        (Some(count), None) if !in_order => {
            let found = format!("{count}, but ranked lists do not tell the order of the ids");
            Err(Error::new(FLAG, found)
                .expected("the ids of all images and captions, in order")
                .fix("--image-ids FILE --caption-ids FILE"))
        }
        (Some(count), None) => match per_image.filter(|each| *each == count as usize) {
            Some(each) => Ok(Some(ImpliedPairing {
                lists: lists(gallery, each),
                note: Note::fact(format!(
                    "ground truth original: {}, as {FLAG} says",
                    describe_pairing(each)
                )),
                caveat: None,
            })),
            None => Err(misfit(gallery, count)),
        },
        (None, _) if can_be_implied => {
            let assumed = per_image.map(|each| assume_pairing(gallery, each));
            Ok(assumed.or_else(empty))
        }
        (None, _) => Ok(None),
    }
}

/// Captions per image for these numbers of images and captions, if equal for all.
fn captions_per_image([images, captions]: [usize; 2]) -> Option<usize> {
    let fits = images > 0 && captions >= images && captions.is_multiple_of(images);
    fits.then(|| captions / images)
}

/// Error for an assumed pairing whose positives rank by chance in all models; `None` if it may be right.
pub(super) fn contradiction(
    implied: Option<&ImpliedPairing>,
    gallery: &Gallery,
    models: &[Model],
    truths: &[Truth],
) -> Option<Error> {
    implied.filter(|implied| implied.note.topic == Topic::Assumed)?;
    let chance_percentile = |model: &Model| {
        let direction = match &model.scores {
            Scores::Matrix(matrix) => matrix.rows(),
            Scores::Two(_) | Scores::Embeddings(_) => Direction::I2t,
            _ => return None,
        };
        let relevance = truths.first()?.relevance[direction].as_ref()?;
        let found = Percentile::sample(&model.scores, direction, relevance)?;
        (found.is_evidence() && found.is_chance()).then_some(found)
    };
    let percentiles: Option<Vec<Percentile>> = models.iter().map(chance_percentile).collect();
    let first = percentiles?.first()?.describe();
    let found = format!(
        "no ground truth among the files, and the scores contradict the pairing that {} imply ({first})",
        describe_sizes(gallery)
    );
    let each = gallery.captions.len() / gallery.images.len();
    let fix = format!(
        "name a ground truth or COCO captions beside the scores; if {each} captions in a row belong to each image, add \
         {FLAG} {each}; if these are embeddings: --image-emb FILE --text-emb FILE"
    );
    let error = Error::new("inputs", found);
    let expected = "a file that lists which captions belong to which image";
    Some(error.expected(expected).fix(fix))
}

/// A pairing with `each` captions per image that nothing but the sizes implies, with a warning.
fn assume_pairing(gallery: &Gallery, each: usize) -> ImpliedPairing {
    let plural = if each == 1 { "caption" } else { "captions" };
    let text = format!(
        "no ground truth among the files: {}, as {} imply ({FLAG} K sets another number, 0 none)",
        describe_pairing(each),
        describe_sizes(gallery)
    );
    ImpliedPairing {
        lists: lists(gallery, each),
        note: Note::warning_about(Topic::Assumed, text),
        caveat: Some(format!("{} {plural}/image assumed", grouped(each))),
    }
}

/// A ground truth that covers all queries and has no positive, for browsing.
pub(super) fn empty_truth(gallery: &Gallery) -> ImpliedPairing {
    let listed = |direction| {
        let queries = gallery.queries(direction).as_slice().iter();
        let pairs = queries.map(|query| (query.clone(), Vec::new())).collect();
        Listed::new(NONE, direction, pairs, SIZES)
    };
    ImpliedPairing {
        lists: Direction::both(listed).into(),
        note: Note::fact(format!(
            "no ground truth among the files, and none is assumed of {}: rankings and scores alone, no metric is defined \
             before you judge ({FLAG} K pairs each image with K captions in a row; embeddings: --image-emb FILE --text-emb FILE)",
            describe_sizes(gallery)
        )),
        caveat: Some("no ground truth".into()),
    }
}

/// Error for a requested number of captions per image that does not fit the gallery.
fn misfit(gallery: &Gallery, count: u32) -> Error {
    let found = format!("{count}, but there are {}", describe_sizes(gallery));
    let [images, captions] = [gallery.images.len(), gallery.captions.len()];
    let error = Error::new(FLAG, found);
    match captions_per_image([images, captions]) {
        Some(each) => error.expected(format!("{each}, or a file that lists the pairing")),
        None => error.expected("as many captions for every image").fix(
            "name a file that lists the pairing: a ground truth called original, or COCO captions",
        ),
    }
}

/// The pairing of `each` consecutive captions per image, in words.
fn describe_pairing(each: usize) -> String {
    match each {
        1 => "each caption is taken for that of the image at its place".to_owned(),
        _ => format!("{} captions in a row are taken for those of an image", grouped(each)),
    }
}

/// Numbers of images and captions, in words.
fn describe_sizes(gallery: &Gallery) -> String {
    let [images, captions] = [gallery.images.len(), gallery.captions.len()];
    format!("{} x {}", count(images, "image"), count(captions, "caption"))
}

/// The original pairing in both directions, with `each` consecutive captions per image.
fn lists(gallery: &Gallery, each: usize) -> Vec<Listed> {
    let (images, captions) = (gallery.images.as_slice(), gallery.captions.as_slice());
    let both = || images.iter().zip(captions.chunks(each));
    let i2t = both().map(|(image, own)| (image.clone(), own.to_vec()));
    let t2i = both()
        .flat_map(|(image, own)| own.iter().map(|caption| (caption.clone(), [image.clone()])));
    let listed = |direction, pairs| Listed::new("original", direction, pairs, SIZES);
    vec![listed(Direction::I2t, i2t.collect()), listed(Direction::T2i, t2i.collect())]
}
