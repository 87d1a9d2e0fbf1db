//! Stage one of opening a study: reads and recognises every file by content.

use std::path::PathBuf;
use std::sync::Arc;

use super::derived_truths::RuleFile;
use super::inputs::Inputs;
use super::loaded_scores::{self, LoadedScores};
use super::recognise::{FileContents, is_captions, read_id_list, recognise};
use super::{Note, demo, folders, pairing, phrases};
use crate::data::Direction;
use crate::data::captions::CaptionFile;
use crate::data::id::Id;
use crate::data::parallel;
use crate::data::source::Source;
use crate::error::Result;
use crate::phrase::Entities;
use crate::truth::rule::RULES;
use crate::truth::{Kind, Listed, TruthFile};

/// Contents of all files of a study, before they are combined over one gallery.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub models: Vec<LoadedScores>,
    /// Lists of ids of an unknown side.
    pub ids: Vec<Ids>,
    pub image_ids: Option<Ids>,
    pub caption_ids: Option<Ids>,
    /// Captions, whose ids may be missing: see [`super::caption_ids`].
    pub captions: Vec<CaptionFile>,
    /// Files with the id or index of each caption's image.
    pub indexed: Vec<(String, Vec<Id>)>,
    /// Files of rules, such as object categories.
    pub rule_files: Vec<RuleFile>,
    /// Ground-truth files and their contents.
    pub parts: Vec<(String, TruthFile)>,
    pub notes: Vec<Note>,
    /// Whether the ids may be in any order: see [`Inputs::any_order`].
    pub any_order: bool,
    /// Flickr30k Entities, if its sentences are the captions.
    pub entities: Option<Entities>,
}

/// A list of ids and the file it comes from.
#[derive(Debug, Clone)]
pub(super) struct Ids {
    pub file: String,
    pub ids: Arc<Vec<Id>>,
    /// File names, if the list has image files.
    pub names: Option<Vec<String>>,
    /// Whether these are ids of images (`I2t`) or captions; `None` before [`super::gallery::find_sides`].
    pub side: Option<Direction>,
}

impl Ids {
    /// Ids of a file. If all are names of image files, they become the ids of these images.
    pub(super) fn new(file: String, ids: Vec<Id>) -> Self {
        let name = |id: &Id| match id {
            Id::Text(name) if Id::is_image_file(name) => Some(name.to_string()),
            _ => None,
        };
        let names: Option<Vec<String>> = ids.iter().map(name).collect();
        let names = names.filter(|names| !names.is_empty());
        let ids = names
            .as_ref()
            .map_or(ids, |names| names.iter().map(|name| Id::from_file_name(name)).collect());
        Ids { file, ids: Arc::new(ids), names, side: None }
    }
}

impl Files {
    /// Reads all given files.
    ///
    /// # Errors
    /// A file that is missing, broken, unknown, or also an output.
    pub(super) fn read(inputs: &Inputs) -> Result<Files> {
        inputs.record_inputs()?;
        let mut files = Files { any_order: inputs.any_order, ..Files::default() };
        let paths: Vec<&PathBuf> = inputs.files.iter().collect();
        let mut sources = folders::open_sources(&paths, inputs.series, &mut files.notes)?;
        if inputs.demo {
            sources.splice(0..0, demo::sources());
        }
        for truth in &inputs.truths {
            files.parts.extend(truth.load(inputs.split())?);
        }
        files.read_sources(&sources, inputs)?;
        files.models.extend(inputs.scores.load()?);
        for model in inputs.models.iter().cloned().chain(inputs.phis.as_models()) {
            files.models.push(model.load(inputs.split())?);
        }
        files.image_ids = inputs.image_ids.as_deref().map(read_id_list).transpose()?;
        files.caption_ids = inputs.caption_ids.as_deref().map(read_id_list).transpose()?;
        files.models = pairing::pair_up_matrices(files.models);
        inputs.scores.require_embeddings(&files.models)?;
        if let Some(folder) = &inputs.entities {
            phrases::add_sentences(&mut files, folder, inputs.split())?;
        }
        Ok(files)
    }

    /// Reads the files that are needed. If no texts are needed, captions are read only if nothing else gives the ids
    /// and the original pairing, and the file of a late rule only if a flag sets its threshold or no other file lists
    /// its truth.
    fn read_sources(&mut self, sources: &[Arc<Source>], inputs: &Inputs) -> Result<()> {
        let needs_all = inputs.texts;
        let late_rule = |source: &Arc<Source>| {
            let mut late = RULES.iter().filter(|rule| rule.is_late && !needs_all);
            late.find(|rule| (rule.accepts)(source, None))
        };
        let (mut early, mut late, mut captions) = (Vec::new(), Vec::new(), Vec::new());
        for source in sources {
            match late_rule(source) {
                Some(rule) => late.push((rule, source)),
                None if !needs_all && is_captions(source) => captions.push(source),
                None => early.push(source),
            }
        }
        self.read_all(&early, inputs.split())?;
        for (rule, source) in late {
            let (name, flag) = (rule.name, rule.number.flag);
            let is_listed = self.truths().any(|listed| listed.name == name);
            if inputs.rules.numbers[name].is_some() || !is_listed {
                self.read_all(&[source], inputs.split())?;
            } else {
                let reason = format!(
                    "{name} is taken from its lists, in other files, which judge no item not relevant; --{flag} {} takes it from here",
                    rule.number.default
                );
                self.note_unread(source, &reason);
            }
        }
        if self.knows_gallery() {
            for source in captions {
                self.note_unread(source, "numbers need no texts");
            }
            return Ok(());
        }
        self.read_all(&captions, inputs.split())
    }

    /// Ground truths listed in files.
    pub(super) fn truths(&self) -> impl Iterator<Item = &Listed> {
        self.parts.iter().flat_map(|(_, parts)| &parts.truths)
    }

    /// Whether ids and the original pairing are known without a captions file.
    fn knows_gallery(&self) -> bool {
        let original_lists =
            self.truths().filter(|listed| Kind::from_name(&listed.name) == Kind::Original).count();
        let mut bundles = self.parts.iter().map(|(_, parts)| &parts.gallery);
        let has_ids = !self.ids.is_empty() || bundles.any(|parts| parts.caption_ids.is_some());
        original_lists >= 2 && has_ids && !loaded_scores::has_unlisted_sizes(self)
    }

    /// Adds a note on a file that is not read, with the reason.
    fn note_unread(&mut self, source: &Source, reason: &str) {
        self.notes.push(Note::fact(format!("{}: not read, {reason}", source.display())));
    }

    /// Reads and recognises files in parallel, and adds their contents.
    fn read_all(&mut self, sources: &[&Arc<Source>], split: &str) -> Result<()> {
        let found = parallel::try_map(sources, |source| recognise(source, split))?;
        let mut runs = Vec::new();
        for found in found {
            match found {
                FileContents::Scores { models, ids, note } => {
                    self.models.extend(models);
                    self.ids.extend(ids);
                    self.notes.extend(note);
                }
                FileContents::Run(run) => runs.push(run),
                FileContents::Ids(ids) => self.ids.push(ids),
                FileContents::Indexed(file, images) => self.indexed.push((file, images)),
                FileContents::Captions(captions) => self.captions.push(captions),
                FileContents::Truths(file, parts) => self.parts.push((file, parts)),
                FileContents::RuleFile(file) => self.rule_files.push(file),
            }
        }
        self.models.extend(pairing::pair_up(runs));
        Ok(())
    }
}
