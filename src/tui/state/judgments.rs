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
use crate::jobs::{ModelScores, PairRankKey, PairRanks, RankJudged, Unmeasured, ViewMetrics};
use crate::rank::edits::{EditedRanks, Edits, edits};
use crate::study::View;
use crate::truth::judgment::{Judgment, Judgments, Pair};
use crate::truth::response::Response;
use crate::tui::sort::Sort;

/// The annotator's responses to pairs.
#[derive(Debug, Default)]
pub struct JudgmentSet {
    /// Pairs with a judgment.
    pub decided: Judgments,
    /// Pairs that the annotator could not decide; they change no metric.
    pub(super) cant_tell: BTreeSet<Pair>,
}

/// Effects of judgments in the open study.
#[derive(Debug, Default)]
pub struct JudgedNumbers {
    /// Known ranks of judged items; `None` if the model does not rank the item.
    pub(super) ranks: FxHashMap<PairRankKey, Option<u32>>,
    /// Judged items whose ranks are not known, in parts for a job; stored because they are requested after every event.
    pub(crate) missing_ranks: Vec<Arc<[PairRankKey]>>,
    /// Metrics changed by judgments, of views on screen.
    pub(super) views: FxHashMap<View, JudgedMetrics>,
}

/// Metrics after judgments, and what they were computed from.
#[derive(Debug)]
pub(super) struct JudgedMetrics {
    /// Scores of the view's model before judgments.
    pub(super) base: Arc<ModelScores>,
    /// Changes of the ranks by judgments.
    pub(super) edits: Edits,
    /// Metrics of the view with these changes.
    pub(super) metrics: Arc<ViewMetrics>,
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
    /// Response to an item of a query, both by gallery index in the current direction; `None` if unjudged.
    pub fn response(&self, query: usize, item: usize) -> Option<Response> {
        let pair = Pair::from_query(self.view.direction, query.into(), item.into());
        self.judgments.response(pair)
    }

    /// Judgment of an item of a query, both by gallery index in the current direction; `None` if unjudged or undecided.
    pub fn judgment(&self, query: usize, item: usize) -> Option<Judgment> {
        let pair = Pair::from_query(self.view.direction, query.into(), item.into());
        self.judgments.decided.get(pair)
    }

    /// Metrics of a view after judgments; `None` if the view is not on screen, or judgments do not change its metrics.
    pub(in crate::tui) fn edited_metrics(&self, view: View) -> Option<&Arc<ViewMetrics>> {
        Some(&self.known.judged.views.get(&view)?.metrics)
    }

    /// Ranks whose metrics are to be computed: first those after judgments, of views on screen; then those before
    /// judgments, of all models, once all models are ranked.
    pub(crate) fn wanted_measures(&self) -> Vec<Unmeasured> {
        let views = self.known.judged.views.iter().filter(|_| self.demand.all_views);
        let missing = views.filter(|(_, of)| of.metrics.metric_values().is_none());
        let mut wanted: Vec<_> = missing.collect();
        wanted.sort_by_key(|(view, _)| (view.truth, view.model, view.direction));
        let judged = wanted
            .into_iter()
            .map(|(view, of)| Unmeasured { model: view.model, metrics: vec![of.metrics.clone()] });
        judged.chain(self.unmeasured_models()).collect()
    }

    /// Models whose metrics before judgments are not all computed; none until all models are ranked.
    fn unmeasured_models(&self) -> impl Iterator<Item = Unmeasured> {
        let all_counted = self.models_to_rank().is_empty();
        let models = ModelIx::enumerate(&self.numbers);
        let counted = models.filter_map(move |(model, numbers)| match numbers {
            Numbers::Ready(scores) if all_counted => Some((model, scores)),
            _ => None,
        });
        let is_missing = |metrics: &Arc<ViewMetrics>| metrics.metric_values().is_none();
        let missing = counted.filter(move |(_, scores)| scores.all().any(is_missing));
        missing.map(|(model, of)| Unmeasured { model, metrics: of.all().cloned().collect() })
    }

    /// Whether judgments change the metrics of the view.
    pub fn is_view_edited(&self) -> bool {
        self.edited_metrics(self.view).is_some()
    }

    /// Whether judgments change any metric on screen under a truth.
    pub fn is_truth_edited(&self, truth: TruthIx) -> bool {
        self.known.judged.views.keys().any(|view| view.truth == truth)
    }

    /// Whether judgments change the ranks of a query under a truth, for the current model and direction.
    pub fn is_query_edited(&self, truth: TruthIx, query: usize) -> bool {
        let view = View { truth, ..self.view };
        let relevance = self.study.truths[truth].relevance[view.direction].as_ref();
        let index = relevance.and_then(|relevance| relevance.place(query));
        let judged = self.known.judged.views.get(&view);
        index.zip(judged).is_some_and(|(index, judged)| judged.edits.contains_key(&index))
    }

    /// Stores ranks of judged items that a job looked up. Sorts and filters again if the ranks may change the list.
    pub(crate) fn store_judged_ranks(&mut self, ranks: PairRanks) {
        let View { model, direction, .. } = self.view;
        let is_here = |key: &PairRankKey| (key.model, key.direction) == (model, direction);
        // A judgment made in this view stores the rank itself, so these are of judgments from an opened session. So are
        // those of other models, unless the judging mode is on.
        let is_ordering = |key: &PairRankKey| {
            key.direction == direction && !self.judging.is_on && self.is_ordered_by(key.model)
        };
        let can_reorder = ranks.iter().any(|(key, _)| is_here(key) || is_ordering(key));
        let is_sorted = *self.order() != Sort::Gallery;
        self.known.judged.ranks.extend(ranks);
        self.dirty |= Dirty::RANKS;
        if can_reorder && (is_sorted || self.has_filter()) {
            self.dirty |= Dirty::FILTER;
        }
    }

    /// Judged items whose ranks are not known, in parts; those of the current model first.
    pub fn wanted_ranks(&self) -> &[Arc<[PairRankKey]>] {
        &self.known.judged.missing_ranks
    }

    /// Finds the judged items whose ranks are not known, after a change of judgments, models or view.
    fn find_missing_ranks(&mut self) {
        let mut wanted = Vec::new();
        for (model, numbers) in ModelIx::enumerate(&self.numbers) {
            if !matches!(numbers, Numbers::Ready(_)) {
                continue;
            }
            for direction in Direction::BOTH {
                let pairs = self.judgments.pairs();
                let keys = pairs
                    .filter(|pair| self.study.competes(*pair))
                    .map(|pair| PairRankKey::for_pair(model, direction, pair));
                wanted.extend(keys.filter(|key| !self.known.judged.ranks.contains_key(key)));
            }
        }
        wanted.sort_by_key(|key| (key.model != self.view.model, *key));
        self.known.judged.missing_ranks = RankJudged::split_keys(&wanted);
    }

    /// Recomputes the metrics after judgments of all views on screen.
    pub(super) fn refresh_judged(&mut self) {
        self.find_missing_ranks();
        let mut before = std::mem::take(&mut self.known.judged.views);
        if self.judgments.decided.is_empty() {
            return;
        }
        let views = self.shown_views();
        let computed = |view| Some((view, self.compute_judged(view, before.remove(&view))?));
        self.known.judged.views = views.into_iter().filter_map(computed).collect();
    }

    /// Views whose metrics are on screen, or sort the queries.
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

    /// Ranks of a view after judgments; `None` if they are not computed yet.
    pub(in crate::tui) fn edited_ranks(&self, view: View) -> Option<EditedRanks> {
        let (scores, edits) = self.view_edits(view)?;
        let ranks = &scores.get(view.truth, view.direction)?.ranks;
        Some(ranks.with_edits(&edits))
    }

    /// Metrics of a view after judgments; `before`, the previous result, is returned if it is still valid. `None` if
    /// judgments do not change the metrics, or if the view's ranks are not computed yet.
    fn compute_judged(&self, view: View, before: Option<JudgedMetrics>) -> Option<JudgedMetrics> {
        let (base, edits) = self.view_edits(view)?;
        let is_same = |old: &JudgedMetrics| Arc::ptr_eq(&old.base, base) && old.edits == edits;
        match before.filter(is_same) {
            _ if edits.is_empty() => None,
            Some(before) => Some(before),
            None => {
                let counted = base.get(view.truth, view.direction)?;
                let metrics = counted.with_edits(&edits);
                Some(JudgedMetrics { base: base.clone(), edits, metrics: Arc::new(metrics) })
            }
        }
    }

    /// Scores of the view's model, and the changes of their ranks by judgments, by index of the query in the truth;
    /// `None` while the scores are not computed, or outdated.
    fn view_edits(&self, view: View) -> Option<(&Arc<ModelScores>, Edits)> {
        let Numbers::Ready(scores) = &self.numbers[view.model] else {
            return None;
        };
        let relevance = self.study.truths[view.truth].relevance[view.direction].as_ref()?;
        let rank = |pair| {
            let key = PairRankKey::for_pair(view.model, view.direction, pair);
            let known = self.known.judged.ranks.get(&key).copied();
            known.filter(|_| self.study.competes(pair))
        };
        let edits = edits(relevance, view.direction, &self.judgments.decided, rank);
        (!self.is_outdated(view)).then_some((scores, edits))
    }
}
