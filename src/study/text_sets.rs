//! Several texts of the same captions, such as original and refined ones of MSCOCO-FG: each model was given one set.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::files::Files;
use super::inputs::Inputs;
use super::recognise::{FileContents, recognise};
use super::{Note, Study, caption_ids};
use crate::data::captions::CaptionFile;
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::index::ModelIx;
use crate::data::near::unknown_error;
use crate::data::source::Source;
use crate::data::text::{Text, grouped, shown};
use crate::data::word_diff;
use crate::error::{Error, Result};

/// Name of the set of the gallery's own texts.
pub const ORIGINAL: &str = "original";

/// One text for each caption of the gallery.
#[derive(Debug, Clone, Default)]
pub struct TextSet {
    /// Name of the set.
    pub name: String,
    /// Texts in matrix order; empty if not requested.
    pub texts: Vec<Text>,
    /// Models that were given these texts.
    pub models: Vec<String>,
}

/// Reads the text sets given by flags, after a set of the gallery's own texts. Returns no set if no flag gives texts.
/// Also returns notes.
///
/// # Errors
/// A file without captions, or none of the gallery; a duplicate name.
pub(super) fn read(
    loaded: &Files,
    gallery: &Gallery,
    inputs: &Inputs,
) -> Result<(Vec<TextSet>, Vec<Note>)> {
    let mut notes = Vec::new();
    let mut sets: Vec<TextSet> = Vec::new();
    for (name, file) in &inputs.text_sets {
        if sets.is_empty() {
            sets.push(TextSet {
                name: ORIGINAL.to_owned(),
                texts: gallery.texts.clone(),
                models: Vec::new(),
            });
        }
        if sets.iter().any(|set| set.name == *name) {
            return Err(Error::new("--texts", format!("{} stands twice", shown(name)))
                .expected("a name of its own, other than original"));
        }
        let texts = if inputs.texts {
            read_texts(loaded, gallery, (name, file), inputs, &mut notes)?
        } else {
            // Texts are not needed, but the file must exist.
            Source::open(file)?;
            Vec::new()
        };
        sets.push(TextSet { name: name.clone(), texts, models: Vec::new() });
    }
    Ok((sets, notes))
}

/// Texts of one file in matrix order; missing captions use the gallery's text.
fn read_texts(
    loaded: &Files,
    gallery: &Gallery,
    (name, path): (&str, &Path),
    inputs: &Inputs,
    notes: &mut Vec<Note>,
) -> Result<Vec<Text>> {
    let FileContents::Captions(captions) =
        recognise(&Arc::new(Source::open(path)?), inputs.split())?
    else {
        return Err(Error::new(path.display(), "no captions in it").expected(
            "a file of captions: that of MSCOCO-FG, COCO captions, a list, or one a line",
        ));
    };
    let (CaptionFile { file, captions, .. }, added) = caption_ids::assign_to(loaded, captions)?;
    notes.extend(added);
    let text_of = captions.iter().map(|caption| (&caption.id, caption.text.as_str()));
    let text_of: FxHashMap<&Id, &str> = text_of.collect();
    let ids = gallery.captions.as_slice();
    let found = ids.iter().filter(|id| text_of.contains_key(id)).count();
    if found == 0 {
        let expected = "captions of the gallery: its images, and as many captions of each";
        return Err(Error::new(file, "none of its captions is in the gallery").expected(expected));
    }
    if found < ids.len() {
        notes.push(Note::warning(format!(
            "{file}: {} captions have no text in it and keep their own",
            grouped(ids.len() - found)
        )));
    }
    let original = |at: usize| gallery.texts.get(at).cloned().unwrap_or_default();
    let text = |(at, id)| text_of.get(id).map_or_else(|| original(at), |text| Text::new(text));
    let texts: Vec<Text> = ids.iter().enumerate().map(text).collect();
    let has_new_words = |(original, text): &(&Text, &Text)| {
        !word_diff::added_words(original.shown(), text.shown()).is_empty()
    };
    let with_new_words = gallery.texts.iter().zip(&texts).filter(has_new_words).count();
    notes.push(Note::fact(format!(
        "{file}: texts {name} of {} captions, {} of them with words that the original text lacks",
        grouped(found),
        grouped(with_new_words)
    )));
    Ok(texts)
}

impl Study {
    /// Assigns text sets to models, by pairs of a model's and a set's name; warns of sets without a model.
    ///
    /// # Errors
    /// Unknown models or texts.
    pub(super) fn assign_text_sets(&mut self, captions_of: &[(String, String)]) -> Result<()> {
        let mut sets = self.text_sets.to_vec();
        for (model, name) in captions_of {
            self.require_model(model)?;
            let set = sets.iter().position(|set| set.name == *name);
            let set = set.ok_or_else(|| {
                let known: Vec<&str> = sets.iter().map(|set| &*set.name).collect();
                let error = unknown_error("--captions-of", "set of texts", name, &known);
                error.fix("--texts NAME=FILE names some")
            })?;
            sets[set].models.push(model.clone());
        }
        let unused = sets.iter().skip(1).filter(|set| set.models.is_empty());
        self.notes.extend(unused.map(|set| {
            let name = &set.name;
            Note::warning(format!(
                "texts {name}: no model was given them (--captions-of MODEL={name})"
            ))
        }));
        self.text_sets = sets.into();
        Ok(())
    }

    /// Index of a model's texts in [`Study::text_sets`]; 0, the gallery's own, if no set was assigned to the model.
    pub fn text_set_index(&self, model: ModelIx) -> usize {
        let Some(model) = self.models.get(model.get()) else {
            return 0;
        };
        let mut sets = self.text_sets.iter();
        sets.position(|set| set.models.contains(&model.name)).unwrap_or(0)
    }

    /// The study with the texts that a model was given; `None` if the gallery has them already, or there are no text
    /// sets.
    pub fn with_texts_of(&self, model: ModelIx) -> Option<Study> {
        let set = self.text_set_index(model);
        let texts = &self.text_sets.get(set)?.texts;
        (set != self.texts_shown).then(|| {
            let mut study = self.clone();
            study.texts_shown = set;
            study.gallery.texts.clone_from(texts);
            study
        })
    }

    /// A caption's text as given to a model, or its id if it has no text.
    pub fn caption_of(&self, model: ModelIx, caption: usize) -> String {
        let set = self.text_sets.get(self.text_set_index(model));
        let text = set.and_then(|set| set.texts.get(caption)).map(Text::shown);
        let text = text.filter(|text| !text.trim().is_empty());
        text.map_or_else(|| self.gallery.caption(caption), str::to_owned)
    }

    /// Name of the texts that a model was given; `None` if [`Study::text_sets`] is empty.
    pub fn texts_name_of(&self, model: ModelIx) -> Option<&str> {
        let set = self.text_sets.get(self.text_set_index(model));
        set.map(|set| &*set.name)
    }

    /// Name of the texts that the gallery has; `None` if [`Study::text_sets`] is empty.
    pub fn texts_name(&self) -> Option<&str> {
        self.text_sets.get(self.texts_shown).map(|set| &*set.name)
    }

    /// Whether the gallery has the original texts.
    pub fn has_original_texts(&self) -> bool {
        self.texts_shown == 0
    }

    /// Original text of a caption; `None` if the gallery has the original texts, or this caption has none.
    pub fn original_text(&self, caption: usize) -> Option<&str> {
        let original = self.text_sets.first().filter(|_| self.texts_shown > 0)?;
        let text = original.texts.get(caption).map(Text::shown);
        text.filter(|text| !text.trim().is_empty())
    }

    /// For each character of a caption's text except blanks, whether its word is missing from the original text. Empty
    /// if [`Study::original_text`] is `None`.
    pub fn added_letters(&self, caption: usize) -> Vec<bool> {
        let Some(original) = self.original_text(caption) else {
            return Vec::new();
        };
        let text = self.gallery.caption(caption);
        let added = word_diff::added_words(original, &text);
        let letters = text.char_indices().filter(|(_, letter)| !letter.is_whitespace());
        letters.map(|(at, _)| added.iter().any(|word| word.contains(&at))).collect()
    }
}
