//! Judging the pairs of an annotation pool, partly shared with other annotators.

use std::path::{Path, PathBuf};

use super::changes::Dirty;
use super::judging_mode::judges;
use super::query_list::{Pane, Sought};
use super::ranking::IndexedRanking;
use super::{Model, Refusal};
use crate::annotate::pool::{Others, Pool, PoolPairs, Queue};
use crate::data::Direction;
use crate::data::index::{QueryIx, TruthIx};
use crate::data::text::{count, grouped, shown};
use crate::study::View;
use crate::truth::judgment::Pair;

/// An annotation pool to judge.
#[derive(Debug)]
pub struct PoolToJudge {
    /// The pool.
    pub pool: Pool,
    /// Judgments of others.
    pub others: Others,
    /// Its file, if it has one.
    pub file: Option<PathBuf>,
}

/// Pairs of the annotation pool, and its file.
#[derive(Debug, Default)]
pub struct JudgedPool {
    pairs: PoolPairs,
    file: Option<PathBuf>,
}

impl Model {
    /// Starts to judge the pairs of a pool, blind at first.
    pub(in crate::tui) fn take_pool(&mut self, to_judge: PoolToJudge) {
        let is_shown = |direction: Direction, query: QueryIx| {
            let mut truths = self.study.truths.iter();
            truths.any(|truth| judges(truth, direction, query.get()))
        };
        let pairs = PoolPairs::new(&to_judge.pool, &self.study.gallery, is_shown);
        self.judging.hides = true;
        self.queue = Some(pairs.queue(&to_judge.others));
        self.judged_pool = JudgedPool { pairs, file: to_judge.file };
    }

    /// File of the annotation pool.
    pub(super) fn pool_file(&self) -> Option<&Path> {
        self.judged_pool.file.as_deref()
    }

    /// The queue, while judging.
    pub fn queue_in_force(&self) -> Option<&Queue> {
        self.queue.as_ref().filter(|_| self.judging.is_on)
    }

    /// Whether a query has pairs in the queue; true if no queue is in force.
    pub(super) fn is_queued(&self, direction: Direction, query: u32) -> bool {
        let queue = self.queue_in_force();
        queue.is_none_or(|queue| !queue.items(direction, query).is_empty())
    }

    /// Refuses to choose the pairs to judge while a pool does.
    pub(in crate::tui) fn check_no_pool(&self) -> Result<(), Refusal> {
        let words = "the pool says which pairs are asked about";
        if self.queue_in_force().is_some() { Err(words.into()) } else { Ok(()) }
    }

    /// Goes to the next unjudged pair of the queue.
    pub(super) fn go_on_in_queue(&mut self) {
        let Some(mut queue) = self.queue.take() else {
            return;
        };
        let next = queue.next(|pair| self.judgments.response(pair).is_some());
        self.queue = Some(queue);
        if let Some((_, pair)) = next {
            self.look_at_queued(pair);
        } else {
            let pairs = grouped(self.queue.as_ref().map_or(0, Queue::len));
            self.message = Some(format!("nothing left: all {pairs} pairs of the pool are judged"));
        }
    }

    /// Pairs of the pool that are not asked; `None` if all are.
    pub(in crate::tui) fn queue_words(&self) -> Option<String> {
        let queue = self.queue.as_ref()?;
        let missing = "not in these files, or no ground truth judges the query";
        let lines = [(queue.closed, "others answered"), (self.judged_pool.pairs.missing, missing)];
        let lines = lines.into_iter().filter(|(pairs, _)| *pairs > 0);
        let lines = lines.map(|(pairs, why)| format!("{} not asked: {why}", count(pairs, "pair")));
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }

    /// Earlier judgments of the selected pair, in words; `None` if there are none, and while judging blind.
    pub(in crate::tui) fn answered_before(&self) -> Option<String> {
        let pair = self.pair_at_hand().filter(|_| !self.is_blind())?;
        let earlier = self.judged_pool.pairs.earlier_answers(pair).iter();
        let words = earlier.map(|one| format!("{} {}", shown(&one.by), one.answer));
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| format!("answered before: {}", words.join(", ")))
    }

    /// Defers the selected pair and goes on; without a pool just goes on.
    pub(in crate::tui) fn put_off(&mut self) {
        let pair = self.pair_at_hand();
        if let (Some(queue), Some(pair)) = (self.queue.as_mut(), pair) {
            queue.skip(pair);
        }
        self.go_on();
    }

    /// The selected pair.
    pub(super) fn pair_at_hand(&self) -> Option<Pair> {
        let (query, item) = (self.selection.query()?, self.item()?.item);
        Some(Pair::from_query(self.view.direction, query.into(), item.into()))
    }

    /// Number of unjudged pairs in the queue.
    pub fn left_in_queue(&self) -> Option<usize> {
        let queue = self.queue_in_force()?;
        let answered = self.judgments.pairs().filter(|pair| queue.asks(*pair));
        Some(queue.len() - answered.count())
    }

    /// Items of the selected query in the pool that the model ranks.
    pub(super) fn queued_items(&self, ranked: &IndexedRanking) -> Option<Vec<u32>> {
        let (queue, query) = (self.queue_in_force()?, self.selection.query()?);
        let items = queue.items(self.view.direction, query as u32).iter().copied();
        Some(items.filter(|item| ranked.rank(*item as usize).is_some()).collect())
    }

    /// Judged and total number of listed items.
    pub fn queued_here(&self) -> Option<[usize; 2]> {
        let queue = self.queue_in_force()?;
        let query = self.selection.query()?;
        let items = queue.items(self.view.direction, query as u32);
        let answered = items.iter().filter(|item| self.response(query, **item as usize).is_some());
        Some([answered.count(), items.len()])
    }

    /// Refuses a pair of the pool that enough others judged. Your own judgment may be changed.
    pub(super) fn check_asked(&self, pair: Pair) -> Result<(), Refusal> {
        let is_closed = self.queue_in_force().is_some_and(|queue| !queue.asks(pair))
            && self.judgments.response(pair).is_none();
        let words = "not taken: the pool does not ask about it";
        if is_closed { Err(words.into()) } else { Ok(()) }
    }

    /// Selects a pair of the queue in its direction, whatever the view: this is no step of the history, whose last one
    /// is the judgment before.
    pub(super) fn look_at_queued(&mut self, pair: Pair) {
        let Some(direction) = self.queue.as_ref().and_then(|queue| queue.direction(pair)) else {
            return;
        };
        let (query, item) = pair.query_and_item(direction);
        let view = View { direction, truth: self.truth_of_queue(direction, query), ..self.view };
        self.show_unrecorded(view, query.raw());
        let listed = self.selection.queries.iter().position(|listed| *listed == query.raw());
        let Some(place) = listed else {
            return;
        };
        self.select_query(place);
        self.selection.pane = Pane::Ranking;
        self.seek(Sought::Item(item));
    }

    /// Truth for a query of the queue: the current one if it covers the query, else the first that does.
    fn truth_of_queue(&self, direction: Direction, query: QueryIx) -> TruthIx {
        let mut truths = TruthIx::each(&self.study.truths);
        let first = truths.find(|(_, truth)| judges(truth, direction, query.get()));
        match first {
            Some((at, _)) if !judges(self.truth(), direction, query.get()) => at,
            _ => self.view.truth,
        }
    }

    /// Shows a query in a view, unrecorded.
    fn show_unrecorded(&mut self, view: View, query: u32) {
        let is_listed = self.selection.queries.contains(&query);
        if view == self.view && is_listed {
            return;
        }
        self.search.clear();
        self.filter.text.clear();
        self.look_at(view);
        self.amend_present_step();
        self.dirty |= Dirty::VIEW;
        self.recompute();
    }
}
