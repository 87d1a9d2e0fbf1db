//! What an expression needs to be known, and all that is known: ranks, first items, captions as words.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::found::Marks;
use super::user_marks::UserMarks;
use crate::data::index::{ModelIx, QueryIx};
use crate::data::words::Texts;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::counter::Counter;
use crate::rank::edited::{Edited, Edits, edits};
use crate::rank::hubs::{DEPTHS, OfModel};
use crate::rank::pass::CancelToken;
use crate::rank::ranking::places;
use crate::study::{Study, View};
use crate::truth::Truth;
use crate::truth::verdict::{Pair, Verdicts};

/// What an expression needs to be known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// The views whose ranks, each once.
    pub views: Vec<View>,
    /// The models whose first items, each once.
    pub top_k: Vec<ModelIx>,
    /// Whether captions as words.
    pub texts: bool,
}

/// Ranks that a value is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RanksOf {
    /// Place of their view among those that are needed.
    pub view: usize,
    /// Whether they are as loaded even where verdicts are laid over their truth.
    pub as_loaded: bool,
}

impl Needs {
    /// What either of two expressions needs.
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

/// The place of something in a list, which it is added to if need be.
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

/// The ranks of some views of a study, the first items of some models, all in one direction, and what a
/// person made of it.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Ranks of views, verdicts included.
    pub ranks: Vec<(View, Edited)>,
    /// What a person made of the queries.
    pub marks: UserMarks,
    /// What models retrieve first.
    pub top_k: Vec<Arc<OfModel>>,
    /// The captions as words.
    pub texts: Option<Arc<Texts>>,
}

impl Counts {
    /// Counts the ranks that are needed, all in one direction, reading each model once, and finds first
    /// items. Cancelled, some are missing.
    ///
    /// # Errors
    /// As [`Counter::ranks`] and [`OfModel::of`].
    pub fn of(
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
            let found = of_model(study, model, direction, &DEPTHS, token)?;
            counts.top_k.extend(found.map(Arc::new));
        }
        counts.texts = needs.texts.then(|| Arc::new(Texts::of(&study.gallery)));
        Ok(counts)
    }

    /// The same without what a person made: ranks under the truths as they were loaded.
    #[must_use]
    pub fn as_loaded(mut self) -> Self {
        self.marks = UserMarks::default();
        for (_, ranks) in &mut self.ranks {
            *ranks = ranks.with(&Edits::new());
        }
        self
    }

    /// The same with what a person made: verdicts change ranks as in the explorer. Views must all be
    /// in this direction.
    #[must_use]
    pub fn with(
        mut self,
        study: &Study,
        direction: Direction,
        Marks { verdicts, picked, tags }: &Marks,
    ) -> Self {
        let picked = picked[direction].iter().copied();
        self.marks = UserMarks::of(direction, picked, verdicts).with_tags(direction, tags);
        let mut by_model: FxHashMap<ModelIx, FxHashMap<Pair, Option<u32>>> = FxHashMap::default();
        for (view, ranks) in &mut self.ranks {
            let Some(relevance) = &study.truths[view.truth].relevance[direction] else {
                continue;
            };
            let looked_up = || ranked(study, view.model, direction, verdicts);
            let known = by_model.entry(view.model).or_insert_with(looked_up);
            let changes = edits(relevance, direction, verdicts, |pair| known.get(&pair).copied());
            *ranks = ranks.with(&changes);
        }
        self
    }

    /// The ranks of a view; `None` where they are not counted (yet).
    pub fn ranks(&self, view: View) -> Option<&Edited> {
        self.ranks.iter().find(|(of, _)| *of == view).map(|(_, ranks)| ranks)
    }

    /// What a model retrieves first; `None` where that is not known (yet).
    pub fn top_k(&self, model: ModelIx) -> Option<&OfModel> {
        self.top_k.iter().find(|of| of.model == model).map(Arc::as_ref)
    }
}

/// What a model of a study retrieves first; `None` when it was cancelled.
///
/// # Errors
/// As [`OfModel::of`].
pub fn of_model(
    study: &Study,
    model: ModelIx,
    direction: Direction,
    depths: &[usize],
    token: &CancelToken,
) -> Result<Option<OfModel>> {
    let field = (&study.gallery, study.mask.as_deref());
    OfModel::of(field, (model, &study.models[model]), direction, depths, token)
}

/// Where a model ranks the items that verdicts are about, those that compete; `None` where it does not
/// rank one.
fn ranked(
    study: &Study,
    model: ModelIx,
    direction: Direction,
    verdicts: &Verdicts,
) -> FxHashMap<Pair, Option<u32>> {
    let mut of_query: FxHashMap<QueryIx, Vec<(Pair, u32)>> = FxHashMap::default();
    for (pair, _) in verdicts.iter().filter(|(pair, _)| study.competes(*pair)) {
        let (query, item) = pair.asked(direction);
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
