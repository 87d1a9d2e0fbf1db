//! The files and options that the user named.

use std::path::{Path, PathBuf};

use super::score_inputs::ScoreInputs;
use super::{NamedModel, NamedTruth, Phis, PoolFiles, TruthRules};
use crate::data::in_use;
use crate::data::text::brief;
use crate::error::Result;
use crate::truth::conventions::{Conventions, NoPositives, ShortLists};

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
    /// Tables of images or captions, by id.
    pub tables: Vec<PathBuf>,
}

/// The split that everybody reports.
const TEST_SPLIT: &str = "test";

impl Inputs {
    /// How queries are scored at the edges.
    pub fn conventions(&self) -> Conventions {
        Conventions {
            no_positives: self.no_positives.unwrap_or_default(),
            short_lists: self.short_lists.unwrap_or_default(),
        }
    }

    /// The files and folders that are named, those of flags for scores last.
    pub fn positional_and_scores(&self) -> Vec<&Path> {
        let files = self.files.iter().map(PathBuf::as_path);
        files.chain(self.scores.files()).collect()
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
        let files = self.files.iter().chain(truths).chain(ids).chain(pools).chain(&self.tables);
        (files.chain(folders).map(PathBuf::as_path))
            .chain(flagged)
            .chain(self.phis.files())
            .chain(self.text_sets.iter().map(|(_, file)| file.as_path()))
            .chain(named)
    }

    pub(super) fn split(&self) -> &str {
        self.split.as_deref().unwrap_or(TEST_SPLIT)
    }
}

/// One line about an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line.
    pub text: String,
    /// Whether it is something to look at: ids that were not found, a file not used.
    pub warning: bool,
    /// What it is about.
    pub topic: Topic,
}

/// What a [`Note`] is about, so that who knows more of it need not say it twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// How a file was understood.
    File,
    /// That the original pairing is assumed.
    Assumed,
    /// That a matrix has its captions first, as its scores alone say.
    Orientation,
    /// That embeddings differ in length, and scores are their dot products.
    Lengths,
    /// A truth without any positive in a direction.
    NoPositive,
    /// Ids of a truth that the gallery lacks: [`crate::truth::Truth::unresolved`] has them.
    MissingIds,
}

/// The longest note: names and ids of files have any length.
const LONGEST: usize = 4_096;

impl Note {
    /// A line about what was understood.
    pub fn fine(text: String) -> Self {
        Note { text: brief(text, LONGEST), warning: false, topic: Topic::File }
    }

    pub(super) fn warning(text: String) -> Self {
        Note { text: brief(text, LONGEST), warning: true, topic: Topic::File }
    }

    pub(super) fn about(topic: Topic, text: String) -> Self {
        Note { topic, ..Note::warning(text) }
    }

    /// Whether numbers may be others than somebody expects who was not told: what was assumed, what was left out. Ids that the
    /// gallery lacks are told by the quick checks, where they change numbers.
    pub fn is_to_be_heeded(&self) -> bool {
        self.warning && self.topic != Topic::MissingIds
    }
}
