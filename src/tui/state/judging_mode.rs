//! The judging mode: the pairs to judge, and the way to the next unjudged one.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::changes::Dirty;
use super::history::JudgmentChange;
use super::query_list::{Pane, RankingId, Sought};
use super::{Model, Refusal};
use crate::analysis::listed_items::Which;
use crate::data::Direction;
use crate::jobs::PairRankKey;
use crate::session::{TimedResponse, Timestamp};
use crate::study::View;
use crate::truth::Truth;
use crate::truth::judgment::Pair;
use crate::truth::response::Response;

/// The judging mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Judging {
    /// Whether the mode is on, so that single keys judge. Not stored in a session.
    #[serde(skip)]
    pub is_on: bool,
    /// Whether scores, ranks, marks and badges are hidden while judging.
    #[serde(rename = "blind")]
    pub hides: bool,
    /// Number of top items to judge in each ranking; increased by one once all of these are judged.
    pub depth: usize,
    /// Whether positives of the ground truth are to be judged, too, not only unlisted items.
    #[serde(rename = "listed")]
    pub asks_listed: bool,
}

/// Valid values of [`Judging::depth`].
const DEPTHS: std::ops::RangeInclusive<usize> = 1..=1_000;

impl Default for Judging {
    fn default() -> Self {
        Judging { is_on: false, hides: false, depth: *DEPTHS.start(), asks_listed: false }
    }
}

impl Judging {
    /// This mode, with its depth limited to the valid range.
    pub(super) fn with_valid_depth(self) -> Self {
        Judging { depth: self.depth.clamp(*DEPTHS.start(), *DEPTHS.end()), ..self }
    }
}

impl Model {
    /// Starts the judging mode: at the selected item if the ranking has the focus, else at the selected query's first
    /// unjudged item; with an annotation pool at its next unjudged pair. Refused in a read-only session.
    pub(in crate::tui) fn begin_judging(&mut self) -> Result<(), Refusal> {
        self.check_writable()?;
        self.judging.is_on = true;
        if self.queue.is_some() {
            self.dirty |= Dirty::ROWS;
            self.recompute();
            self.go_to_next_queued();
            return Ok(());
        }
        if self.demand.items {
            if self.items.chosen.is_none() {
                self.change_item_list(|items| items.chosen = Some(Which::Unjudged));
            }
            return Ok(());
        }
        if self.selection.pane == Pane::Ranking {
            self.selection.item_ranking = self.ranking_id();
        } else {
            self.selection.pane = Pane::Ranking;
            self.seek(Sought::ToJudge);
        }
        Ok(())
    }

    /// Identity of the ranking on screen: study stamp, view and query.
    fn ranking_id(&self) -> Option<RankingId> {
        let query = self.selection.query()?;
        Some((self.known.study_stamp, self.view, query))
    }

    /// Selects the item at a ranking index.
    pub(in crate::tui) fn select_item(&mut self, index: usize) {
        self.selection.item = index;
        self.selection.sought = None;
        self.selection.item_ranking = self.ranking_id();
    }

    /// Selects the sought item, if its ranking is computed. While judging, seeks the first item to judge in a ranking
    /// that is newly shown.
    pub(super) fn seek_in_new_ranking(&mut self) {
        let here = self.ranking_id();
        let is_new = here.is_some() && here != self.selection.item_ranking;
        let judges_ranking = self.queue.is_none() && !self.demand.items;
        if self.judging.is_on && is_new && judges_ranking {
            self.selection.item_ranking = here;
            self.selection.sought.get_or_insert(Sought::ToJudge);
        }
        self.find_sought();
    }

    /// Ends the judging mode; an annotation pool then no longer restricts the list of queries.
    pub(in crate::tui) fn end_judging(&mut self) {
        self.judging.is_on = false;
        self.selection.pane = Pane::Queries;
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

    /// Whether judging skips positives of the ground truth; false if an annotation pool chooses the pairs.
    pub(in crate::tui) fn skips_positives(&self) -> bool {
        self.queue.is_none() && !self.judging.asks_listed
    }

    /// Sets the number of top items to judge in each ranking, limited to the valid range.
    pub(in crate::tui) fn set_judging_depth(&mut self, depth: usize) {
        self.judging.depth = depth.clamp(*DEPTHS.start(), *DEPTHS.end());
        self.dirty |= Dirty::SESSION;
    }

    /// Toggles whether positives of the ground truth are to be judged, too, and selects the first unjudged item.
    /// Refused while an annotation pool chooses the pairs.
    pub(in crate::tui) fn toggle_listed(&mut self) -> Result<(), Refusal> {
        self.check_no_pool()?;
        self.judging.asks_listed = !self.judging.asks_listed;
        self.seek(Sought::ToJudge);
        self.message = Some(if self.judging.asks_listed {
            "asking about every item".into()
        } else {
            format!("asking about items that {} does not list", self.truth().name)
        });
        self.dirty |= Dirty::SESSION;
        Ok(())
    }

    /// Selects a pair whose judgment was made or undone.
    pub(super) fn select_judged_pair(&mut self, pair: Pair) {
        if self.demand.items {
            self.items.pair = Some(pair);
            return;
        }
        if self.queue.is_some() {
            self.select_queued_pair(pair);
            return;
        }
        let (query, item) = pair.query_and_item(self.view.direction);
        let mut queries = self.selection.queries.iter();
        if let Some(index) = queries.position(|&listed| listed == query.raw()) {
            self.select_query(index);
            self.selection.pane = Pane::Ranking;
            self.seek(Sought::Item(item));
        }
    }

    /// Judges the selected item, then selects the next unjudged one; `None` only clears the judgment.
    pub(in crate::tui) fn respond(&mut self, response: Option<Response>) -> Result<(), Refusal> {
        self.check_writable()?;
        // Ranks of the item by other models and in the other direction can only be computed from intact files.
        self.check_files()?;
        let Some((pair, item)) = self.selected_pair().zip(self.item()) else {
            let awaits_ranking = self.ranking().is_none() && self.selection.query().is_some();
            let why =
                if awaits_ranking { "not answered: still ranking" } else { "no item is selected" };
            return Err(why.into());
        };
        if let Err(why) = self.check_queued(pair) {
            self.go_to_next_unjudged();
            return Err(why);
        }
        // Metrics with the judgment need the rank of its item.
        if item.rank > 0 {
            let key = PairRankKey::for_pair(self.view.model, self.view.direction, pair);
            self.known.judged.ranks.insert(key, Some(item.rank as u32));
        }
        let before = self.timed_response(pair);
        if before.map(|timed| timed.response) == response {
            self.message = Some(match response {
                Some(response) => format!("the answer is {response} already"),
                None => "no judgment to clear".into(),
            });
        } else {
            let after = response.map(|response| TimedResponse { response, at: Timestamp::now() });
            self.change_and_judge(|_| (), Some(JudgmentChange { pair, before, after }));
        }
        if response.is_some() {
            self.go_to_next_unjudged();
        }
        Ok(())
    }

    /// Selects the next unjudged item: further down the ranking, from its top again, or in a following query. Does
    /// nothing in the Items screen, which selects the next row itself.
    pub(super) fn go_to_next_unjudged(&mut self) {
        if self.demand.items {
            return;
        }
        if self.queue_in_force().is_some() {
            return self.go_to_next_queued();
        }
        match self.next_unjudged(self.selection.item + 1) {
            Some(index) => self.selection.item = index,
            None => self.go_to_next_query(self.selection.queries.len().saturating_sub(1)),
        }
    }

    /// Selects the next of the `others` following queries that may have an unjudged item, cyclically. If there is none,
    /// increases the judging depth and starts at the first query.
    fn go_to_next_query(&mut self, others: usize) {
        let (queries, here) = (&self.selection.queries, self.selection.selected);
        let (count, judged) = (queries.len(), self.judged_by_query());
        let has_unjudged = |by: &usize| self.unjudged_in(queries[(here + by) % count], &judged) > 0;
        if let Some(by) = (1..=others).find(has_unjudged) {
            self.select_query((here + by) % count);
            self.seek(Sought::Unjudged { others: others - by });
            return;
        }
        let items = self.study.pool_sizes()[self.view.direction.flipped()];
        let before = self.judging.depth;
        if before < items {
            self.set_judging_depth(before + 1);
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
        self.seek(Sought::Unjudged { others: count.saturating_sub(1) });
    }

    /// Selects the `sought` item once the ranking of the selected query is computed.
    pub(super) fn seek(&mut self, sought: Sought) {
        self.selection.sought = Some(sought);
        self.selection.item_ranking = self.ranking_id();
        self.find_sought();
    }

    /// Whether an item is to be selected once its ranking is computed.
    pub(in crate::tui) fn is_seeking(&self) -> bool {
        self.selection.sought.is_some()
    }

    /// Selects the sought item, if the ranking in the current candidate pool is computed. If it is not there, a message
    /// appears, or a following query is searched.
    pub(super) fn find_sought(&mut self) {
        let is_current_pool = self.settings.pool == self.applied_settings.pool;
        let ranking = self.ranking().filter(|_| is_current_pool);
        let (Some(sought), Some(ranking)) = (self.selection.sought, ranking) else {
            return;
        };
        let index = match sought {
            Sought::Item(item) => ranking.order.iter().position(|&ranked| ranked == item.raw()),
            Sought::ToJudge => self.next_unjudged(0).or_else(|| self.first_to_judge()),
            Sought::Unjudged { .. } => self.next_unjudged(0),
        };
        self.selection.sought = None;
        match (index, sought) {
            (Some(index), _) => self.selection.item = index,
            (None, Sought::Unjudged { others }) => self.go_to_next_query(others),
            (None, Sought::ToJudge) => {
                self.message = Some("no item of this query is asked about".into());
            }
            (None, Sought::Item(_)) => {
                self.message = Some("the item is not ranked, or not in this pool".into());
            }
        }
        self.dirty |= Dirty::POPUP;
    }

    /// Whether judging asks about an item of a query, judged or not: about every unlisted item, and about positives if
    /// [`Judging::asks_listed`].
    fn is_to_judge(&self, query: usize, item: usize) -> bool {
        let relevance = self.truth().relevance[self.view.direction].as_ref();
        let is_listed = relevance.and_then(|of| of.contains(query.into(), item.into()));
        self.judging.asks_listed || is_listed != Some(true)
    }

    /// Ranking index of the first item to judge, judged already or not.
    fn first_to_judge(&self) -> Option<usize> {
        let (query, ranking) = (self.selection.query()?, self.ranking()?);
        ranking.order.iter().position(|&item| self.is_to_judge(query, item as usize))
    }

    /// Ranking index of the first unjudged item from ranking index `here` down to the judging depth, or else from the
    /// top; `None` if there is none.
    fn next_unjudged(&self, here: usize) -> Option<usize> {
        let (query, ranking) = (self.selection.query()?, self.ranking()?);
        let end = self.judging.depth.min(ranking.order.len());
        let is_unjudged = |&index: &usize| {
            let item = ranking.order[index] as usize;
            self.is_to_judge(query, item) && self.response(query, item).is_none()
        };
        (here..end).chain(0..here.min(end)).find(is_unjudged)
    }

    /// Number of judged items of each query within the judging depth, as far as their ranks are known.
    fn judged_by_query(&self) -> FxHashMap<u32, usize> {
        let View { model, direction, .. } = self.view;
        let mut judged = FxHashMap::default();
        for pair in self.judgments.pairs() {
            let key = PairRankKey::for_pair(model, direction, pair);
            let rank = self.known.judged.ranks.get(&key).copied().flatten();
            let (query, item) = pair.query_and_item(direction);
            if rank.is_some_and(|rank| rank as usize <= self.judging.depth)
                && self.is_to_judge(query.get(), item.get())
            {
                *judged.entry(query.raw()).or_default() += 1;
            }
        }
        judged
    }

    /// Number of unjudged items of a query within the judging depth, given the numbers of judged ones by query.
    fn unjudged_in(&self, query: u32, judged: &FxHashMap<u32, usize>) -> usize {
        let judged = judged.get(&query).copied().unwrap_or(0);
        let ranks = self.ranks_before_judgments(self.view.truth, query as usize);
        let ranks = ranks.filter(|_| !self.judging.asks_listed);
        let is_within = |rank: &u32| *rank as usize <= self.judging.depth;
        let listed =
            ranks.map_or(0, |of| of.ranks.iter().take_while(|rank| is_within(rank)).count());
        let items = self.study.pool_sizes()[self.view.direction.flipped()];
        self.judging.depth.min(items).saturating_sub(judged + listed)
    }

    /// Number of unjudged pairs of the listed queries within the judging depth.
    pub fn left_to_judge(&self) -> usize {
        let judged = self.judged_by_query();
        let queries = self.selection.queries.iter();
        queries.map(|&query| self.unjudged_in(query, &judged)).sum()
    }
}

/// Whether a ground truth covers the query with this gallery index.
pub(super) fn covers(truth: &Truth, direction: Direction, query: usize) -> bool {
    let relevance = truth.relevance[direction].as_ref();
    relevance.is_some_and(|of| of.place(query).is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_session_stores_every_setting_except_is_on() {
        let mut judging =
            Judging { is_on: true, hides: true, asks_listed: true, ..Judging::default() };
        judging.depth = 2;
        let back: Judging = serde_json::from_value(json!(judging)).unwrap();
        assert_eq!((back.is_on, back.hides, back.depth), (false, true, 2));
        assert!(back.asks_listed);
        assert_eq!(Judging { depth: 0, ..back }.with_valid_depth().depth, 1);
    }
}
