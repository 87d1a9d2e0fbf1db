//! Ranks for an expression: those that it needs and no others.

use std::ops::Deref;

use rustc_hash::FxHashMap;

use super::made::Made;
use super::view::{Facts, View};
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::counter::Counter;
use crate::rank::edited::{Edited, edits};
use crate::rank::pass::Watch;
use crate::rank::ranking::places;
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::verdict::{Pair, Verdicts};

/// The ranks of some views of a study, and what a person made of it.
#[derive(Debug, Clone)]
pub struct Counts<S> {
    study: S,
    ranks: Vec<(View, Edited)>,
    made: Made,
}

impl<S: Deref<Target = Study>> Counts<S> {
    /// Ranks that somebody counted, verdicts included.
    pub fn new(study: S, ranks: Vec<(View, Edited)>, made: Made) -> Self {
        Counts { study, ranks, made }
    }

    /// Counts the ranks of these views, all in one direction, reading each model once. Cancelled,
    /// views are missing.
    ///
    /// # Errors
    /// As [`Counter::ranks`].
    pub fn of(study: S, direction: Direction, views: &[View], watch: &Watch) -> Result<Self> {
        let mut known = Vec::new();
        for (model, scores) in study.models.iter().enumerate() {
            let views: Vec<View> = views.iter().filter(|v| v.model == model).copied().collect();
            if views.is_empty() {
                continue;
            }
            let truths: Vec<Truth> = views
                .iter()
                .map(|view| only(&study.truths[view.truth], direction))
                .collect();
            let counter = Counter::new(&truths, &study.gallery, study.arena.as_ref());
            let Some(ranks) = counter.ranks(scores, watch)? else {
                break;
            };
            let of_views = views.into_iter().zip(&ranks);
            known.extend(
                of_views.filter_map(|(view, of)| Some((view, of[direction].clone()?.into()))),
            );
        }
        Ok(Counts::new(study, known, Made::default()))
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
        self.made = Made::of(direction, picked, verdicts);
        let mut by_model: FxHashMap<usize, FxHashMap<Pair, Option<u32>>> = FxHashMap::default();
        for (view, ranks) in &mut self.ranks {
            let Some(relevance) = &self.study.truths[view.truth].relevance[direction] else {
                continue;
            };
            let looked_up = || ranked(&self.study, view.model, direction, verdicts);
            let known = by_model.entry(view.model).or_insert_with(looked_up);
            let changes = edits(relevance, direction, verdicts, |pair| {
                known.get(&pair).copied()
            });
            *ranks = ranks.with(changes.iter().map(|(&place, edit)| (place, edit)));
        }
        self
    }
}

/// Where a model ranks the items that verdicts are about, those that compete; `None` where it does not
/// rank one.
fn ranked(
    study: &Study,
    model: usize,
    direction: Direction,
    verdicts: &Verdicts,
) -> FxHashMap<Pair, Option<u32>> {
    let mut of_query: FxHashMap<u32, Vec<(Pair, u32)>> = FxHashMap::default();
    for (pair, _) in verdicts.iter().filter(|(pair, _)| study.competes(*pair)) {
        let (query, item) = pair.asked(direction);
        of_query.entry(query).or_default().push((pair, item));
    }
    let mut ranked = FxHashMap::default();
    for (query, pairs) in of_query {
        let items: Vec<u32> = pairs.iter().map(|&(_, item)| item).collect();
        let (model, arena) = (&study.models[model], study.arena.as_deref());
        let ranks = places(model, arena, direction, query as usize, &items);
        ranked.extend(pairs.iter().map(|&(pair, _)| pair).zip(ranks));
    }
    ranked
}

/// A truth without its other direction.
fn only(truth: &Truth, direction: Direction) -> Truth {
    let kept = |one| truth.relevance[one].clone().filter(|_| one == direction);
    Truth {
        relevance: PerDirection::from_fn(kept),
        ..Truth::new(&truth.name)
    }
}

impl<S: Deref<Target = Study> + Sync> Facts for Counts<S> {
    fn study(&self) -> &Study {
        &self.study
    }

    fn ranks(&self, view: View) -> Option<&Edited> {
        let found = self.ranks.iter().find(|(of, _)| *of == view);
        found.map(|(_, ranks)| ranks)
    }

    fn made(&self) -> Option<&Made> {
        Some(&self.made)
    }
}
