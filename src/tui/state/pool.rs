//! Judging the pairs of an annotation pool, partly shared with other annotators.

use std::path::{Path, PathBuf};

use super::changes::Dirty;
use super::judging_mode::covers;
use super::query_list::{Pane, Sought};
use super::ranking::IndexedRanking;
use super::{Model, Refusal};
use crate::annotate::pool::{OtherAnnotators, Pool, PoolPairs, Queue};
use crate::data::Direction;
use crate::data::index::{QueryIx, TruthIx};
use crate::data::text::{count, grouped, shown};
use crate::study::View;
use crate::truth::judgment::Pair;

/// An annotation pool to judge.
#[derive(Debug)]
pub struct PoolToJudge {
    /// The pairs to judge.
    pub pool: Pool,
    /// Judgments by other annotators.
    pub others: OtherAnnotators,
    /// Its file, if it has one.
    pub file: Option<PathBuf>,
}

/// The annotation pool in the open study.
#[derive(Debug, Default)]
pub struct JudgedPool {
    /// The pool's pairs that the gallery has.
    pairs: PoolPairs,
    /// The file of the pool, if it has one.
    file: Option<PathBuf>,
}

impl Model {
    /// Sets the annotation pool whose pairs are to be judged; hides scores, ranks, marks and badges.
    pub(in crate::tui) fn set_annotation_pool(&mut self, to_judge: PoolToJudge) {
        let is_covered = |direction: Direction, query: QueryIx| {
            let mut truths = self.study.truths.iter();
            truths.any(|truth| covers(truth, direction, query.get()))
        };
        let pairs = PoolPairs::new(&to_judge.pool, &self.study.gallery, is_covered);
        self.judging.hides = true;
        self.queue = Some(pairs.queue(&to_judge.others));
        self.judged_pool = JudgedPool { pairs, file: to_judge.file };
    }

    /// File of the annotation pool, if it has one.
    pub(super) fn pool_file(&self) -> Option<&Path> {
        self.judged_pool.file.as_deref()
    }

    /// The queue of pairs to judge, while the judging mode is on.
    pub fn queue_in_force(&self) -> Option<&Queue> {
        self.queue.as_ref().filter(|_| self.judging.is_on)
    }

    /// Whether a query has pairs in the queue; true if there is no queue.
    pub(super) fn is_queued(&self, direction: Direction, query: u32) -> bool {
        let queue = self.queue_in_force();
        queue.is_none_or(|queue| !queue.items(direction, query).is_empty())
    }

    /// Refuses to change which pairs are judged while an annotation pool chooses them.
    pub(in crate::tui) fn check_no_pool(&self) -> Result<(), Refusal> {
        let words = "the pool says which pairs are asked about";
        if self.queue_in_force().is_some() { Err(words.into()) } else { Ok(()) }
    }

    /// Selects the next unjudged pair of the queue.
    pub(super) fn go_to_next_queued(&mut self) {
        let Some(mut queue) = self.queue.take() else {
            return;
        };
        let next = queue.next(|pair| self.judgments.response(pair).is_some());
        self.queue = Some(queue);
        if let Some((_, pair)) = next {
            self.select_queued_pair(pair);
        } else {
            let pairs = grouped(self.queue.as_ref().map_or(0, Queue::len));
            self.message = Some(format!("nothing left: all {pairs} pairs of the pool are judged"));
        }
    }

    /// Note on the pairs of the pool that are not to be judged here: how many, and why. `None` without a pool, or if
    /// all are to be judged here.
    pub(in crate::tui) fn unqueued_note(&self) -> Option<String> {
        let queue = self.queue.as_ref()?;
        let missing = "not in these files, or no ground truth covers the query";
        let lines = [(queue.closed, "others answered"), (self.judged_pool.pairs.missing, missing)];
        let lines = lines.into_iter().filter(|(pairs, _)| *pairs > 0);
        let lines = lines.map(|(pairs, why)| format!("{} not asked: {why}", count(pairs, "pair")));
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }

    /// Earlier judgments of the selected pair by others, in words; `None` if there are none, and while judging blind.
    pub(in crate::tui) fn prior_judgments(&self) -> Option<String> {
        let pair = self.selected_pair().filter(|_| !self.is_blind())?;
        let earlier = self.judged_pool.pairs.earlier_answers(pair).iter();
        let words = earlier.map(|one| format!("{} {}", shown(&one.by), one.answer));
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| format!("answered before: {}", words.join(", ")))
    }

    /// Moves the selected pair to the end of the queue, if there is one, and selects the next unjudged pair.
    pub(in crate::tui) fn defer_pair(&mut self) {
        let pair = self.selected_pair();
        if let (Some(queue), Some(pair)) = (self.queue.as_mut(), pair) {
            queue.skip(pair);
        }
        self.go_to_next_unjudged();
    }

    /// The selected pair.
    pub(super) fn selected_pair(&self) -> Option<Pair> {
        let (query, item) = (self.selection.query()?, self.item()?.item);
        Some(Pair::from_query(self.view.direction, query.into(), item.into()))
    }

    /// Number of unjudged pairs in the queue; `None` if there is no queue.
    pub fn left_in_queue(&self) -> Option<usize> {
        let queue = self.queue_in_force()?;
        let answered = self.judgments.pairs().filter(|pair| queue.contains(*pair));
        Some(queue.len() - answered.count())
    }

    /// Gallery indices of the selected query's items in the queue that the model ranks, in queue order; `None` if no
    /// queue is active, or no query is selected.
    pub(super) fn queued_items(&self, ranked: &IndexedRanking) -> Option<Vec<u32>> {
        let (queue, query) = (self.queue_in_force()?, self.selection.query()?);
        let items = queue.items(self.view.direction, query as u32).iter().copied();
        Some(items.filter(|item| ranked.rank(*item as usize).is_some()).collect())
    }

    /// Numbers of judged and of all items of the selected query in the queue; `None` if there is no queue, or no
    /// query is selected.
    pub fn queued_counts(&self) -> Option<[usize; 2]> {
        let queue = self.queue_in_force()?;
        let query = self.selection.query()?;
        let items = queue.items(self.view.direction, query as u32);
        let judged = items.iter().filter(|item| self.response(query, **item as usize).is_some());
        Some([judged.count(), items.len()])
    }

    /// Refuses a pair that the queue does not ask about, such as one that enough others judged. The annotator's own
    /// judgment can still be changed.
    pub(super) fn check_queued(&self, pair: Pair) -> Result<(), Refusal> {
        let is_closed = self.queue_in_force().is_some_and(|queue| !queue.contains(pair))
            && self.judgments.response(pair).is_none();
        let words = "not taken: the pool does not ask about it";
        if is_closed { Err(words.into()) } else { Ok(()) }
    }

    /// Selects a pair of the queue in its direction. If its query is not listed there, only the view changes; no effect
    /// if the queue lacks the pair. The change of view is no step of the history, so that undo reverts the last
    /// judgment.
    pub(super) fn select_queued_pair(&mut self, pair: Pair) {
        let Some(direction) = self.queue.as_ref().and_then(|queue| queue.direction(pair)) else {
            return;
        };
        let (query, item) = pair.query_and_item(direction);
        let view = View { direction, truth: self.covering_truth(direction, query), ..self.view };
        self.show_unrecorded(view, query.raw());
        let index = self.selection.queries.iter().position(|listed| *listed == query.raw());
        let Some(index) = index else {
            return;
        };
        self.select_query(index);
        self.selection.pane = Pane::Ranking;
        self.seek(Sought::Item(item));
    }

    /// The current truth if it covers a query, else the first one that does; the current one if none does.
    fn covering_truth(&self, direction: Direction, query: QueryIx) -> TruthIx {
        let mut truths = TruthIx::enumerate(&self.study.truths);
        let first = truths.find(|(_, truth)| covers(truth, direction, query.get()));
        match first {
            Some((at, _)) if !covers(self.truth(), direction, query.get()) => at,
            _ => self.view.truth,
        }
    }

    /// Sets the view and ends search and filter, to list a query (gallery index), without a step of the history. No
    /// effect if the view is current and lists the query.
    fn show_unrecorded(&mut self, view: View, query: u32) {
        let is_listed = self.selection.queries.contains(&query);
        if view == self.view && is_listed {
            return;
        }
        self.search.clear();
        self.filter.text.clear();
        self.set_view(view);
        self.amend_present_step();
        self.dirty |= Dirty::VIEW;
        self.recompute();
    }
}
