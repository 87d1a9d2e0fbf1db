//! Inputs of an expression, and their values: ranks, top items, captions as words.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::matches::Marks;
use super::user_marks::UserMarks;
use crate::data::index::{ModelIx, QueryIx};
use crate::data::words::Texts;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::counter::Counter;
use crate::rank::edits::{Edited, Edits, edits};
use crate::rank::hubs::{DEPTHS, ModelTopItems};
use crate::rank::pass::CancelToken;
use crate::rank::ranking::places;
use crate::study::{Study, View};
use crate::truth::Truth;
use crate::truth::judgment::{Judgments, Pair};

/// Inputs of an expression.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Views to be ranked, each once.
    pub views: Vec<View>,
    /// Models for the top k, each once.
    pub top_k: Vec<ModelIx>,
    /// Whether texts are needed.
    pub texts: bool,
}

/// Ranks of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RanksOf {
    /// Index of their view in [`Needs::views`].
    pub view: usize,
    /// Whether to use the ranks as loaded, without judgments.
    pub as_loaded: bool,
}

impl Needs {
    /// Union of two needs.
    #[must_use]
    pub fn and(mut self, other: &Needs) -> Self {
        for &view in &other.views {
            place_of(&mut self.views, view);
        }
        for &model in &other.top_k {
            place_of(&mut self.top_k, model);
        }
        self.texts |= other.texts;
        self
    }
}

/// Index of an element in a list; adds it if missing.
pub(super) fn place_of<T: PartialEq>(list: &mut Vec<T>, wanted: T) -> usize {
    list.iter().position(|known| *known == wanted).unwrap_or_else(|| {
        list.push(wanted);
        list.len() - 1
    })
}

impl From<View> for Needs {
    fn from(view: View) -> Self {
        Needs { views: vec![view], ..Needs::default() }
    }
}

/// The ranks of some views of a study, the top items of some models, all in one direction, and a person's marks.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Ranks of views, with judgments.
    pub ranks: Vec<(View, Edited)>,
    /// A person's marks of the queries.
    pub marks: UserMarks,
    /// Top items of models.
    pub top_k: Vec<Arc<ModelTopItems>>,
    /// The captions as words.
    pub texts: Option<Arc<Texts>>,
}

impl Counts {
    /// Computes the needed ranks, all in one direction, reading each model once, and top items. If cancelled, some are
    /// missing.
    ///
    /// # Errors
    /// As [`Counter::ranks`] and [`ModelTopItems::compute`].
    pub fn compute(
        study: &Study,
        direction: Direction,
        needs: &Needs,
        token: &CancelToken,
    ) -> Result<Self> {
        let mut counts = Counts::default();
        for (model, scores) in ModelIx::each(&study.models) {
            let views = needs.views.iter().filter(|view| view.model == model);
            let truths: Vec<Truth> =
                views.clone().map(|view| only(&study.truths[view.truth], direction)).collect();
            if truths.is_empty() {
                continue;
            }
            let counter = Counter::new(&truths, &study.gallery, study.mask.as_ref());
            let Some(ranks) = counter.ranks(scores, token)? else {
                break;
            };
            let of_views = views.zip(&ranks);
            counts.ranks.extend(
                of_views.filter_map(|(view, of)| Some((*view, of[direction].clone()?.into()))),
            );
        }
        for &model in &needs.top_k {
            let found = find_top_items(study, model, direction, &DEPTHS, token)?;
            counts.top_k.extend(found.map(Arc::new));
        }
        counts.texts = needs.texts.then(|| Arc::new(Texts::from_gallery(&study.gallery)));
        Ok(counts)
    }

    /// Removes a person's marks: ranks under the truths as loaded.
    #[must_use]
    pub fn as_loaded(mut self) -> Self {
        self.marks = UserMarks::default();
        for (_, ranks) in &mut self.ranks {
            *ranks = ranks.with(&Edits::new());
        }
        self
    }

    /// Adds a person's marks: judgments change the ranks. All views must be in this direction.
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
            let looked_up = || ranked(study, view.model, direction, judgments);
            let known = by_model.entry(view.model).or_insert_with(looked_up);
            let changes = edits(relevance, direction, judgments, |pair| known.get(&pair).copied());
            *ranks = ranks.with(&changes);
        }
        self
    }

    /// The ranks of a view; `None` if they are not computed (yet).
    pub fn ranks(&self, view: View) -> Option<&Edited> {
        self.ranks.iter().find(|(of, _)| *of == view).map(|(_, ranks)| ranks)
    }

    /// A model's top items; `None` if not known (yet).
    pub fn top_k(&self, model: ModelIx) -> Option<&ModelTopItems> {
        self.top_k.iter().find(|of| of.model == model).map(Arc::as_ref)
    }
}

/// Top items of a model, with hub counts at these depths; `None` if cancelled.
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
    let field = (&study.gallery, study.mask.as_deref());
    ModelTopItems::compute(field, (model, &study.models[model]), direction, depths, token)
}

/// Ranks by a model of judged items in the pool; `None` for unranked ones.
fn ranked(
    study: &Study,
    model: ModelIx,
    direction: Direction,
    judgments: &Judgments,
) -> FxHashMap<Pair, Option<u32>> {
    let mut of_query: FxHashMap<QueryIx, Vec<(Pair, u32)>> = FxHashMap::default();
    for (pair, _) in judgments.iter().filter(|(pair, _)| study.competes(*pair)) {
        let (query, item) = pair.query_and_item(direction);
        of_query.entry(query).or_default().push((pair, item.raw()));
    }
    let mut ranked = FxHashMap::default();
    for (query, pairs) in of_query {
        let items: Vec<u32> = pairs.iter().map(|&(_, item)| item).collect();
        let (model, mask) = (&study.models[model], study.mask.as_deref());
        let ranks = places(model, mask, direction, query.get(), &items);
        ranked.extend(pairs.iter().map(|&(pair, _)| pair).zip(ranks));
    }
    ranked
}

/// A truth without its other direction.
fn only(truth: &Truth, direction: Direction) -> Truth {
    let kept = |one| truth.relevance[one].clone().filter(|_| one == direction);
    Truth { relevance: PerDirection::from_fn(kept), ..Truth::new(&truth.name) }
}
