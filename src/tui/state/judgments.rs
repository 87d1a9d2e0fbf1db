//! A person's judgments, and the metrics with judgments applied to every truth. A judgment needs the rank of its item:
//! known from the ranking on screen, or looked up by a job for other models and the other direction.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Model;
use super::changes::Dirty;
use super::view::Numbers;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::jobs::{ModelScores, PlaceKey, Placed, RankJudged, Scored, Unmeasured};
use crate::rank::edits::{Edited, Edits, edits};
use crate::study::View;
use crate::truth::judgment::{Judgment, Judgments, Pair};
use crate::truth::response;
use crate::truth::response::Response;
use crate::tui::sort::Sort;

/// The annotator's judgments, and pairs that cannot be told.
#[derive(Debug, Default)]
pub struct JudgmentSet {
    /// Judgments of pairs.
    pub decided: Judgments,
    /// Pairs that cannot be decided: they change no metric.
    pub(super) cant_tell: BTreeSet<Pair>,
}

/// Effects of judgments in the open study.
#[derive(Debug, Default)]
pub struct JudgedNumbers {
    /// Known ranks of judged items.
    pub(super) ranks: FxHashMap<PlaceKey, Option<u32>>,
    /// Judged items of unknown rank: cached, as they are requested after every event.
    pub(crate) unplaced: Vec<Arc<[PlaceKey]>>,
    /// Metrics changed by judgments, of visible views.
    pub(super) scored: FxHashMap<View, Judged>,
}

/// Scores with judgments, and their inputs.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) base: Arc<ModelScores>,
    pub(super) edits: Edits,
    pub(super) scored: Arc<Scored>,
}

impl JudgmentSet {
    /// Response to a pair.
    pub fn response(&self, pair: Pair) -> Option<Response> {
        let judgment = self.decided.get(pair).map(Response::Judgment);
        let cant_tell = || self.cant_tell.contains(&pair).then_some(Response::CantTell);
        judgment.or_else(cant_tell)
    }

    /// Number of judged pairs.
    pub fn count(&self) -> usize {
        self.decided.len() + self.cant_tell.len()
    }

    /// Count in words.
    pub fn counted(&self) -> String {
        response::counted(self.decided.len(), self.cant_tell.len())
    }

    /// Whether no pair is judged.
    pub fn is_empty(&self) -> bool {
        self.decided.is_empty() && self.cant_tell.is_empty()
    }

    /// Judged pairs.
    pub(super) fn pairs(&self) -> impl Iterator<Item = Pair> {
        let judged = self.decided.iter().map(|(pair, _)| pair);
        judged.chain(self.cant_tell.iter().copied())
    }

    /// Sets or removes the response to a pair.
    pub(super) fn set(&mut self, pair: Pair, response: Option<Response>) {
        self.decided.set(pair, response.and_then(Response::judgment));
        self.cant_tell.remove(&pair);
        if response == Some(Response::CantTell) {
            self.cant_tell.insert(pair);
        }
    }
}

impl Model {
    /// Response to an item of a query.
    pub fn response(&self, query: usize, item: usize) -> Option<Response> {
        let pair = Pair::from_query(self.view.direction, query.into(), item.into());
        self.judgments.response(pair)
    }

    /// Judgment of an item of a query.
    pub fn judgment(&self, query: usize, item: usize) -> Option<Judgment> {
        let pair = Pair::from_query(self.view.direction, query.into(), item.into());
        self.judgments.decided.get(pair)
    }

    /// Scores of a visible view with judgments; `None` if these do not change them.
    pub(in crate::tui) fn judged_at(&self, view: View) -> Option<&Arc<Scored>> {
        Some(&self.known.judged.scored.get(&view)?.scored)
    }

    /// Scores that need every metric: visible ones changed by judgments; then, once all models are ranked, all others.
    pub(crate) fn wanted_measures(&self) -> Vec<Unmeasured> {
        let views = self.known.judged.scored.iter().filter(|_| self.demand.all_views);
        let missing = views.filter(|(_, of)| of.scored.measured().is_none());
        let mut wanted: Vec<_> = missing.collect();
        wanted.sort_by_key(|(view, _)| (view.truth, view.model, view.direction));
        let judged = wanted
            .into_iter()
            .map(|(view, of)| Unmeasured { model: view.model, scored: vec![of.scored.clone()] });
        judged.chain(self.unmeasured_counts()).collect()
    }

    fn unmeasured_counts(&self) -> impl Iterator<Item = Unmeasured> {
        let all_counted = self.wanted_counts().is_empty();
        let models = ModelIx::each(&self.numbers);
        let counted = models.filter_map(move |(model, numbers)| match numbers {
            Numbers::Ready(scores) if all_counted => Some((model, scores)),
            _ => None,
        });
        let is_missing = |scored: &Arc<Scored>| scored.measured().is_none();
        let missing = counted.filter(move |(_, scores)| scores.all().any(is_missing));
        missing.map(|(model, scores)| Unmeasured { model, scored: scores.all().cloned().collect() })
    }

    /// Whether judgments change the metrics of the view.
    pub fn is_judged(&self) -> bool {
        self.judged_at(self.view).is_some()
    }

    /// Whether judgments change any visible metric under a truth.
    pub fn is_changed(&self, truth: TruthIx) -> bool {
        self.known.judged.scored.keys().any(|view| view.truth == truth)
    }

    /// Whether judgments change the ranks of a query under a truth, for the current model and direction.
    pub fn is_query_judged(&self, truth: TruthIx, query: usize) -> bool {
        let view = View { truth, ..self.view };
        let relevance = self.study.truths[truth].relevance[view.direction].as_ref();
        let place = relevance.and_then(|relevance| relevance.place(query));
        let judged = self.known.judged.scored.get(&view);
        place.zip(judged).is_some_and(|(place, judged)| judged.edits.contains_key(&place))
    }

    /// Stores looked-up ranks.
    pub(crate) fn take_places(&mut self, placed: Placed) {
        let View { model, direction, .. } = self.view;
        let is_here = |key: &PlaceKey| (key.model, key.direction) == (model, direction);
        // A judgment made here has its rank: these come from an opened session, and so do those of another model while
        // nobody judges.
        let is_ordering = |key: &PlaceKey| {
            key.direction == direction && !self.judging.is_on && self.is_ordered_by(key.model)
        };
        let opened = placed.iter().any(|(key, _)| is_here(key) || is_ordering(key));
        let is_sorted = *self.order() != Sort::Gallery;
        self.known.judged.ranks.extend(placed);
        self.dirty |= Dirty::RANKS;
        if opened && (is_sorted || self.has_filter()) {
            self.dirty |= Dirty::FILTER;
        }
    }

    /// Judged items of unknown rank, those of the current model first.
    pub fn wanted_places(&self) -> &[Arc<[PlaceKey]>] {
        &self.known.judged.unplaced
    }

    /// Finds which ranks are unknown: judgments, models or the view changed.
    fn refresh_places(&mut self) {
        let mut wanted = Vec::new();
        for (model, numbers) in ModelIx::each(&self.numbers) {
            if !matches!(numbers, Numbers::Ready(_)) {
                continue;
            }
            for direction in Direction::BOTH {
                let pairs = self.judgments.pairs();
                let keys = pairs
                    .filter(|pair| self.study.competes(*pair))
                    .map(|pair| PlaceKey::for_pair(model, direction, pair));
                wanted.extend(keys.filter(|key| !self.known.judged.ranks.contains_key(key)));
            }
        }
        wanted.sort_by_key(|key| (key.model != self.view.model, *key));
        self.known.judged.unplaced = RankJudged::parts(&wanted);
    }

    /// Recomputes the effect of judgments on the scores of the current model and direction, and of the other models
    /// under the current truth, or of all if the screen shows all.
    pub(super) fn refresh_judged(&mut self) {
        self.refresh_places();
        let mut before = std::mem::take(&mut self.known.judged.scored);
        if self.judgments.decided.is_empty() {
            return;
        }
        let views = self.shown_views();
        let judged = |view| Some((view, self.judge_view(view, before.remove(&view))?));
        self.known.judged.scored = views.into_iter().filter_map(judged).collect();
    }

    /// Views whose metrics are visible, or sort the queries.
    fn shown_views(&self) -> Vec<View> {
        let shows_all = self.demand.all_views;
        let mut views = Vec::new();
        for truth in TruthIx::all(&self.study.truths) {
            for model in ModelIx::all(&self.numbers) {
                let both = Direction::both(|direction| View { model, truth, direction });
                let is_here = |view: &View| {
                    let is_compared = truth == self.view.truth || self.is_ordered_by(model);
                    view.direction == self.view.direction
                        && (model == self.view.model || is_compared)
                };
                views.extend(both.into_iter().filter(|view| shows_all || is_here(view)));
            }
        }
        views
    }

    /// Ranks of a view with judgments; `None` if not computed yet.
    pub(in crate::tui) fn edited(&self, view: View) -> Option<Edited> {
        let (scores, edits) = self.edits_of(view)?;
        let ranks = &scores.get(view.truth, view.direction)?.ranks;
        Some(ranks.with(&edits))
    }

    /// Scores of a view with judgments: `before`, if nothing changed. `None` if judgments do not change them, or there
    /// are none yet.
    fn judge_view(&self, view: View, before: Option<Judged>) -> Option<Judged> {
        let (base, edits) = self.edits_of(view)?;
        let is_same = |before: &Judged| Arc::ptr_eq(&before.base, base) && before.edits == edits;
        match before.filter(is_same) {
            _ if edits.is_empty() => None,
            Some(before) => Some(before),
            None => {
                let counted = base.get(view.truth, view.direction)?;
                let scored = counted.with(&edits);
                Some(Judged { base: base.clone(), edits, scored: Arc::new(scored) })
            }
        }
    }

    /// Scores of a model, and the edits by judgments in a view, by query index.
    fn edits_of(&self, view: View) -> Option<(&Arc<ModelScores>, Edits)> {
        let Numbers::Ready(scores) = &self.numbers[view.model] else {
            return None;
        };
        let relevance = self.study.truths[view.truth].relevance[view.direction].as_ref()?;
        let rank = |pair| {
            let key = PlaceKey::for_pair(view.model, view.direction, pair);
            let known = self.known.judged.ranks.get(&key).copied();
            known.filter(|_| self.study.competes(pair))
        };
        let edits = edits(relevance, view.direction, &self.judgments.decided, rank);
        (!self.is_turning(view)).then_some((scores, edits))
    }
}
