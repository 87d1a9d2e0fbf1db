//! What an expression needs, and nothing else: ranks, first items, captions as words.

use std::ops::Deref;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::facts::{Facts, Needs};
use super::user_marks::UserMarks;
use crate::data::index::{ModelIx, QueryIx};
use crate::data::words::Texts;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::counter::Counter;
use crate::rank::edited::{Edited, edits};
use crate::rank::hubs::{DEPTHS, OfModel};
use crate::rank::pass::CancelToken;
use crate::rank::ranking::places;
use crate::study::{Study, View};
use crate::truth::Truth;
use crate::truth::verdict::{Pair, Verdicts};

/// The ranks of some views of a study, the first items of some models, all in one direction, and what a
/// person made of it.
#[derive(Debug, Clone)]
pub struct Counts<S> {
    study: S,
    ranks: Vec<(View, Edited)>,
    made: UserMarks,
    top_k: Vec<Arc<OfModel>>,
    texts: Option<Arc<Texts>>,
}

impl<S: Deref<Target = Study>> Counts<S> {
    /// Ranks that somebody counted, verdicts included.
    pub fn new(study: S, ranks: Vec<(View, Edited)>, made: UserMarks) -> Self {
        Counts { study, ranks, made, top_k: Vec::new(), texts: None }
    }

    /// Counts the ranks that are needed, all in one direction, reading each model once, and finds first
    /// items. Cancelled, some are missing.
    ///
    /// # Errors
    /// As [`Counter::ranks`] and [`OfModel::of`].
    pub fn of(study: S, direction: Direction, needs: &Needs, token: &CancelToken) -> Result<Self> {
        let views = &needs.views;
        let mut known = Vec::new();
        for (model, scores) in ModelIx::each(&study.models) {
            let views: Vec<View> = views.iter().filter(|v| v.model == model).copied().collect();
            if views.is_empty() {
                continue;
            }
            let truths: Vec<Truth> =
                views.iter().map(|view| only(&study.truths[view.truth], direction)).collect();
            let counter = Counter::new(&truths, &study.gallery, study.mask.as_ref());
            let Some(ranks) = counter.ranks(scores, token)? else {
                break;
            };
            let of_views = views.into_iter().zip(&ranks);
            known.extend(
                of_views.filter_map(|(view, of)| Some((view, of[direction].clone()?.into()))),
            );
        }
        let mut counts = Counts::new(study, known, UserMarks::default());
        for &model in &needs.top_k {
            let found = of_model(&counts.study, model, direction, &DEPTHS, token)?;
            counts.top_k.extend(found.map(Arc::new));
        }
        if needs.texts {
            counts.texts = Some(Arc::new(Texts::of(&counts.study.gallery)));
        }
        Ok(counts)
    }

    /// The same ranks of the same study, in other hands.
    pub fn of_study<'a>(&self, study: &'a Study) -> Counts<&'a Study> {
        Counts::new(study, self.ranks.clone(), self.made.clone())
    }

    /// The same without what a person made: ranks under the truths as they were loaded.
    #[must_use]
    pub fn as_loaded(mut self) -> Self {
        self.made = UserMarks::default();
        for (_, ranks) in &mut self.ranks {
            *ranks = ranks.with([]);
        }
        self
    }

    /// The same with first items, and captions as words, that somebody found.
    #[must_use]
    pub fn with_top_k(mut self, top_k: Vec<Arc<OfModel>>, texts: Option<Arc<Texts>>) -> Self {
        self.top_k = top_k;
        self.texts = texts;
        self
    }

    /// The same with what a person made: verdicts change ranks as in the explorer. Views must all be
    /// in this direction.
    #[must_use]
    pub fn with(
        mut self,
        direction: Direction,
        picked: impl IntoIterator<Item = u32>,
        verdicts: &Verdicts,
    ) -> Self {
        self.made = UserMarks::of(direction, picked, verdicts);
        let mut by_model: FxHashMap<ModelIx, FxHashMap<Pair, Option<u32>>> = FxHashMap::default();
        for (view, ranks) in &mut self.ranks {
            let Some(relevance) = &self.study.truths[view.truth].relevance[direction] else {
                continue;
            };
            let looked_up = || ranked(&self.study, view.model, direction, verdicts);
            let known = by_model.entry(view.model).or_insert_with(looked_up);
            let changes = edits(relevance, direction, verdicts, |pair| known.get(&pair).copied());
            *ranks = ranks.with(changes.iter().map(|(&place, edit)| (place, edit)));
        }
        self
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

impl<S: Deref<Target = Study> + Sync> Facts for Counts<S> {
    fn study(&self) -> &Study {
        &self.study
    }

    fn ranks(&self, view: View) -> Option<&Edited> {
        let found = self.ranks.iter().find(|(of, _)| *of == view);
        found.map(|(_, ranks)| ranks)
    }

    fn top_k(&self, model: ModelIx) -> Option<&OfModel> {
        let found = self.top_k.iter().find(|of| of.model == model);
        found.map(Arc::as_ref)
    }

    fn texts(&self) -> Option<&Texts> {
        self.texts.as_deref()
    }

    fn user_marks(&self) -> Option<&UserMarks> {
        Some(&self.made)
    }
}
