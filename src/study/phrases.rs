//! Matches annotated sentences to captions, or builds the gallery from Flickr30k Entities.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::files::Files;
use super::{Note, Study};
use crate::data::Direction;
use crate::data::captions::{Caption, CaptionFile};
use crate::data::id::Id;
use crate::data::text::{grouped, shell_word};
use crate::error::{Error, Result};
use crate::phrase::{Entities, Phrases, Sentence, read_split};

/// Maximum number of annotation problems listed one by one; the rest is counted.
const MAX_PROBLEMS: usize = 5;

impl Study {
    /// Loads phrases of the gallery's captions and boxes of its images from a folder; no effect if it is `None`. With
    /// the folder's content in `already_read`, reads no file.
    ///
    /// # Errors
    /// Not a folder of Flickr30k Entities, or none of the images.
    pub(super) fn add_phrases(
        &mut self,
        folder: Option<&Path>,
        already_read: Option<Entities>,
    ) -> Result<()> {
        let Some(folder) = folder else {
            return Ok(());
        };
        let mut entities = match already_read {
            Some(entities) => entities,
            None => Entities::read(folder, Some(&self.image_ids()))?,
        };
        let problems = std::mem::take(&mut entities.problems);
        let owner = |caption| {
            self.original_items(Direction::T2i, caption).first().map(|image| image as usize)
        };
        let phrases = Phrases::new(entities, &self.gallery, owner);
        self.notes.push(coverage_note(folder, phrases.counts(), self));
        let one_line = |problem: &Error| problem.to_string().replace("\n  ", "; ");
        let first = problems.iter().take(MAX_PROBLEMS);
        self.notes.extend(first.map(|problem| Note::warning(one_line(problem))));
        if problems.len() > MAX_PROBLEMS {
            let more = grouped(problems.len() - MAX_PROBLEMS);
            let folder = folder.display();
            let named = shell_word(&folder.to_string());
            let line = format!(
                "{folder}: {more} more such warnings; itm-explore phrases stats {named} lists all"
            );
            self.notes.push(Note::warning(line));
        }
        self.phrases = Some(Arc::new(phrases));
        Ok(())
    }

    /// Ids of the gallery's images, and the ids that their file names stand for.
    fn image_ids(&self) -> FxHashSet<Id> {
        let names = self.gallery.file_names.iter().map(|name| Id::from_file_name(name.raw()));
        self.gallery.images.as_slice().iter().cloned().chain(names).collect()
    }
}

/// Note on how many images and captions of the gallery have phrases.
fn coverage_note(folder: &Path, [images, captions]: [usize; 2], study: &Study) -> Note {
    let share = |count: usize, all: usize| format!("{} of {}", grouped(count), grouped(all));
    let gallery = &study.gallery;
    let line = format!(
        "{}: phrases of {} images and {} captions",
        folder.display(),
        share(images, gallery.images.len()),
        share(captions, gallery.captions.len())
    );
    // Captions without a sentence with equal letters are other captions, or edited.
    if captions == gallery.captions.len() {
        return Note::fact(line);
    }
    Note::warning(format!("{line}; a caption is a sentence with the same letters and digits"))
}

/// Adds the annotated sentences in `folder` as captions of the images in a list of image ids, else in the file of the
/// split. No effect if a file has captions, or if there is neither list.
///
/// # Errors
/// A list or a folder that cannot be read.
pub(super) fn add_sentences(loaded: &mut Files, folder: &Path, split: &str) -> Result<()> {
    let mut bundles = loaded.parts.iter().map(|(_, parts)| &parts.gallery);
    let has_captions = loaded.caption_ids.is_some()
        || !loaded.captions.is_empty()
        || bundles.any(|parts| parts.caption_ids.is_some());
    let list = folder.join(format!("{split}.txt"));
    let listed = loaded.image_ids.as_ref().or(loaded.ids.first());
    let images = match listed {
        _ if has_captions => return Ok(()),
        Some(ids) => ids.ids.to_vec(),
        None if list.is_file() => read_split(&list)?,
        None => return Ok(()),
    };
    let images = images_in_split(images, &list)?;
    let entities = Entities::read(folder, Some(&images.iter().cloned().collect()))?;
    let from = folder.join("Sentences").display().to_string();
    loaded.captions.push(sentences_as_captions(from, &entities, images));
    loaded.entities = Some(entities);
    Ok(())
}

/// The images that are also in the file `list` of the split: an enlarged gallery has other images, without captions.
/// Returns all `images` if the file is missing or has none of them.
fn images_in_split(images: Vec<Id>, list: &Path) -> Result<Vec<Id>> {
    if !list.is_file() {
        return Ok(images);
    }
    let split: FxHashSet<Id> = read_split(list)?.into_iter().collect();
    let known: Vec<Id> = images.iter().filter(|id| split.contains(id)).cloned().collect();
    Ok(if known.is_empty() { images } else { known })
}

/// Sentences of images, with ids like Flickr30k: `1007129816#0`. An unreadable sentence becomes a caption without text,
/// so that later ones keep their numbers. `file` is for messages.
fn sentences_as_captions(file: String, entities: &Entities, images: Vec<Id>) -> CaptionFile {
    let mut file = CaptionFile { file, has_ids: true, ..CaptionFile::default() };
    for image in images {
        let known = entities.image(&image);
        for (number, sentence) in known.iter().flat_map(|image| &image.sentences).enumerate() {
            file.captions.push(Caption {
                id: Id::parse(&format!("{}#{number}", image.raw())),
                image: Some(image.clone()),
                text: sentence
                    .as_ref()
                    .map_or_else(String::new, |Sentence { text, .. }| text.clone()),
            });
        }
        let name = format!("{}.jpg", image.raw());
        file.images.push((image, Some(name)));
    }
    file
}
