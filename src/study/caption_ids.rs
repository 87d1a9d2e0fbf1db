//! Ids for captions without any, and the width of published matrices: five captions per image.

use rustc_hash::FxHashMap;

use super::Note;
use super::files::{Files, Ids};
use super::gallery;
use super::loaded_scores::LoadedScores;
use crate::data::captions::CaptionFile;
use crate::data::id::Id;
use crate::data::scores::CAPTIONS_PER_IMAGE;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Assigns ids to the captions of all files without any, and keeps five per image if matrices have as many.
///
/// # Errors
/// Captions that cannot be identified: their number matches no known id list, or their images are unknown.
pub(super) fn assign_to_all(loaded: &mut Files) -> Result<()> {
    let all = std::mem::take(&mut loaded.captions).into_iter();
    let (named, unnamed): (Vec<_>, Vec<_>) = all.partition(|captions| captions.has_ids);
    loaded.captions = named;
    gallery::find_sides(loaded);
    let known = gallery::caption_ids(loaded);
    let counts = possible_counts(loaded, known.as_ref());
    for captions in unnamed {
        let (captions, notes) = with_ids(loaded, known.as_ref(), captions, &counts)?;
        loaded.notes.extend(notes);
        loaded.captions.push(captions);
    }
    if known.as_ref().is_none_or(|known| is_from_captions_file(known, loaded)) {
        let cut = loaded.captions.iter_mut().filter_map(|file| keep_first_five(file, &counts));
        loaded.notes.extend(cut);
    }
    Ok(())
}

/// Assigns ids to the captions of another file, by the ids of files already read; returns its captions and notes. No
/// effect if the captions have ids.
///
/// # Errors
/// As [`assign_to_all`].
pub(super) fn assign_to(loaded: &Files, captions: CaptionFile) -> Result<(CaptionFile, Vec<Note>)> {
    if captions.has_ids {
        return Ok((captions, Vec::new()));
    }
    let known = gallery::caption_ids(loaded);
    with_ids(loaded, known.as_ref(), captions, &possible_counts(loaded, known.as_ref()))
}

/// Whether the known ids come from a captions file.
fn is_from_captions_file(known: &Ids, loaded: &Files) -> bool {
    loaded.captions.iter().any(|captions| captions.file == known.file)
}

/// Numbers that may be that of the captions: both sizes of each matrix, and the length of the known list of ids unless
/// it comes from a captions file.
fn possible_counts(loaded: &Files, known: Option<&Ids>) -> Vec<usize> {
    let sizes = loaded.models.iter().filter_map(LoadedScores::sizes);
    let mut counts: Vec<usize> = sizes.flatten().collect();
    let known = known.filter(|known| !is_from_captions_file(known, loaded));
    counts.extend(known.map(|known| known.ids.len()));
    counts
}

/// Keeps the first five captions of each image if a matrix has as many, and returns a note; else no effect and `None`.
/// Karpathy's test split has 25,010 captions, and most code keeps five per image.
fn keep_first_five(file: &mut CaptionFile, counts: &[usize]) -> Option<Note> {
    let (all, five) = (file.captions.len(), file.images.len() * CAPTIONS_PER_IMAGE);
    if all <= five || counts.contains(&all) || !counts.contains(&five) {
        return None;
    }
    let mut seen: FxHashMap<Option<&Id>, usize> = FxHashMap::default();
    let mut kept = Vec::with_capacity(all);
    for caption in &file.captions {
        let count = seen.entry(caption.image.as_ref()).or_default();
        *count += 1;
        kept.push(caption.image.is_some() && *count <= CAPTIONS_PER_IMAGE);
    }
    if kept.iter().filter(|kept| **kept).count() != five {
        return None;
    }
    let mut kept = kept.into_iter();
    file.captions.retain(|_| kept.next().unwrap_or_default());
    Some(Note::fact(format!(
        "{}: {} captions beyond the fifth of their image are excluded",
        file.file,
        grouped(all - five)
    )))
}

/// The captions of `file` with ids, at most five per image if matrices have as many; and notes. The ids are the `known`
/// ones, by image or by order, or indices if `known` is `None`.
fn with_ids(
    loaded: &Files,
    known: Option<&Ids>,
    mut file: CaptionFile,
    counts: &[usize],
) -> Result<(CaptionFile, Vec<Note>)> {
    let mut notes = Vec::from_iter(keep_first_five(&mut file, counts));
    let (owners, _) = gallery::owners(loaded);
    let (ids, order) = match known {
        None => {
            let indices = (0..file.captions.len() as i64).map(Id::Number);
            (indices.collect(), "captions, ids are indices".to_owned())
        }
        Some(known) if owners.is_empty() || file.images.is_empty() => {
            (ids_by_order(known, &file)?, format!("captions in the order of {}", known.file))
        }
        Some(known) => {
            let ids = ids_by_image(known, &file, &owners)?;
            (ids, format!("captions by image, in the order of {}", known.file))
        }
    };
    notes.push(Note::fact(format!("{}: {order}", file.file)));
    for (caption, id) in file.captions.iter_mut().zip(ids) {
        caption.id = id;
    }
    Ok((file, notes))
}

/// Ids of captions: the nth caption of an image gets the nth known id of that image. `owners` has the image of each id.
fn ids_by_image(known: &Ids, file: &CaptionFile, owners: &FxHashMap<&Id, &Id>) -> Result<Vec<Id>> {
    let mut of_image: FxHashMap<&Id, Vec<&Id>> = FxHashMap::default();
    for caption in known.ids.iter() {
        if let Some(&image) = owners.get(caption) {
            of_image.entry(image).or_default().push(caption);
        }
    }
    let mut counts: FxHashMap<&Id, usize> = FxHashMap::default();
    let mut found = 0;
    let next_id = |image| {
        let count = counts.entry(image).or_default();
        *count += 1;
        match of_image.get(image).and_then(|ids| ids.get(*count - 1)) {
            Some(&id) => {
                found += 1;
                id.clone()
            }
            // An id outside any gallery: one caption too many.
            None => Id::Text(format!("{image}#{count}").into()),
        }
    };
    let ids = file.captions.iter().filter_map(|caption| caption.image.as_ref()).map(next_id);
    let ids = ids.collect();
    if found == 0 {
        let example = file.images.first().map(|(id, _)| id.to_string()).unwrap_or_default();
        let wanted = of_image.keys().next().map(ToString::to_string).unwrap_or_default();
        let found =
            format!("captions of images that are not in the gallery (for instance {example})");
        return Err(Error::new(&file.file, found).expected(format!("images such as {wanted}")));
    }
    Ok(ids)
}

/// The known ids, for captions in the same order; an error if there are not as many.
fn ids_by_order(known: &Ids, file: &CaptionFile) -> Result<Vec<Id>> {
    let captions = file.captions.len();
    if captions == known.ids.len() {
        return Ok(known.ids.to_vec());
    }
    let what = if file.images.is_empty() {
        "lines of text, taken for captions"
    } else {
        "captions without ids"
    };
    Err(Error::new(&file.file, format!("{} {what}", grouped(captions)))
        .expected(format!("{}, one for each id in {}", grouped(known.ids.len()), known.file))
        .fix("name a captions file with ids, or the ids of these captions with --caption-ids"))
}
