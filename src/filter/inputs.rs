//! The inputs that an expression needs, and their data: ranks, top items, captions as words.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::matches::Marks;
use super::user_marks::UserMarks;
use crate::data::index::{ModelIx, QueryIx};
use crate::data::words::Texts;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::counter::Counter;
use crate::rank::edits::{EditedRanks, Edits, edits};
use crate::rank::hubs::{DEPTHS, ModelTopItems};
use crate::rank::pass::CancelToken;
use crate::rank::ranking::item_ranks;
use crate::study::{Study, View};
use crate::truth::Truth;
use crate::truth::judgment::{Judgments, Pair};

/// Names the inputs that an expression needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Views whose ranks are needed, each once.
    pub views: Vec<View>,
    /// Models whose top items for every query are needed, each once.
    pub top_k: Vec<ModelIx>,
    /// Whether captions as words are needed.
    pub texts: bool,
}

/// Which ranks a value needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RanksOf {
    /// Index of the view in [`Needs::views`].
    pub view: usize,
    /// Whether to use the ranks as loaded, without judgments.
    pub as_loaded: bool,
}

impl Needs {
    /// The inputs that either of two expressions needs.
    #[must_use]
    pub fn union(mut self, other: &Needs) -> Self {
        for &view in &other.views {
            index_or_push(&mut self.views, view);
        }
        for &model in &other.top_k {
            index_or_push(&mut self.top_k, model);
        }
        self.texts |= other.texts;
        self
    }
}

/// Index of an element in a list; appends it if missing.
pub(super) fn index_or_push<T: PartialEq>(list: &mut Vec<T>, element: T) -> usize {
    list.iter().position(|known| *known == element).unwrap_or_else(|| {
        list.push(element);
        list.len() - 1
    })
}

impl From<View> for Needs {
    fn from(view: View) -> Self {
        Needs { views: vec![view], ..Needs::default() }
    }
}

/// The inputs of expressions in one direction: ranks of some views, top items of some models, captions as words, and a
/// person's marks.
#[derive(Debug, Clone, Default)]
pub struct FilterInputs {
    /// The ranks of each view, with judgments.
    pub ranks: Vec<(View, EditedRanks)>,
    /// A person's marks of the queries.
    pub marks: UserMarks,
    /// The top items of each model.
    pub top_k: Vec<Arc<ModelTopItems>>,
    /// The captions as words, if needed.
    pub texts: Option<Arc<Texts>>,
}

impl FilterInputs {
    /// Computes all needed inputs except a person's marks. Every view in `needs` must have this direction. Scores of each
    /// model are read once for all its ranks. If cancelled, some inputs are missing.
    ///
    /// # Errors
    /// As [`Counter::ranks`] and [`ModelTopItems::compute`].
    pub fn compute(
        study: &Study,
        direction: Direction,
        needs: &Needs,
        token: &CancelToken,
    ) -> Result<Self> {
        let mut inputs = FilterInputs::default();
        for (model, scores) in ModelIx::enumerate(&study.models) {
            let views = needs.views.iter().filter(|view| view.model == model);
            let truth = |view: &View| in_direction(&study.truths[view.truth], direction);
            let truths: Vec<Truth> = views.clone().map(truth).collect();
            if truths.is_empty() {
                continue;
            }
            let counter = Counter::new(&truths, &study.gallery, study.mask.as_ref());
            let Some(ranks) = counter.ranks(scores, token)? else {
                break;
            };
            let view_ranks = views.zip(&ranks);
            inputs.ranks.extend(
                view_ranks.filter_map(|(view, all)| Some((*view, all[direction].clone()?.into()))),
            );
        }
        for &model in &needs.top_k {
            let top_items = find_top_items(study, model, direction, &DEPTHS, token)?;
            inputs.top_k.extend(top_items.map(Arc::new));
        }
        inputs.texts = needs.texts.then(|| Arc::new(Texts::from_gallery(&study.gallery)));
        Ok(inputs)
    }

    /// Removes a person's marks: ranks are those under the truths as loaded.
    #[must_use]
    pub fn without_marks(mut self) -> Self {
        self.marks = UserMarks::default();
        for (_, ranks) in &mut self.ranks {
            *ranks = ranks.with_edits(&Edits::new());
        }
        self
    }

    /// Sets a person's marks; judgments also change the ranks. All views must be in this direction.
    #[must_use]
    pub fn with_marks(
        mut self,
        study: &Study,
        direction: Direction,
        Marks { judgments, picked, tags }: &Marks,
    ) -> Self {
        let picked = picked[direction].iter().copied();
        self.marks = UserMarks::new(direction, picked, judgments).with_tags(direction, tags);
        let mut by_model: FxHashMap<ModelIx, FxHashMap<Pair, Option<u32>>> = FxHashMap::default();
        for (view, ranks) in &mut self.ranks {
            let Some(relevance) = &study.truths[view.truth].relevance[direction] else {
                continue;
            };
            let look_up = || judged_ranks(study, view.model, direction, judgments);
            let known = by_model.entry(view.model).or_insert_with(look_up);
            let changes = edits(relevance, direction, judgments, |pair| known.get(&pair).copied());
            *ranks = ranks.with_edits(&changes);
        }
        self
    }

    /// The ranks of a view; `None` if they are missing.
    pub fn ranks(&self, view: View) -> Option<&EditedRanks> {
        self.ranks.iter().find(|(other, _)| *other == view).map(|(_, ranks)| ranks)
    }

    /// The top items of a model; `None` if they are missing.
    pub fn top_k(&self, model: ModelIx) -> Option<&ModelTopItems> {
        self.top_k.iter().find(|top| top.model == model).map(Arc::as_ref)
    }
}

/// The top items of a model for every query, with hub counts at these depths; `None` if cancelled.
///
/// # Errors
/// Scores that cannot be read.
pub fn find_top_items(
    study: &Study,
    model: ModelIx,
    direction: Direction,
    depths: &[usize],
    token: &CancelToken,
) -> Result<Option<ModelTopItems>> {
    let pool = (&study.gallery, study.mask.as_deref());
    ModelTopItems::compute(pool, (model, &study.models[model]), direction, depths, token)
}

/// The ranks of judged pairs whose image and caption are both in the pool: in this direction, the rank of the pair's
/// item for its query; `None` if the model does not rank the item.
fn judged_ranks(
    study: &Study,
    model: ModelIx,
    direction: Direction,
    judgments: &Judgments,
) -> FxHashMap<Pair, Option<u32>> {
    let mut by_query: FxHashMap<QueryIx, Vec<(Pair, u32)>> = FxHashMap::default();
    for (pair, _) in judgments.iter().filter(|(pair, _)| study.competes(*pair)) {
        let (query, item) = pair.query_and_item(direction);
        by_query.entry(query).or_default().push((pair, item.raw()));
    }
    let mut all_ranks = FxHashMap::default();
    for (query, pairs) in by_query {
        let items: Vec<u32> = pairs.iter().map(|&(_, item)| item).collect();
        let (model, mask) = (&study.models[model], study.mask.as_deref());
        let ranks = item_ranks(model, mask, direction, query.get(), &items);
        all_ranks.extend(pairs.iter().map(|&(pair, _)| pair).zip(ranks));
    }
    all_ranks
}

/// A copy of a truth with the lists of one direction only.
fn in_direction(truth: &Truth, direction: Direction) -> Truth {
    let relevance = |one| truth.relevance[one].clone().filter(|_| one == direction);
    Truth { relevance: PerDirection::from_fn(relevance), ..Truth::new(&truth.name) }
}
