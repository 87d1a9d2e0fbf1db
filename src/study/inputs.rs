//! What the user named, and what each file turned out to hold.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::derived_truths::OfRule;
use super::gallery::{is_original, truths};
use super::keys::NamedFile;
use super::loaded_scores::{self, LoadedScores};
use super::recognise::{FileContents, id_list, is_captions, recognise};
use super::score_inputs::ScoreInputs;
use super::{
    NamedModel, NamedTruth, Note, Phis, PoolFiles, TruthRules, demo, folders, pairing, phrased,
    tables, text_sets,
};
use crate::data::captions::{CaptionFile, Unnamed};
use crate::data::id::Id;
use crate::data::in_use;
use crate::data::output;
use crate::data::parallel;
use crate::data::source::Source;
use crate::error::Result;
use crate::phrase::Entities;
use crate::truth::Parts;
use crate::truth::conventions::{Conventions, NoPositives, ShortLists};
use crate::truth::rule::RULES;

/// The files and flags that a study is opened from.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Inputs {
    /// Files and folders, in any order, recognised by content.
    pub files: Vec<PathBuf>,
    /// A list of image ids (npy, json, txt), in matrix order.
    pub image_ids: Option<PathBuf>,
    /// A list of caption ids, in matrix order.
    pub caption_ids: Option<PathBuf>,
    /// Whether the first index of every matrix is the caption, or the image; by evidence, if nothing is said.
    pub captions_first: Option<bool>,
    /// What files of descriptions are named by, for messages.
    pub named: Vec<NamedFile>,
    /// Scores that flags name.
    pub scores: ScoreInputs,
    /// Captions in a row of each image, where no file tells the original pairing: 0 for none, as the sizes
    /// imply if nothing is said.
    pub captions_per_image: Option<u32>,
    /// Whether rankings are looked at, which takes no ground truth.
    pub is_browsed: bool,
    /// Whether the built-in demo is opened, with the files.
    pub demo: bool,
    /// Whether files that are there are written over.
    pub force: bool,
    /// Whether caption texts are wanted; numbers do without.
    pub texts: bool,
    /// The split that is taken of a Karpathy file; `test`, if nothing is said.
    pub split: Option<String>,
    /// How truths are made from object categories and ratings.
    pub rules: TruthRules,
    /// How queries without positives are scored; left out of means, if nothing is said.
    pub no_positives: Option<NoPositives>,
    /// What a positive is that a ranking ends before; unknown, if nothing is said.
    pub short_lists: Option<ShortLists>,
    /// Whether any order of the gallery serves: truths are counted and written without one.
    pub any_order: bool,
    /// Whether the models are steps of one training.
    pub series: bool,
    /// Names that models are given: their own or their file, and the new one.
    pub names: Vec<(String, String)>,
    /// Models that a description names.
    pub models: Vec<NamedModel>,
    /// Similarities of captions with images.
    pub phis: Phis,
    /// Truths that a description names.
    pub truths: Vec<NamedTruth>,
    /// Other texts of the captions: name and file.
    pub text_sets: Vec<(String, PathBuf)>,
    /// Models, and the texts that each was given.
    pub captions_of: Vec<(String, String)>,
    /// Pools that files list.
    pub pools: Vec<PoolFiles>,
    /// The folder of the pictures.
    pub images: Option<PathBuf>,
    /// The folder of Flickr30k Entities.
    pub entities: Option<PathBuf>,
}

/// The split that everybody reports.
const TEST_SPLIT: &str = "test";

/// The contents of all files of a study, before they are brought together over one gallery.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    /// Scores, with the names of their models before these are made unique.
    pub models: Vec<(String, LoadedScores)>,
    /// Lists of ids whose side is not said.
    pub ids: Vec<Ids>,
    pub image_ids: Option<Ids>,
    pub caption_ids: Option<Ids>,
    pub captions: Vec<(String, CaptionFile)>,
    /// Captions without ids, until `naming` gives them some.
    pub unnamed: Vec<(String, Unnamed)>,
    /// The image of each caption, by place.
    pub indexed: Vec<(String, Vec<Id>)>,
    /// What rules make truths of.
    pub bases: Vec<OfRule>,
    pub parts: Vec<(String, Parts)>,
    pub notes: Vec<Note>,
    /// As [`Inputs::any_order`].
    pub any_order: bool,
    /// Phrases, where their sentences are the captions.
    pub entities: Option<Entities>,
}

/// A list of ids and the file it comes from.
#[derive(Debug, Clone)]
pub(super) struct Ids {
    pub file: String,
    pub ids: Arc<Vec<Id>>,
    /// The names of the files, where the list is one of images' files.
    pub names: Option<Vec<String>>,
}

impl Ids {
    /// Takes a list; one of file names gives the ids of the images.
    pub(super) fn new(file: String, ids: Vec<Id>) -> Self {
        let name = |id: &Id| match id {
            Id::Text(name) if Id::is_picture(name) => Some(name.to_string()),
            _ => None,
        };
        let names: Option<Vec<String>> = ids.iter().map(name).collect();
        let names = names.filter(|names| !names.is_empty());
        let ids = names
            .as_ref()
            .map_or(ids, |names| names.iter().map(|name| Id::of_file(name)).collect());
        Ids { file, ids: Arc::new(ids), names }
    }
}

impl Inputs {
    /// How queries are scored at the edges.
    pub fn conventions(&self) -> Conventions {
        Conventions {
            no_positives: self.no_positives.unwrap_or_default(),
            short_lists: self.short_lists.unwrap_or_default(),
        }
    }

    pub(super) fn load(&self) -> Result<Loaded> {
        let mut notes = Vec::new();
        let (tables, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.files.iter().partition(|path| folders::is_table(path));
        let mut sources = folders::sources(&files, self.series, &mut notes)?;
        if self.demo {
            sources.splice(0..0, demo::sources());
        }
        let mut loaded = self.read(&sources, self.named(&tables)?)?;
        loaded.notes.splice(0..0, notes);
        loaded.any_order = self.any_order;
        loaded.image_ids = self.image_ids.as_deref().map(id_list).transpose()?;
        loaded.caption_ids = self.caption_ids.as_deref().map(id_list).transpose()?;
        loaded.models = pairing::pair_up_matrices(loaded.models);
        loaded.take_labels();
        self.scores.require_embeddings(&loaded.models)?;
        if let Some(folder) = &self.entities {
            phrased::name_the_gallery(&mut loaded, folder, self.split())?;
        }
        Ok(loaded)
    }

    /// The files and folders that are named, those of flags for scores last.
    pub fn positional_and_scores(&self) -> Vec<&Path> {
        let files = self.files.iter().map(PathBuf::as_path);
        files.chain(self.scores.files()).collect()
    }

    /// Checks that a file to be written is none of those that are read, and is new or may be written over.
    ///
    /// # Errors
    /// Names the file; as [`output::check_free`].
    pub fn spare(&self, out: &Path) -> Result<()> {
        self.spare_inside(out)?;
        output::check_place(out)
    }

    /// The same of a file whose folder may have to be made.
    ///
    /// # Errors
    /// Names the file; as [`output::check_new`].
    pub(super) fn spare_inside(&self, out: &Path) -> Result<()> {
        let there = out.canonicalize().ok();
        let is_it = |path: &Path| {
            let (Some(there), Ok(path)) = (&there, path.canonicalize()) else {
                return false;
            };
            *there == path || there.parent() == Some(&path)
        };
        if self.named_files().any(is_it) {
            return Err(in_use::is_read(out));
        }
        output::check_new(out, self.force)
    }

    /// Notes all files and folders that are named, whether this run opens them or not.
    ///
    /// # Errors
    /// One that is going to be written.
    pub(super) fn note_reads(&self) -> Result<()> {
        self.named_files().try_for_each(in_use::reads)
    }

    /// All files and folders that are named.
    fn named_files(&self) -> impl Iterator<Item = &Path> {
        let scores = self.models.iter().map(|model| &model.scores);
        let flagged = scores.chain([&self.scores]).flat_map(ScoreInputs::files);
        let named = self.models.iter().filter_map(|model| model.file.as_deref());
        let truths = self.truths.iter().flat_map(|truth| &truth.files);
        let ids = [&self.image_ids, &self.caption_ids].into_iter().flatten();
        let pools = self.pools.iter().flat_map(|pool| &pool.files);
        let folders = [&self.images, &self.entities].into_iter().flatten();
        let files = self.files.iter().chain(truths).chain(ids).chain(pools);
        (files.chain(folders).map(PathBuf::as_path))
            .chain(flagged)
            .chain(self.phis.files())
            .chain(text_sets::files(&self.text_sets))
            .chain(named)
    }

    pub(super) fn split(&self) -> &str {
        self.split.as_deref().unwrap_or(TEST_SPLIT)
    }

    /// What flags, descriptions and folders of tables name.
    fn named(&self, tables: &[&PathBuf]) -> Result<Loaded> {
        let mut loaded = Loaded::default();
        let open = |path: &&PathBuf| tables::open_folder(path, None);
        let runs = tables.iter().map(open).collect::<Result<_>>()?;
        loaded.models.extend(named(loaded_scores::lists(runs)));
        loaded.models.extend(named(self.scores.load()?));
        for model in &self.models {
            let given = model.load(self.split())?;
            loaded.models.push((model.name.clone(), given));
        }
        for truth in &self.truths {
            loaded.parts.extend(truth.load(self.split())?);
        }
        Ok(loaded)
    }

    /// Reads all files at once, their models before those that are loaded already. Where numbers are
    /// asked for, some files are left for later: captions are read where nothing else tells the ids or
    /// the original pairing, those of a rule that comes late where they make a truth.
    pub(super) fn read(&self, sources: &[Arc<Source>], mut loaded: Loaded) -> Result<Loaded> {
        let named = loaded.models.len();
        let (captions, others): (Vec<_>, Vec<_>) =
            sources.iter().partition(|source| !self.texts && is_captions(source));
        let (mut early, mut late) = (others, Vec::new());
        for rule in RULES.iter().filter(|rule| !self.texts && rule.is_late()) {
            let is_its = |source: &&Arc<Source>| rule.accepts(source, None);
            let (of_rule, others): (Vec<_>, Vec<_>) = early.into_iter().partition(is_its);
            early = others;
            late.push((rule, of_rule));
        }
        loaded.take(&early, self.split())?;
        for (rule, sources) in late {
            let (name, flag) = (rule.name(), rule.number().flag);
            if self.rules.numbers[name].is_some() || !loaded.has_truth(name) {
                loaded.take(&sources, self.split())?;
            } else {
                let why = format!(
                    "{name} is taken from its lists, in other files, which judge no item not relevant; --{flag} {} takes it from here",
                    rule.number().default
                );
                loaded.leave(&sources, &why);
            }
        }
        if loaded.names_the_gallery() {
            loaded.leave(&captions, "numbers need no texts");
        } else {
            loaded.take(&captions, self.split())?;
        }
        loaded.models.rotate_left(named);
        Ok(loaded)
    }
}

impl Loaded {
    /// Whether a file lists this truth.
    pub(super) fn has_truth(&self, name: &str) -> bool {
        truths(self).any(|listed| listed.name == name)
    }

    /// Takes ids, images and texts from the first tables of embeddings that have them.
    fn take_labels(&mut self) {
        for (_, model) in &mut self.models {
            let LoadedScores::Embeddings { labels, .. } = model else {
                continue;
            };
            let [images, captions] = labels;
            self.image_ids = self.image_ids.take().or_else(|| images.ids.clone());
            self.caption_ids = self.caption_ids.take().or_else(|| captions.ids.clone());
            let file = captions.ids.as_ref().map(|ids| ids.file.clone());
            self.captions.extend(file.zip(captions.captions.take()));
        }
    }

    /// Whether ids and the original pairing are known without a captions file.
    fn names_the_gallery(&self) -> bool {
        let original = truths(self).filter(|listed| is_original(listed)).count();
        let mut bundles = self.parts.iter().map(|(_, parts)| &parts.gallery);
        let has_ids = !self.ids.is_empty() || bundles.any(|parts| parts.caption_ids.is_some());
        original >= 2 && has_ids && !loaded_scores::has_other_widths(self)
    }

    /// Says of files why they are not read.
    fn leave(&mut self, sources: &[&Arc<Source>], why: &str) {
        let line =
            |source: &&Arc<Source>| Note::fine(format!("{}: not read, {why}", source.display()));
        self.notes.extend(sources.iter().map(line));
    }

    fn take(&mut self, sources: &[&Arc<Source>], split: &str) -> Result<()> {
        let found = parallel::try_map(sources, |source| recognise(source, split))?;
        let mut runs = Vec::new();
        for found in found {
            match found {
                FileContents::Scores(given, note) => {
                    self.models.extend(named(given));
                    self.notes.extend(note);
                }
                FileContents::Labelled(given, ids) => {
                    self.models.extend(named([*given]));
                    self.ids.extend(ids);
                }
                FileContents::Run(run) => runs.push(run),
                FileContents::Ids(ids) => self.ids.push(ids),
                FileContents::Indexed(file, images) => self.indexed.push((file, images)),
                FileContents::Captions(file, captions) => self.captions.push((file, captions)),
                FileContents::Unnamed(file, captions) => self.unnamed.push((file, captions)),
                FileContents::Parts(file, parts) => self.parts.push((file, parts)),
                FileContents::OfRule(file) => self.bases.push(file),
            }
        }
        self.models.extend(named(loaded_scores::lists(runs)));
        Ok(())
    }
}

fn named(
    given: impl IntoIterator<Item = LoadedScores>,
) -> impl Iterator<Item = (String, LoadedScores)> {
    given.into_iter().map(|given| (given.name(), given))
}
