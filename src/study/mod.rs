//! A study: gallery, models and truths, with shapes checked once.
//!
//! Above `truth`, because it holds truths, and below `rank`.

mod caption_ids;
mod columns;
pub mod demo;
mod derived_truths;
mod description;
mod direction;
mod files;
mod flags;
mod folders;
mod gallery;
mod implied_pairing;
mod index_map;
mod inputs;
mod judgments;
mod loaded_scores;
mod mixtures;
mod model_names;
mod models;
mod neighbours;
mod open;
pub mod options;
mod orientation;
mod original;
mod pairing;
pub mod percentile;
mod phi;
mod phrases;
mod pool;
mod recognise;
mod runs;
mod score_inputs;
pub mod series;
mod settings;
mod standing;
mod text_sets;
mod texts;
mod truths;
mod union;
mod view;
mod write;

pub use columns::Column;
pub use derived_truths::TruthRules;
pub use description::{NamedModel, NamedTruth};
pub use folders::holds_whole_scores;
pub use index_map::IndexRemap;
pub use inputs::{Inputs, Note, Topic};
pub use open::open;
pub use phi::{CIDER, PhiRule, Phis};
pub use pool::{ALL as WHOLE_GALLERY, NamedPool, Pool, RandomPool};
pub use recognise::SESSION;
pub use score_inputs::{Neighbours, SCORES, ScoreInputs};
pub use series::Step;
pub use settings::{Mix, RuleThreshold, StudyDeriver, StudySettings};
pub use text_sets::TextSet;
pub use union::{Union, WrittenUnion, unite};
pub use view::View;
pub use write::{Export, NamedPairs, write_judged, write_pairs, write_truths};

use std::path::Path;
use std::sync::Arc;

use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::file_states::OpenedFile;
use crate::data::gallery::Gallery;
use crate::data::index::{ItemIx, ModelIx, PhiIx, QueryIx, TruthIx};
use crate::data::near::unknown_error;
use crate::data::scores::Model;
use crate::data::sets::Set;
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::image_file::{self, ImageFiles, ImageFolder, NoImage};
use crate::phrase::Phrases;
use crate::truth::conventions::Conventions;
use crate::truth::judgment::Pair;
use crate::truth::rule::{self, Basis, PerRule, RULES};
use crate::truth::{Kind, Truth, pm};

/// A gallery with models and truths.
#[derive(Debug, Clone, Default)]
pub struct Study {
    /// Images and captions in matrix order.
    pub gallery: Gallery,
    /// The models, in the order given.
    pub models: Vec<Model>,
    /// Former and custom name of each renamed model.
    pub renamed: Arc<[(String, String)]>,
    /// Training step of each model, in order; empty if models are not steps.
    pub steps: Arc<[Step]>,
    /// Similarities of captions with images (phis), each like the scores of a model.
    pub phis: Vec<Model>,
    /// How many of the most similar items are positives, and which items count as close.
    pub phi_rule: PhiRule,
    /// The ground truths; the original is the first.
    pub truths: Vec<Truth>,
    /// Data from which each rule derives its truth, such as object categories; `None` without a file.
    pub bases: PerRule<Option<Arc<dyn Basis>>>,
    /// Threshold and switch of each rule; unused by truths whose pairs a file lists.
    pub rules: TruthRules,
    /// Edge-case conventions, for every truth.
    pub conventions: Conventions,
    /// Caption texts given to models, the gallery's own first; empty without others.
    pub text_sets: Arc<[TextSet]>,
    /// Index in `text_sets` of the texts that the gallery has.
    pub texts_shown: usize,
    /// Source of image files, if any.
    pub image_files: Option<Arc<ImageFiles>>,
    /// Phrases of captions and boxes of images, if given.
    pub phrases: Option<Arc<Phrases>>,
    /// Columns of custom tables.
    pub columns: Arc<[Column]>,
    /// Pools from files.
    pub pools: Vec<NamedPool>,
    /// The candidate pool that the truths are restricted to.
    pub pool: Pool,
    /// Which items compete for which queries; `None`: all.
    pub mask: Option<Arc<CandidateMask>>,
    /// Notes and warnings on the inputs, one line each.
    pub notes: Vec<Note>,
    /// Short caution to show beside all metrics: demo data, or an assumed pairing.
    pub caveat: Option<String>,
    /// The input files, with their state when they were opened.
    pub files: Arc<[OpenedFile]>,
}

impl Study {
    /// Sets the edge-case conventions of the study and of every truth.
    pub fn set_conventions(&mut self, conventions: Conventions) {
        self.conventions = conventions;
        let truths = std::mem::take(&mut self.truths).into_iter();
        self.truths = truths.map(|truth| truth.with_conventions(conventions)).collect();
    }

    /// Whether it is the demo.
    pub fn is_demo(&self) -> bool {
        self.caveat.as_deref() == Some(demo::CAVEAT)
    }

    /// Checks that there are models and truths.
    ///
    /// # Errors
    /// No model, or no ground truth.
    pub fn require_models_and_truths(&self) -> Result<()> {
        if self.models.is_empty() {
            return Err(Error::new("inputs", "no score matrix among the files")
                .expected(
                    "at least one .npy of images x captions, or scores in another form (--help lists them)",
                )
                .fix("name them among the files: sims.npy TRUTHS"));
        }
        if self.truths.is_empty() {
            let [images, captions] =
                [&self.gallery.images, &self.gallery.captions].map(|ids| grouped(ids.len()));
            let found = format!(
                "no ground truth among the files, and none assumed of {images} x {captions}"
            );
            return Err(Error::new("inputs", found)
                .expected("a bundle, a ground truth as {id: [ids]}, a folder of these, or COCO captions")
                .fix("name one beside the scores: sims.npy TRUTHS, or --captions-per-image K; embeddings: --image-emb FILE --text-emb FILE"));
        }
        Ok(())
    }

    /// Similarities of captions with images, with their indices.
    pub fn phis(&self) -> impl DoubleEndedIterator<Item = (PhiIx, &Model)> {
        PhiIx::enumerate(&self.phis)
    }

    /// Whether the truths of all phis are computed, which happens after loading.
    pub fn has_phi_truths(&self) -> bool {
        self.phis.iter().all(|phi| self.truth(&phi.name).is_some())
    }

    /// The truth of this name.
    pub fn truth(&self, name: &str) -> Option<&Truth> {
        self.truths.iter().find(|truth| truth.name == name)
    }

    /// The truth of this name.
    ///
    /// # Errors
    /// Unknown name; lists the truths.
    pub fn require_truth(&self, name: &str) -> Result<&Truth> {
        Ok(&self.truths[self.truth_index(name)?])
    }

    /// The index of the truth of this name.
    ///
    /// # Errors
    /// Unknown name; lists the truths.
    pub fn truth_index(&self, name: &str) -> Result<TruthIx> {
        let index = TruthIx::find(&self.truths, |truth| truth.name == name);
        index.ok_or_else(|| {
            let names: Vec<&str> = self.truths.iter().map(|truth| truth.name.as_str()).collect();
            // The original annotation in `eccv_caption`.
            let is_coco = ["coco", "coco_5k", "coco_1k"].contains(&name);
            let mut original = self.truths.iter().filter(|truth| truth.kind == Kind::Original);
            let error = unknown_error("--truth", "ground truth", name, &names);
            match original.next().filter(|_| is_coco) {
                Some(original) => error.did_you_mean(Some(&original.name)),
                None if names.is_empty() => error.fix(format!("name its files; {}", rule_files())),
                None => error,
            }
        })
    }

    /// The model of this name.
    ///
    /// # Errors
    /// Unknown name; lists the models.
    pub fn require_model(&self, name: &str) -> Result<&Model> {
        self.model_index(name).map(|index| &self.models[index])
    }

    /// Index of the model with this name; else of the one with this former name, as in older sessions; else of the only
    /// one read from a file of this name or path. `None` if there is none.
    pub fn model_named(&self, name: &str) -> Option<ModelIx> {
        let find = |name: &str| ModelIx::find(&self.models, |model| model.name == name);
        let mut renamed = self.renamed.iter();
        let find_by_former_name = || find(&renamed.find(|(former, _)| former == name)?.1);
        let mut models_of_file = ModelIx::enumerate(&self.models)
            .filter(|(_, model)| model_names::is_of_file(model, name))
            .map(|(at, _)| at);
        let only_of_file = || models_of_file.next().filter(|_| models_of_file.next().is_none());
        find(name).or_else(find_by_former_name).or_else(only_of_file)
    }

    /// Index of the model that [`Study::model_named`] finds.
    ///
    /// # Errors
    /// Unknown name; lists the models.
    pub fn model_index(&self, name: &str) -> Result<ModelIx> {
        self.model_index_beside(name, &[])
    }

    /// Like [`Study::model_index`], for an option that also accepts the names in `others`.
    ///
    /// # Errors
    /// Unknown name; lists `others` and the models.
    pub fn model_index_beside(&self, name: &str, others: &[&str]) -> Result<ModelIx> {
        self.model_named(name).ok_or_else(|| {
            let names = self.models.iter().map(|model| model.name.as_str());
            let names: Vec<&str> = others.iter().copied().chain(names).collect();
            unknown_error("--model", "model", name, &names)
        })
    }

    /// Index of the richest truth: the last rich one, else the first; `None` without truths.
    pub fn richest(&self) -> Option<TruthIx> {
        self.richest_in(None)
    }

    /// Index of the richest truth with lists in `direction`, or in any direction if that is `None`. The result is
    /// `None` if no truth qualifies.
    fn richest_in(&self, direction: Option<Direction>) -> Option<TruthIx> {
        let has_lists = |truth: &Truth| direction.is_none_or(|one| truth.relevance[one].is_some());
        let is_rich = |truth: &Truth| truth.kind == Kind::Rich && has_lists(truth);
        let rich = self.truths.iter().rposition(is_rich);
        rich.or_else(|| self.truths.iter().position(has_lists)).map(TruthIx::new)
    }

    /// Gallery indices of the items of a query in the original pairing: the captions of an image, or the image of a
    /// caption. Empty without an original truth, or if it does not cover the query.
    pub fn original_items(&self, direction: Direction, query: usize) -> Set<'_> {
        let original = self.truths.iter().find(|truth| truth.kind == Kind::Original);
        original
            .and_then(|truth| truth.relevance[direction].as_ref())
            .and_then(|relevance| Some(relevance.positives(relevance.place(query)?)))
            .unwrap_or_default()
    }

    /// Rating of a pair, 0 to 5; `None` if unrated.
    pub fn rating(&self, direction: Direction, query: QueryIx, item: ItemIx) -> Option<f64> {
        let Pair { image, caption } = Pair::from_query(direction, query, item);
        let mut bases = RULES.iter().filter_map(|rule| self.bases[rule.name].as_ref());
        bases.find_map(|basis| basis.ratings())?.get(image, caption)
    }

    /// Names of the images' object categories; empty without an instances file.
    pub fn category_names(&self) -> Vec<&str> {
        self.bases[pm::NAME].as_ref().map_or_else(Vec::new, |basis| basis.categories())
    }

    /// Whether an image has an object of a category, given by its index in [`Study::category_names`]; `None` if the
    /// image's categories are unknown.
    pub fn has_category(&self, image: usize, category: usize) -> Option<bool> {
        self.bases[pm::NAME].as_ref()?.has_category(&self.gallery.images[image], category)
    }

    /// Whether a rule derives this truth from ratings of pairs.
    pub fn is_rated(&self, truth: &Truth) -> bool {
        let basis = rule::find(&truth.name).and_then(|rule| self.bases[rule.name].as_ref());
        basis.is_some_and(|basis| basis.ratings().is_some())
    }

    /// Opens a folder or archive of image files, if given; replaces earlier ones.
    ///
    /// # Errors
    /// As [`ImageFolder::open`].
    pub fn add_image_files(&mut self, folder: Option<&Path>) -> Result<()> {
        let Some(folder) = folder else {
            return Ok(());
        };
        let found = ImageFolder::open(folder)?;
        self.notes.push(Note::fact(format!(
            "{}: image files, by file name or id; of several, the one whose folders agree longest, then the first path",
            folder.display()
        )));
        self.image_files = Some(Arc::new(ImageFiles::Folder(found)));
        Ok(())
    }

    /// Source of an image's pixels, by file name or else id. The first call may walk a folder.
    ///
    /// # Errors
    /// As [`ImageFiles::find`].
    pub fn image_file(&self, image: usize) -> std::result::Result<image_file::ImageFile, NoImage> {
        let files = self.image_files.as_ref().ok_or(NoImage::Missing)?;
        match self.gallery.file_names.get(image) {
            Some(name) if !name.raw().is_empty() => files.find(name.raw()),
            _ => files.find(&self.gallery.images[image].raw()),
        }
    }

    /// Text with a caption's id and the images that it was written for.
    pub fn origin(&self, caption: usize) -> String {
        let images = self.original_items(Direction::T2i, caption).iter();
        let images: Vec<String> = images.map(|image| self.gallery.image(image as usize)).collect();
        let id = &self.gallery.captions[caption];
        match images.as_slice() {
            [] => format!("caption {id}"),
            images => format!("caption {id}, written for {}", images.join(", ")),
        }
    }
}

/// Text that names the file each rule requires, for an error: "RULE is made from FILE, RULE from FILE".
fn rule_files() -> String {
    let rules = RULES.iter().zip([" is made"].into_iter().chain(std::iter::repeat("")));
    let rules = rules.map(|(rule, verb)| format!("{}{verb} from {}", rule.name, rule.made_from));
    rules.collect::<Vec<_>>().join(", ")
}
