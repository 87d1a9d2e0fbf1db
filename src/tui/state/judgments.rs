//! What a person decided, and the numbers with judgments applied to every truth. A judgment needs the rank of
//! its item: known from the ranking on screen, or looked up by a job for other models and the other direction.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Model;
use super::changes::Dirty;
use super::view::Numbers;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::jobs::{ModelScores, PlaceKey, Placed, RankJudged, Scored, Unmeasured};
use crate::rank::edited::{Edited, Edits, edits};
use crate::study::View;
use crate::truth::response;
use crate::truth::response::Response;
use crate::truth::verdict::{Pair, Verdict, Verdicts};
use crate::tui::sort::Sort;

/// What a person decided.
#[derive(Debug, Default)]
pub struct Judgements {
    /// The verdicts.
    pub verdicts: Verdicts,
    /// The pairs of which nothing could be told: they change no number.
    pub(super) cant_tell: BTreeSet<Pair>,
}

/// What follows from verdicts in the study that is open.
#[derive(Debug, Default)]
pub struct JudgedNumbers {
    /// Ranks of judged items, as far as they are known.
    pub(super) ranks: FxHashMap<PlaceKey, Option<u32>>,
    /// Judged items whose ranks are not known: kept, since it is asked for after every event.
    pub(crate) unplaced: Vec<Arc<[PlaceKey]>>,
    /// The numbers that verdicts change, of the views that are shown.
    pub(super) scored: FxHashMap<View, Judged>,
}

/// Numbers with verdicts, and what they were made of.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) base: Arc<ModelScores>,
    pub(super) edits: Edits,
    pub(super) scored: Arc<Scored>,
}

impl Judgements {
    /// What was said of a pair.
    pub fn response(&self, pair: Pair) -> Option<Response> {
        let verdict = self.verdicts.get(pair).map(Response::Verdict);
        let cant_tell = || self.cant_tell.contains(&pair).then_some(Response::CantTell);
        verdict.or_else(cant_tell)
    }

    /// How many pairs have an answer.
    pub fn count(&self) -> usize {
        self.verdicts.len() + self.cant_tell.len()
    }

    /// The same in words.
    pub fn counted(&self) -> String {
        response::counted(self.verdicts.len(), self.cant_tell.len())
    }

    /// Whether nothing was said of any pair.
    pub fn is_empty(&self) -> bool {
        self.verdicts.is_empty() && self.cant_tell.is_empty()
    }

    /// The pairs of which something was said.
    pub(super) fn pairs(&self) -> impl Iterator<Item = Pair> {
        let judged = self.verdicts.iter().map(|(pair, _)| pair);
        judged.chain(self.cant_tell.iter().copied())
    }

    /// Puts what is said of a pair in the place of what was said before, or removes it.
    pub(super) fn set(&mut self, pair: Pair, response: Option<Response>) {
        self.verdicts.set(pair, response.and_then(Response::verdict));
        self.cant_tell.remove(&pair);
        if response == Some(Response::CantTell) {
            self.cant_tell.insert(pair);
        }
    }
}

impl Model {
    /// What was said of an item of a query.
    pub fn response(&self, query: usize, item: usize) -> Option<Response> {
        let pair = Pair::of(self.view.direction, query.into(), item.into());
        self.judgements.response(pair)
    }

    /// The verdict on an item of a query.
    pub fn verdict(&self, query: usize, item: usize) -> Option<Verdict> {
        let pair = Pair::of(self.view.direction, query.into(), item.into());
        self.judgements.verdicts.get(pair)
    }

    /// The numbers of a view that is shown as verdicts change them; `None` where they do not.
    pub(in crate::tui) fn judged_at(&self, view: View) -> Option<&Arc<Scored>> {
        Some(&self.known.judged.scored.get(&view)?.scored)
    }

    /// Numbers of which every metric is wanted: those that verdicts changed, where they are shown; then,
    /// once all models are counted, all others.
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

    /// Whether verdicts change the numbers of what is looked at.
    pub fn is_judged(&self) -> bool {
        self.judged_at(self.view).is_some()
    }

    /// Whether verdicts change any number under a truth of those that are shown.
    pub fn is_changed(&self, truth: TruthIx) -> bool {
        self.known.judged.scored.keys().any(|view| view.truth == truth)
    }

    /// Whether verdicts change the ranks of a query under a truth, for the model and direction looked at.
    pub fn is_query_judged(&self, truth: TruthIx, query: usize) -> bool {
        let view = View { truth, ..self.view };
        let relevance = self.study.truths[truth].relevance[view.direction].as_ref();
        let place = relevance.and_then(|relevance| relevance.place(query));
        let judged = self.known.judged.scored.get(&view);
        place.zip(judged).is_some_and(|(place, judged)| judged.edits.contains_key(&place))
    }

    /// Takes ranks that were looked up.
    pub(crate) fn take_places(&mut self, placed: Placed) {
        let View { model, direction, .. } = self.view;
        let is_here = |key: &PlaceKey| (key.model, key.direction) == (model, direction);
        // A verdict that is given here has its rank with it: these are of a session that was opened, and so are those of
        // another model while nobody judges.
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

    /// The judged items whose ranks are not known yet, those of the model looked at first.
    pub fn wanted_places(&self) -> &[Arc<[PlaceKey]>] {
        &self.known.judged.unplaced
    }

    /// Looks anew which ranks are not known: verdicts, models or what is looked at changed.
    fn refresh_places(&mut self) {
        let mut wanted = Vec::new();
        for (model, numbers) in ModelIx::each(&self.numbers) {
            if !matches!(numbers, Numbers::Ready(_)) {
                continue;
            }
            for direction in Direction::BOTH {
                let pairs = self.judgements.pairs();
                let keys = pairs
                    .filter(|pair| self.study.competes(*pair))
                    .map(|pair| PlaceKey::of(model, direction, pair));
                wanted.extend(keys.filter(|key| !self.known.judged.ranks.contains_key(key)));
            }
        }
        wanted.sort_by_key(|key| (key.model != self.view.model, *key));
        self.known.judged.unplaced = RankJudged::parts(&wanted);
    }

    /// Computes anew what verdicts make of the numbers of the model and direction looked at, and of the other models under
    /// the truth looked at, or of all where the screen shows all.
    pub(super) fn refresh_judged(&mut self) {
        self.refresh_places();
        let mut before = std::mem::take(&mut self.known.judged.scored);
        if self.judgements.verdicts.is_empty() {
            return;
        }
        let views = self.shown_views();
        let judged = |view| Some((view, self.judge_view(view, before.remove(&view))?));
        self.known.judged.scored = views.into_iter().filter_map(judged).collect();
    }

    /// The views whose numbers are on screen, or order the queries.
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

    /// The ranks of a view with verdicts; `None` where they are not counted yet.
    pub(in crate::tui) fn edited(&self, view: View) -> Option<Edited> {
        let (scores, edits) = self.edits_of(view)?;
        let ranks = &scores.get(view.truth, view.direction)?.ranks;
        Some(ranks.with(&edits))
    }

    /// The numbers of a view as verdicts change them: those from before, where nothing is new. `None`
    /// where verdicts do not change them, or where there are none yet.
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

    /// The numbers of a model, and what verdicts change of them in a view, by the place of the query.
    fn edits_of(&self, view: View) -> Option<(&Arc<ModelScores>, Edits)> {
        let Numbers::Ready(scores) = &self.numbers[view.model] else {
            return None;
        };
        let relevance = self.study.truths[view.truth].relevance[view.direction].as_ref()?;
        let rank = |pair| {
            let key = PlaceKey::of(view.model, view.direction, pair);
            let known = self.known.judged.ranks.get(&key).copied();
            known.filter(|_| self.study.competes(pair))
        };
        let edits = edits(relevance, view.direction, &self.judgements.verdicts, rank);
        (!self.is_turning(view)).then_some((scores, edits))
    }
}
