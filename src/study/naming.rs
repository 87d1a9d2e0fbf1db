//! Ids for captions whose file has none, and the width that published matrices have: five captions
//! an image.

use rustc_hash::FxHashMap;

use super::Note;
use super::files::{Files, Ids};
use super::gallery;
use crate::data::captions::{Caption, CaptionFile, Unnamed};
use crate::data::id::Id;
use crate::data::scores::REPEATS;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Names the captions of all files, after which every one of them has an id.
///
/// # Errors
/// A file whose captions cannot be told apart: their number is that of no known list of ids, or its
/// images are unknown.
pub(super) fn name(loaded: &mut Files) -> Result<()> {
    let known = gallery::caption_ids(loaded);
    let widths = widths(loaded, known.as_ref());
    for (file, unnamed) in std::mem::take(&mut loaded.unnamed) {
        let namer = Namer { loaded, known: known.as_ref(), file: &file };
        let (captions, notes) = namer.first_five(unnamed, &widths)?;
        loaded.notes.extend(notes);
        loaded.captions.push((file, captions));
    }
    if known.as_ref().is_none_or(|known| is_captions_file(known, loaded)) {
        for (file, captions) in &mut loaded.captions {
            let images = captions.captions.iter().map(|caption| caption.image.as_ref());
            let kept = first_five(images, captions.images.len(), &widths);
            loaded.notes.extend(leave_out(file, &mut captions.captions, kept));
        }
    }
    Ok(())
}

/// Names the captions of one more file, once all others have ids.
///
/// # Errors
/// As [`name`].
pub(super) fn named_like(
    loaded: &Files,
    file: &str,
    unnamed: Unnamed,
) -> Result<(CaptionFile, Vec<Note>)> {
    let known = gallery::caption_ids(loaded);
    let widths = widths(loaded, known.as_ref());
    let known = known.as_ref();
    Namer { loaded, known, file }.first_five(unnamed, &widths)
}

fn is_captions_file(known: &Ids, loaded: &Files) -> bool {
    loaded.captions.iter().any(|(file, _)| *file == known.file)
}

/// The sizes that matrices and lists of ids have.
fn widths(loaded: &Files, known: Option<&Ids>) -> Vec<usize> {
    let sizes = loaded.models.iter().filter_map(|(_, given)| given.sizes());
    let mut widths: Vec<usize> = sizes.flatten().collect();
    let known = known.filter(|known| !is_captions_file(known, loaded));
    widths.extend(known.map(|known| known.ids.len()));
    widths
}

/// Which captions are among the first five of their image; `None` where all are wanted. Karpathy's
/// test split has 25,010 captions, and most code keeps five of each image.
fn first_five<K: Eq + std::hash::Hash>(
    image_of: impl ExactSizeIterator<Item = Option<K>>,
    images: usize,
    widths: &[usize],
) -> Option<Vec<bool>> {
    let five = images * REPEATS;
    if image_of.len() <= five || widths.contains(&image_of.len()) || !widths.contains(&five) {
        return None;
    }
    let mut counts: FxHashMap<K, usize> = FxHashMap::default();
    let mut keep = |image: Option<K>| {
        image.is_some_and(|image| {
            let count = counts.entry(image).or_default();
            *count += 1;
            *count <= REPEATS
        })
    };
    let kept: Vec<bool> = image_of.map(&mut keep).collect();
    (kept.iter().filter(|kept| **kept).count() == five).then_some(kept)
}

fn leave_out<T>(file: &str, captions: &mut Vec<T>, kept: Option<Vec<bool>>) -> Option<Note> {
    let all = captions.len();
    let mut kept = kept?.into_iter();
    captions.retain(|_| kept.next().unwrap_or_default());
    Some(Note::fine(format!(
        "{file}: {} captions beyond the fifth of their image are left out",
        grouped(all - captions.len())
    )))
}

/// Names the captions of one file.
struct Namer<'a> {
    loaded: &'a Files,
    known: Option<&'a Ids>,
    file: &'a str,
}

impl Namer<'_> {
    /// The captions with ids, no more than five an image where matrices have as many; and what is said of
    /// them.
    fn first_five(
        &self,
        mut unnamed: Unnamed,
        widths: &[usize],
    ) -> Result<(CaptionFile, Vec<Note>)> {
        let places = unnamed.captions.iter().map(|(image, _)| *image);
        let kept = first_five(places, unnamed.images.len(), widths);
        let left_out = leave_out(self.file, &mut unnamed.captions, kept);
        let mut notes: Vec<Note> = left_out.into_iter().collect();
        let (captions, note) = self.name(unnamed)?;
        notes.push(Note::fine(format!("{}: {note}", self.file)));
        Ok((captions, notes))
    }

    /// The captions with ids, and in words where these come from: without a list, ids are indices.
    fn name(&self, unnamed: Unnamed) -> Result<(CaptionFile, String)> {
        let (owners, _) = gallery::owners(self.loaded);
        let (ids, note) = match self.known {
            None => {
                let indices = (0..unnamed.captions.len() as i64).map(Id::Number);
                (indices.collect(), "captions, ids are indices".to_owned())
            }
            Some(known) if owners.is_empty() || unnamed.images.is_empty() => (
                self.in_order(known, &unnamed)?,
                format!("captions in the order of {}", known.file),
            ),
            Some(known) => {
                let mut of_image: FxHashMap<&Id, Vec<&Id>> = FxHashMap::default();
                for caption in known.ids.iter() {
                    if let Some(&image) = owners.get(caption) {
                        of_image.entry(image).or_default().push(caption);
                    }
                }
                let ids = self.by_image(&unnamed, &of_image)?;
                (ids, format!("captions by image, in the order of {}", known.file))
            }
        };
        let named = unnamed.captions.into_iter().zip(ids);
        let captions = named.map(|((place, text), id)| {
            let image = place.map(|place| unnamed.images[place as usize].0.clone());
            Caption { id, image, text }
        });
        let captions = captions.collect();
        Ok((CaptionFile { captions, images: unnamed.images }, note))
    }

    /// The nth caption of an image is the nth that the gallery has of it.
    fn by_image(&self, unnamed: &Unnamed, of_image: &FxHashMap<&Id, Vec<&Id>>) -> Result<Vec<Id>> {
        let mut counts = vec![0usize; unnamed.images.len()];
        let mut found = 0;
        let mut id_of = |place: u32| {
            let image = &unnamed.images[place as usize].0;
            let count = &mut counts[place as usize];
            *count += 1;
            match of_image.get(image).and_then(|ids| ids.get(*count - 1)) {
                Some(&id) => {
                    found += 1;
                    id.clone()
                }
                // An id that no gallery has: the caption is one too many.
                None => Id::Text(format!("{image}#{count}").into()),
            }
        };
        let places = unnamed.captions.iter().map(|(place, _)| place.unwrap_or_default());
        let ids = places.map(&mut id_of).collect();
        if found == 0 {
            let example = unnamed.images.first().map(|(id, _)| id.to_string());
            let wanted = of_image.keys().next().map(ToString::to_string);
            return Err(Error::new(
                self.file,
                format!(
                    "captions of images that are not in the gallery (for instance {})",
                    example.unwrap_or_default()
                ),
            )
            .expected(format!("images such as {}", wanted.unwrap_or_default())));
        }
        Ok(ids)
    }

    fn in_order(&self, known: &Ids, unnamed: &Unnamed) -> Result<Vec<Id>> {
        let captions = unnamed.captions.len();
        if captions == known.ids.len() {
            return Ok(known.ids.to_vec());
        }
        let what = if unnamed.images.is_empty() {
            "lines of text, taken for captions"
        } else {
            "captions without ids"
        };
        Err(Error::new(self.file, format!("{} {what}", grouped(captions)))
            .expected(format!("{}, one for each id in {}", grouped(known.ids.len()), known.file))
            .mend("name a captions file with ids, or the ids of these captions with --caption-ids"))
    }
}
