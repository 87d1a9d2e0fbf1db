//! A study: gallery, models and truths, their shapes checked once.
//!
//! It stands above `truth`, because it holds truths, and below `rank`.

mod columns;
pub mod demo;
mod derived;
mod derived_truths;
mod description;
mod files;
mod flagged;
mod folders;
mod gallery;
mod implied;
mod inputs;
mod loaded_scores;
mod mixed;
mod models;
mod naming;
mod neighbours;
mod open;
pub mod options;
mod orientation;
mod original;
mod pairing;
pub mod percentile;
mod phi;
mod phrased;
mod pool;
mod queried;
mod recognise;
mod renamed;
mod renumbered;
mod runs;
mod score_inputs;
pub mod series;
mod standing;
mod text_sets;
mod texts;
mod truths;
mod united;
mod view;
mod with_verdicts;
mod write;

pub use columns::Column;
pub use derived::{Dial, Dials, Mix, Turner};
pub use derived_truths::TruthRules;
pub use description::{NamedModel, NamedTruth};
pub use folders::holds_whole_scores;
pub use inputs::{Inputs, Note, Topic};
pub use open::open;
pub use phi::{CIDER, PhiRule, Phis};
pub use pool::{ALL as WHOLE_GALLERY, NamedPool, Pool, Random};
pub use recognise::SESSION;
pub use renumbered::Renumbered;
pub use score_inputs::{Neighbours, SCORES, ScoreInputs};
pub use series::Step;
pub use text_sets::TextSet;
pub use united::{Union, WrittenUnion, unite};
pub use view::View;
pub use write::{Form, NamedPairs, write_changed, write_pairs, write_truths};

use std::path::Path;
use std::sync::Arc;

use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::gallery::Gallery;
use crate::data::index::{ItemIx, ModelIx, PhiIx, QueryIx, TruthIx};
use crate::data::near::unknown;
use crate::data::opened::OpenedFile;
use crate::data::scores::Model;
use crate::data::sets::Set;
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::phrase::Phrases;
use crate::picture::{self, ImageFiles, Pictures, Why};
use crate::truth::conventions::Conventions;
use crate::truth::rule::{self, Basis, PerRule, RULES};
use crate::truth::verdict::Pair;
use crate::truth::{Kind, Truth, pm};

/// Everything that is looked at together.
#[derive(Debug, Clone, Default)]
pub struct Study {
    /// What is retrieved, in matrix order.
    pub gallery: Gallery,
    /// The models, in the order given.
    pub models: Vec<Model>,
    /// The names that models had before they were given one of one's own, each with that.
    pub renamed: Arc<[(String, String)]>,
    /// Which step of a training each model is, in order; empty where they are no steps of one.
    pub steps: Arc<[Step]>,
    /// Similarities of captions with images, each by its name.
    pub phis: Vec<Model>,
    /// What is made of these.
    pub phi_rule: PhiRule,
    /// The truths: the original first, loose ones last.
    pub truths: Vec<Truth>,
    /// What truths are made of by rules, where a file gives it.
    pub bases: PerRule<Option<Arc<dyn Basis>>>,
    /// How the truths that a rule makes are made; nothing where files list their pairs.
    pub rules: TruthRules,
    /// How queries are scored at the edges, under every truth.
    pub conventions: Conventions,
    /// The texts of the captions that models were given, the gallery's own first; empty where there are no others.
    pub text_sets: Arc<[TextSet]>,
    /// Which of these the gallery shows.
    pub texts_shown: usize,
    /// Where the pictures of the images are, if anywhere.
    pub pictures: Option<Arc<Pictures>>,
    /// The phrases of captions and the boxes of pictures, where a folder has them.
    pub phrases: Option<Arc<Phrases>>,
    /// What tables say of images or captions.
    pub columns: Arc<[Column]>,
    /// Pools that files list.
    pub pools: Vec<NamedPool>,
    /// The pool that truths are of.
    pub pool: Pool,
    /// Which items compete for which queries there; `None` where all do.
    pub mask: Option<Arc<CandidateMask>>,
    /// What was understood, a line per file.
    pub notes: Vec<Note>,
    /// What must always be seen beside its numbers: that it is the demo, or that its pairing is assumed.
    pub caveat: Option<String>,
    /// The files that it was read from, as they were then.
    pub files: Arc<[OpenedFile]>,
}

impl Study {
    /// Scores queries at the edges in this way, under every truth.
    pub fn set_conventions(&mut self, conventions: Conventions) {
        self.conventions = conventions;
        let truths = std::mem::take(&mut self.truths).into_iter();
        self.truths = truths.map(|truth| truth.under(conventions)).collect();
    }

    /// Whether it is the demo, which is always said.
    pub fn is_demo(&self) -> bool {
        self.caveat.as_deref() == Some(demo::CAVEAT)
    }

    /// Whether there is something to evaluate.
    ///
    /// # Errors
    /// Names what is missing.
    pub fn require_models_and_truths(&self) -> Result<()> {
        if self.models.is_empty() {
            return Err(Error::new("inputs", "no score matrix among the files")
                .expected(
                    "at least one .npy of images x captions, or scores in another form (--help lists them)",
                )
                .mend("name them among the files: sims.npy TRUTHS"));
        }
        if self.truths.is_empty() {
            let [images, captions] =
                [&self.gallery.images, &self.gallery.captions].map(|ids| grouped(ids.len()));
            let found = format!(
                "no ground truth among the files, and none assumed of {images} x {captions}"
            );
            return Err(Error::new("inputs", found)
                .expected("a bundle, a ground truth as {id: [ids]}, a folder of these, or COCO captions")
                .mend("name one beside the scores: sims.npy TRUTHS, or --captions-per-image K; embeddings: --image-emb FILE --text-emb FILE; the explorer and `show` need none"));
        }
        Ok(())
    }

    /// The similarities, with their indices.
    pub fn phis(&self) -> impl DoubleEndedIterator<Item = (PhiIx, &Model)> {
        PhiIx::each(&self.phis)
    }

    /// Whether every similarity has its truth: these are found after the files are read.
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
    /// Names the truths that there are.
    pub fn require_truth(&self, name: &str) -> Result<&Truth> {
        Ok(&self.truths[self.truth_place(name)?])
    }

    /// The index of the truth of this name.
    ///
    /// # Errors
    /// As [`Study::require_truth`].
    pub fn truth_place(&self, name: &str) -> Result<TruthIx> {
        let place = TruthIx::find(&self.truths, |truth| truth.name == name);
        place.ok_or_else(|| {
            let names: Vec<&str> = self.truths.iter().map(|truth| truth.name.as_str()).collect();
            // `eccv_caption` calls the original annotation so.
            let is_coco = ["coco", "coco_5k", "coco_1k"].contains(&name);
            let mut original = self.truths.iter().filter(|truth| truth.kind == Kind::Original);
            let error = unknown("--truth", "ground truth", name, &names);
            match original.next().filter(|_| is_coco) {
                Some(original) => error.meaning(Some(&original.name)),
                None if names.is_empty() => error.mend(format!("name its files; {}", made_from())),
                None => error,
            }
        })
    }

    /// The model of this name.
    ///
    /// # Errors
    /// Names the models that there are.
    pub fn require_model(&self, name: &str) -> Result<&Model> {
        self.model_place(name).map(|place| &self.models[place])
    }

    /// The place of the model of this name; else of the one that had it before it was given one of one's own, as what was
    /// kept earlier names it; else of the only one that was read from a file of this name.
    pub fn model_named(&self, name: &str) -> Option<ModelIx> {
        let of_name = |name: &str| ModelIx::find(&self.models, |model| model.name == name);
        let mut renamed = self.renamed.iter();
        let given = || of_name(&renamed.find(|(before, _)| before == name)?.1);
        let mut of_file = ModelIx::each(&self.models)
            .filter(|(_, model)| renamed::is_of_file(model, name))
            .map(|(at, _)| at);
        let mut only = || of_file.next().filter(|_| of_file.next().is_none());
        of_name(name).or_else(given).or_else(&mut only)
    }

    /// The place of the model that [`Study::model_named`] finds.
    ///
    /// # Errors
    /// Names the models that there are.
    pub fn model_place(&self, name: &str) -> Result<ModelIx> {
        self.model_place_beside(name, &[])
    }

    /// The same where other names stand for several models.
    ///
    /// # Errors
    /// Names the models that there are, and those names.
    pub fn model_place_beside(&self, name: &str, others: &[&str]) -> Result<ModelIx> {
        self.model_named(name).ok_or_else(|| {
            let names = self.models.iter().map(|model| model.name.as_str());
            let names: Vec<&str> = others.iter().copied().chain(names).collect();
            unknown("--model", "model", name, &names)
        })
    }

    /// The truth that says most: the last rich one, else the first.
    pub fn richest(&self) -> Option<TruthIx> {
        self.richest_in(None)
    }

    /// The same of those that have lists in a direction, if one is told.
    fn richest_in(&self, direction: Option<Direction>) -> Option<TruthIx> {
        let has_lists = |truth: &Truth| direction.is_none_or(|one| truth.relevance[one].is_some());
        let is_rich = |truth: &Truth| truth.kind == Kind::Rich && has_lists(truth);
        let rich = self.truths.iter().rposition(is_rich);
        rich.or_else(|| self.truths.iter().position(has_lists)).map(TruthIx::new)
    }

    /// The items that the original pairing gives a query: an image's own captions, a caption's own
    /// image. Empty where no original truth is loaded.
    pub fn own(&self, direction: Direction, query: usize) -> Set<'_> {
        let original = self.truths.iter().find(|truth| truth.kind == Kind::Original);
        original
            .and_then(|truth| truth.relevance[direction].as_ref())
            .and_then(|relevance| Some(relevance.positives(relevance.place(query)?)))
            .unwrap_or_default()
    }

    /// How a pair was rated, 0 to 5; `None` without ratings or where nobody rated it.
    pub fn rating(&self, direction: Direction, query: QueryIx, item: ItemIx) -> Option<f64> {
        let Pair { image, caption } = Pair::of(direction, query, item);
        let mut bases = RULES.iter().filter_map(|rule| self.bases[rule.name].as_ref());
        bases.find_map(|basis| basis.ratings())?.of(image, caption)
    }

    /// The names of the object categories of images; empty without an instances file.
    pub fn category_names(&self) -> Vec<&str> {
        self.bases[pm::NAME].as_ref().map_or_else(Vec::new, |basis| basis.categories())
    }

    /// Whether an image has an object of the category at a place among the names; `None` where no categories of it are
    /// known.
    pub fn has_category(&self, image: usize, place: usize) -> Option<bool> {
        self.bases[pm::NAME].as_ref()?.has_category(&self.gallery.images[image], place)
    }

    /// Whether this truth is made of the ratings.
    pub fn is_rated(&self, truth: &Truth) -> bool {
        let basis = rule::named(&truth.name).and_then(|rule| self.bases[rule.name].as_ref());
        basis.is_some_and(|basis| basis.ratings().is_some())
    }

    /// Takes the pictures of a folder or an archive, if one is named; they replace those that are there.
    ///
    /// # Errors
    /// As [`ImageFiles::open`].
    pub fn add_pictures(&mut self, folder: Option<&Path>) -> Result<()> {
        let Some(folder) = folder else {
            return Ok(());
        };
        let found = ImageFiles::open(folder)?;
        self.notes.push(Note::fine(format!(
            "{}: pictures, by file name or id; of several, the one whose folders agree longest, then the first path",
            folder.display()
        )));
        self.pictures = Some(Arc::new(Pictures::Files(found)));
        Ok(())
    }

    /// The picture of an image, by its file name or else by its id. The first call may walk a folder.
    ///
    /// # Errors
    /// As [`ImageFiles::find`].
    pub fn picture(&self, image: usize) -> std::result::Result<picture::Source, Why> {
        let pictures = self.pictures.as_ref().ok_or(Why::Missing)?;
        match self.gallery.file_names.get(image) {
            Some(name) if !name.raw().is_empty() => pictures.find(name.raw()),
            _ => pictures.find(&self.gallery.images[image].raw()),
        }
    }

    /// A caption's id and the images it was written for, in words.
    pub fn origin(&self, caption: usize) -> String {
        let own = self.own(Direction::T2i, caption).iter();
        let images: Vec<String> = own.map(|image| self.gallery.image(image as usize)).collect();
        let id = &self.gallery.captions[caption];
        match images.as_slice() {
            [] => format!("caption {id}"),
            images => format!("caption {id}, written for {}", images.join(", ")),
        }
    }
}

/// What each rule makes its truth from, in words.
fn made_from() -> String {
    let made = RULES.iter().zip([" is made"].into_iter().chain(std::iter::repeat("")));
    let made = made.map(|(rule, verb)| format!("{}{verb} from {}", rule.name, rule.made_from));
    made.collect::<Vec<_>>().join(", ")
}
