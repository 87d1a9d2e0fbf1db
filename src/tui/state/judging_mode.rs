//! The judging mode: the pairs to judge, and the way to the next unjudged one.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::changes::Dirty;
use super::history::JudgmentChange;
use super::query_list::{Pane, RankedIn, Sought};
use super::{Model, Refusal};
use crate::analysis::first_items::Which;
use crate::data::Direction;
use crate::jobs::PlaceKey;
use crate::session::{TimedResponse, Timestamp};
use crate::study::View;
use crate::truth::Truth;
use crate::truth::judgment::Pair;
use crate::truth::response::Response;

/// The judging mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Judging {
    /// Whether one key judges. Not stored in a session.
    #[serde(skip)]
    pub is_on: bool,
    /// Whether it hides scores, ranks, marks and badges.
    #[serde(rename = "blind")]
    pub hides: bool,
    /// Depth to judge in each ranking; one more once all of these are judged.
    pub depth: usize,
    /// Whether to ask about the positives of the ground truth too, not only about unlisted items.
    #[serde(rename = "listed")]
    pub asks_listed: bool,
}

/// Range of the judging depth.
const DEPTHS: std::ops::RangeInclusive<usize> = 1..=1_000;

impl Default for Judging {
    fn default() -> Self {
        Judging { is_on: false, hides: false, depth: *DEPTHS.start(), asks_listed: false }
    }
}

impl Judging {
    /// With the depth within its range.
    pub(super) fn within_bounds(self) -> Self {
        Judging { depth: self.depth.clamp(*DEPTHS.start(), *DEPTHS.end()), ..self }
    }
}

impl Model {
    /// Starts the judging mode at the item chosen in a ranking, judged or not; else at the first unjudged one. Refused
    /// in a read-only session.
    pub(in crate::tui) fn begin_judging(&mut self) -> Result<(), Refusal> {
        self.check_writable()?;
        self.judging.is_on = true;
        if self.queue.is_some() {
            self.dirty |= Dirty::ROWS;
            self.recompute();
            self.go_on_in_queue();
            return Ok(());
        }
        if self.demand.items {
            if self.items.chosen.is_none() {
                self.list_items(|items| items.chosen = Some(Which::NotListed));
            }
            return Ok(());
        }
        let was_chosen = self.is_item_chosen();
        self.selection.pane = Pane::Ranking;
        if was_chosen {
            self.selection.item_of = self.ranked_in();
        } else {
            self.selection.item = 0;
            let others = self.selection.queries.len().saturating_sub(1);
            self.seek(Sought::Unanswered { others });
        }
        Ok(())
    }

    /// Whether the focused item was chosen, so that the next judgment applies to it. The top item is selected by
    /// default, so it counts only if it is to be judged or was judged.
    fn is_item_chosen(&self) -> bool {
        let selection = &self.selection;
        let is_sought = matches!(selection.sought, Some(Sought::Item(_)));
        let is_open = || self.unanswered_from(selection.item) == Some(selection.item);
        let is_within = selection.item > 0 && selection.item < self.judging.depth;
        let is_judged = || self.response(selection.query()?, self.item()?.item);
        selection.pane == Pane::Ranking
            && (is_sought || is_within || is_judged().is_some() || is_open())
    }

    /// The ranking in which items are selected.
    fn ranked_in(&self) -> Option<RankedIn> {
        let query = self.selection.query()?;
        Some((self.known.study_stamp, self.view, query))
    }

    /// Selects a ranking index.
    pub(in crate::tui) fn select_item(&mut self, place: usize) {
        self.selection.item = place;
        self.selection.sought = None;
        self.selection.item_of = self.ranked_in();
    }

    /// Selects the sought item, if its ranking is there. While judging, a ranking without a chosen item starts at the
    /// first item to judge.
    pub(super) fn follow_query(&mut self) {
        let here = self.ranked_in();
        let is_other = here.is_some() && here != self.selection.item_of;
        let asks = self.queue.is_none() && !self.demand.items;
        if self.judging.is_on && is_other && asks {
            self.selection.item_of = here;
            self.selection.sought.get_or_insert(Sought::PopupNeeds);
        }
        self.find_sought();
    }

    pub(in crate::tui) fn end_judging(&mut self) {
        self.judging.is_on = false;
        if self.queue.is_some() {
            self.dirty |= Dirty::ROWS;
        }
    }

    /// Whether scores, ranks, marks and badges are hidden.
    pub fn is_blind(&self) -> bool {
        self.judging.is_on && self.judging.hides
    }

    /// Toggles whether judging hides scores, ranks, marks and badges.
    pub(in crate::tui) fn toggle_blind(&mut self) {
        self.judging.hides = !self.judging.hides;
        self.dirty |= Dirty::SESSION;
    }

    /// Whether positives of the ground truth are skipped: not while a pool decides.
    pub(in crate::tui) fn passes_over_positives(&self) -> bool {
        self.queue.is_none() && !self.judging.asks_listed
    }

    /// Sets the judging depth of each ranking, within bounds.
    pub(in crate::tui) fn judge_to(&mut self, depth: usize) {
        self.judging.depth = depth.clamp(*DEPTHS.start(), *DEPTHS.end());
        self.dirty |= Dirty::SESSION;
    }

    /// Toggles whether to ask about positives of the ground truth.
    pub(in crate::tui) fn toggle_listed(&mut self) -> Result<(), Refusal> {
        self.check_no_pool()?;
        self.judging.asks_listed = !self.judging.asks_listed;
        self.seek(Sought::PopupNeeds);
        self.message = Some(if self.judging.asks_listed {
            "asking about every item".into()
        } else {
            format!("asking about items that {} does not list", self.truth().name)
        });
        self.dirty |= Dirty::SESSION;
        Ok(())
    }

    /// Selects a pair whose judgment was made or undone.
    pub(super) fn look_at_judged(&mut self, pair: Pair) {
        if self.demand.items {
            self.items.pair = Some(pair);
            return;
        }
        if self.queue.is_some() {
            self.look_at_queued(pair);
            return;
        }
        let (query, item) = pair.query_and_item(self.view.direction);
        let mut listed = self.selection.queries.iter();
        if let Some(place) = listed.position(|&listed| listed == query.raw()) {
            self.select_query(place);
            self.selection.pane = Pane::Ranking;
            self.seek(Sought::Item(item));
        }
    }

    /// Judges the selected item, or clears its judgment. Then selects the next unjudged item.
    pub(in crate::tui) fn respond(&mut self, response: Option<Response>) -> Result<(), Refusal> {
        self.check_writable()?;
        // Ranks of other models and of the other direction could not follow.
        self.check_files()?;
        let Some((pair, item)) = self.pair_at_hand().zip(self.item()) else {
            let is_ranking = self.ranking().is_none() && self.selection.query().is_some();
            let why =
                if is_ranking { "not answered: still ranking" } else { "no item is selected" };
            return Err(why.into());
        };
        if let Err(why) = self.check_asked(pair) {
            self.go_on();
            return Err(why);
        }
        // The judgment needs its rank.
        if item.rank > 0 {
            let key = PlaceKey::for_pair(self.view.model, self.view.direction, pair);
            self.known.judged.ranks.insert(key, Some(item.rank as u32));
        }
        let before = self.timed_response(pair);
        if before.map(|said| said.response) == response {
            self.message = Some(match response {
                Some(response) => format!("the answer is {response} already"),
                None => "no judgment to clear".into(),
            });
        } else {
            let after = response.map(|response| TimedResponse { response, at: Timestamp::now() });
            self.change_and_judge(|_| (), Some(JudgmentChange { pair, before, after }));
        }
        if response.is_some() {
            self.go_on();
        }
        Ok(())
    }

    /// Goes to the next unjudged item: further down the ranking, from its top again, in the next query. In the items
    /// screen the next row comes instead.
    pub(super) fn go_on(&mut self) {
        if self.demand.items {
            return;
        }
        if self.queue_in_force().is_some() {
            return self.go_on_in_queue();
        }
        match self.unanswered_from(self.selection.item + 1) {
            Some(place) => self.selection.item = place,
            None => self.go_on_among(self.selection.queries.len().saturating_sub(1)),
        }
    }

    /// Goes to the next of `others` further queries that may have an unjudged item.
    fn go_on_among(&mut self, others: usize) {
        let (count, here) = (self.selection.queries.len(), self.selection.selected);
        let answered = self.answers_by_query();
        let is_open =
            |by: &usize| self.left_of(self.selection.queries[(here + by) % count], &answered) > 0;
        if let Some(by) = (1..=others).find(is_open) {
            self.select_query((here + by) % count);
            self.seek(Sought::Unanswered { others: others - by });
            return;
        }
        let items = self.study.pool_sizes()[self.view.direction.flipped()];
        let before = self.judging.depth;
        if before < items {
            self.judge_to(before + 1);
        }
        let depth = self.judging.depth;
        if depth == before {
            self.message = Some(format!("nothing left in the first {before} items of any query"));
            return;
        }
        self.message =
            Some(format!("the top {before} of each query is judged; now the top {depth}"));
        // From the first query, which may be the current one.
        self.select_query(0);
        self.seek(Sought::Unanswered { others: count.saturating_sub(1) });
    }

    /// Selects `sought` once the ranking of the selected query is there.
    pub(super) fn seek(&mut self, sought: Sought) {
        self.selection.sought = Some(sought);
        self.selection.item_of = self.ranked_in();
        self.find_sought();
    }

    /// Whether an item is sought in a pending ranking.
    pub(in crate::tui) fn seeks(&self) -> bool {
        self.selection.sought.is_some()
    }

    /// Selects the sought item, if the ranking of the current pool is there.
    pub(super) fn find_sought(&mut self) {
        let is_pool_there = self.dials.pool == self.study_dials.pool;
        let ranking = self.ranking().filter(|_| is_pool_there);
        let (Some(sought), Some(ranking)) = (self.selection.sought, ranking) else {
            return;
        };
        let place = match sought {
            Sought::Item(item) => ranking.order.iter().position(|&of| of == item.raw()),
            Sought::PopupNeeds => self.unanswered_from(0).or_else(|| self.first_asked()),
            Sought::Unanswered { .. } => self.unanswered_from(0),
        };
        self.selection.sought = None;
        match (place, sought) {
            (Some(place), _) => self.selection.item = place,
            (None, Sought::Unanswered { others }) => self.go_on_among(others),
            (None, Sought::PopupNeeds) => {
                self.message = Some("no item of this query is asked about".into());
            }
            (None, Sought::Item(_)) => {
                self.message = Some("the item is not ranked, or not in this pool".into());
            }
        }
        self.dirty |= Dirty::POPUP;
    }

    /// Whether a pair of a query and an item is to be judged, or was.
    fn is_asked(&self, query: usize, item: usize) -> bool {
        let relevance = self.truth().relevance[self.view.direction].as_ref();
        let is_listed = relevance.and_then(|of| of.contains(query.into(), item.into()));
        self.judging.asks_listed || is_listed != Some(true)
    }

    /// Index of the first item to judge, down to the depth.
    fn first_asked(&self) -> Option<usize> {
        let (query, ranking) = (self.selection.query()?, self.ranking()?);
        let mut items = ranking.order.iter().take(self.judging.depth);
        items.position(|&item| self.is_asked(query, item as usize))
    }

    /// Index of the first unjudged item from `here` down to the depth, or else of the first one at all.
    fn unanswered_from(&self, here: usize) -> Option<usize> {
        let (query, ranking) = (self.selection.query()?, self.ranking()?);
        let end = self.judging.depth.min(ranking.order.len());
        let is_open = |&place: &usize| {
            let item = ranking.order[place] as usize;
            self.is_asked(query, item) && self.response(query, item).is_none()
        };
        (here..end).chain(0..here.min(end)).find(is_open)
    }

    /// Number of judged items per query among those to judge, as far as their ranks are known.
    fn answers_by_query(&self) -> FxHashMap<u32, usize> {
        let View { model, direction, .. } = self.view;
        let mut answers = FxHashMap::default();
        for pair in self.judgments.pairs() {
            let key = PlaceKey::for_pair(model, direction, pair);
            let rank = self.known.judged.ranks.get(&key).copied().flatten();
            let (query, item) = pair.query_and_item(direction);
            if rank.is_some_and(|rank| rank as usize <= self.judging.depth)
                && self.is_asked(query.get(), item.get())
            {
                *answers.entry(query.raw()).or_default() += 1;
            }
        }
        answers
    }

    /// Number of unjudged items of a query, as far as ranks of positives are known.
    fn left_of(&self, query: u32, answers: &FxHashMap<u32, usize>) -> usize {
        let answered = answers.get(&query).copied().unwrap_or(0);
        let ranks = self.counted_ranks(self.view.truth, query as usize);
        let ranks = ranks.filter(|_| !self.judging.asks_listed);
        let is_within = |rank: &u32| *rank as usize <= self.judging.depth;
        let listed =
            ranks.map_or(0, |of| of.ranks.iter().take_while(|rank| is_within(rank)).count());
        let items = self.study.pool_sizes()[self.view.direction.flipped()];
        self.judging.depth.min(items).saturating_sub(answered + listed)
    }

    /// Number of unjudged pairs of the listed queries.
    pub fn left_to_judge(&self) -> usize {
        let answers = self.answers_by_query();
        let queries = self.selection.queries.iter();
        queries.map(|&query| self.left_of(query, &answers)).sum()
    }
}

/// Whether a ground truth covers a query.
pub(super) fn judges(truth: &Truth, direction: Direction, query: usize) -> bool {
    let relevance = truth.relevance[direction].as_ref();
    relevance.is_some_and(|of| of.place(query).is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_session_keeps_all_but_that_it_is_on() {
        let mut judging =
            Judging { is_on: true, hides: true, asks_listed: true, ..Judging::default() };
        judging.depth = 2;
        let back: Judging = serde_json::from_value(json!(judging)).unwrap();
        assert_eq!((back.is_on, back.hides, back.depth), (false, true, 2));
        assert!(back.asks_listed);
        assert_eq!(Judging { depth: 0, ..back }.within_bounds().depth, 1);
    }
}
