//! Input files and options.

use std::path::{Path, PathBuf};

use clap::Args;

use super::options::{above_zero, assignment, choices, model_assignment};
use super::score_inputs::{SCORES, ScoreInputs};
use super::{NamedModel, NamedTruth, Phis, TruthRules};
use crate::data::in_use;
use crate::data::text::brief;
use crate::error::Result;
use crate::truth::conventions::{Conventions, NoPositives, ShortLists};

/// The files and options that a study is opened from.
#[derive(Debug, Clone, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[command(next_help_heading = "Inputs")]
pub struct Inputs {
    /// Scores, ground truths, captions, ids, folders; recognised by content
    #[arg(help_heading = None)]
    pub files: Vec<PathBuf>,
    /// Use the built-in demo, plus any files given
    #[arg(long, conflicts_with_all = SCORES)]
    pub demo: bool,
    /// Image ids in matrix order (.npy, JSON list, or one per line)
    #[arg(long, value_name = "FILE")]
    pub image_ids: Option<PathBuf>,
    /// Caption ids in matrix order (.npy, JSON list, or one per line)
    #[arg(long, value_name = "FILE")]
    pub caption_ids: Option<PathBuf>,
    /// Name a model in all results, by its file or name; repeatable
    #[arg(long = "name", id = "name", value_name = "FILE=NAME", value_parser = assignment::<String>)]
    pub names: Vec<(String, String)>,
    /// Treat models as training steps, by the last number in each name
    ///
    /// A folder stands for all matrices in it.
    #[arg(long)]
    pub series: bool,
    /// Folder, .zip or .tar of the images, found by file name or COCO id
    ///
    /// Subfolders are searched, too.
    #[arg(long, value_name = "DIR")]
    pub images: Option<PathBuf>,
    /// Folder of Flickr30k Entities, with Sentences/ and Annotations/
    #[arg(long, value_name = "DIR")]
    pub entities: Option<PathBuf>,
    /// Table of images or captions by id, for conditions; repeatable
    ///
    /// CSV or TSV: ids in the first column. A condition names the others: column("NAME") == "x".
    #[arg(long = "table", id = "table", value_name = "FILE.csv")]
    pub tables: Vec<PathBuf>,
    /// Consecutive captions per image without a ground truth (0: unpaired)
    ///
    /// [default: as the sizes imply]
    #[arg(long, value_name = "K")]
    pub captions_per_image: Option<u32>,
    /// Split of a Karpathy file (dataset_*.json) [default: test]
    #[arg(long, value_name = "NAME")]
    pub split: Option<String>,
    /// Add a candidate pool: a list of images or captions; repeatable
    ///
    /// Images by id or file name, captions by id (.npy, JSON list, or one per line).
    #[arg(long = "pool-file", id = "pool_file", value_name = "NAME=FILE", value_parser = assignment::<PathBuf>)]
    pub pools: Vec<(String, PathBuf)>,
    /// Add other texts of the captions, such as refined ones; repeatable
    #[arg(long = "texts", id = "texts", value_name = "NAME=FILE", value_parser = assignment::<PathBuf>)]
    pub text_sets: Vec<(String, PathBuf)>,
    /// Which of --texts a model was given; repeatable
    #[arg(long, value_name = "MODEL=NAME", value_parser = model_assignment)]
    pub captions_of: Vec<(String, String)>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// Queries without positives: exclude, or score 0 (like `trec_eval`)
    ///
    /// [default: left-out]
    #[arg(long, value_name = "HOW", value_parser = choices(NoPositives::ALL))]
    pub no_positives: Option<NoPositives>,
    /// Positives beyond the end of a ranked list: unknown rank, or a miss
    ///
    /// [default: unknown]
    #[arg(long, value_name = "HOW", value_parser = choices(ShortLists::ALL))]
    pub short_lists: Option<ShortLists>,
    #[expect(missing_docs, reason = "the options are documented there")]
    #[command(flatten)]
    pub rules: TruthRules,
    /// Lowest grade of a positive in graded ground truths [default: 1]
    ///
    /// nDCG uses all grades.
    #[arg(long, value_name = "GRADE", value_parser = above_zero)]
    pub relevant_from: Option<u32>,
    #[expect(missing_docs, reason = "the options are documented there")]
    #[command(flatten)]
    pub scores: ScoreInputs,
    #[expect(missing_docs, reason = "the options are documented there")]
    #[command(flatten)]
    pub phis: Phis,
    /// Whether the rows of every matrix are captions, not images; `None`: detected.
    #[arg(skip)]
    pub captions_first: Option<bool>,
    /// Whether rankings are only browsed, which needs no ground truth.
    #[arg(skip)]
    pub is_browsed: bool,
    /// Whether caption texts are read; metrics do not need them.
    #[arg(skip)]
    pub texts: bool,
    /// Whether the ids may be in any order, as for counts and files of truths: no file needs to give a matrix order.
    #[arg(skip)]
    pub any_order: bool,
    /// Models of a `study.toml`.
    #[arg(skip)]
    pub models: Vec<NamedModel>,
    /// Truths of a `study.toml`.
    #[arg(skip)]
    pub truths: Vec<NamedTruth>,
}

/// The split of a Karpathy file that is used by default: the one that papers report.
const TEST_SPLIT: &str = "test";

impl Inputs {
    /// Edge-case conventions.
    pub fn conventions(&self) -> Conventions {
        Conventions {
            no_positives: self.no_positives.unwrap_or_default(),
            short_lists: self.short_lists.unwrap_or_default(),
        }
    }

    /// The files and folders given without a flag, then those of score flags.
    pub fn positional_and_scores(&self) -> Vec<&Path> {
        let files = self.files.iter().map(PathBuf::as_path);
        files.chain(self.scores.files()).collect()
    }

    /// Records all given files and folders as inputs, opened in this run or not: outputs must not replace them.
    ///
    /// # Errors
    /// One that is also an output.
    pub(super) fn record_inputs(&self) -> Result<()> {
        self.all_files().try_for_each(in_use::note_input)
    }

    /// All given files and folders.
    fn all_files(&self) -> impl Iterator<Item = &Path> {
        let scores = self.models.iter().map(|model| &model.scores);
        let flagged = scores.chain([&self.scores]).flat_map(ScoreInputs::files);
        let named = self.models.iter().filter_map(|model| model.file.as_deref());
        let truths = self.truths.iter().flat_map(|truth| &truth.files);
        let ids = [&self.image_ids, &self.caption_ids].into_iter().flatten();
        let listed = self.pools.iter().chain(&self.text_sets).map(|(_, file)| file);
        let folders = [&self.images, &self.entities].into_iter().flatten();
        let files = self.files.iter().chain(truths).chain(ids).chain(listed).chain(&self.tables);
        (files.chain(folders).map(PathBuf::as_path))
            .chain(flagged)
            .chain(self.phis.files())
            .chain(named)
    }

    /// Name of the split of a Karpathy file to use.
    pub(super) fn split(&self) -> &str {
        self.split.as_deref().unwrap_or(TEST_SPLIT)
    }
}

/// One line about an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The text, which is one line.
    pub text: String,
    /// Whether it needs attention: missing ids, an unused file.
    pub warning: bool,
    /// Its topic.
    pub topic: Topic,
}

/// Topic of a [`Note`], so that callers can replace it with details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// How a file was understood.
    File,
    /// The original pairing is assumed.
    Assumed,
    /// A matrix has captions first, judging by its scores.
    Orientation,
    /// Embeddings differ in length, and scores are dot products.
    Lengths,
    /// A truth without any positive in a direction.
    NoPositive,
    /// Ids missing from the gallery: see [`crate::truth::Truth::unresolved`].
    MissingIds,
}

/// Notes over this many bytes are shortened: names and ids have any length.
const MAX_NOTE_BYTES: usize = 4_096;

impl Note {
    /// A note that is not a warning.
    pub fn fact(text: String) -> Self {
        Note { text: brief(text, MAX_NOTE_BYTES), warning: false, topic: Topic::File }
    }

    /// A warning about a file.
    pub(super) fn warning(text: String) -> Self {
        Note { text: brief(text, MAX_NOTE_BYTES), warning: true, topic: Topic::File }
    }

    /// A warning of a topic other than [`Topic::File`].
    pub(super) fn warning_about(topic: Topic, text: String) -> Self {
        Note { topic, ..Note::warning(text) }
    }

    /// Whether metrics may mislead without this note: assumptions, excluded data. Missing ids are reported by quick
    /// checks, if they matter.
    pub fn is_needed_for_metrics(&self) -> bool {
        self.warning && self.topic != Topic::MissingIds
    }
}
