//! Ranks for truths with many positives a query, such as Plausible Match.
//!
//! [`super::pass`] compares every score with every target, which is fast for ten targets and slow for ten thousand.
//! Here each query's scores are gathered (a run of the file, a column through a transposed block, or products) and its
//! targets ranked at once (`sorter`). Only the ranks are kept, at most one bit for each item a query.

use std::ops::Range;
use std::sync::Arc;

use super::partial::{self, TASK_QUERIES};
use super::pass::{CancelToken, in_tasks};
use super::sorter::{RankBits, Sorter};
use super::targets::Targets;
use super::{Depths, Ranks};
use crate::data::Direction;
use crate::data::gallery::{Fold, Folds};
use crate::data::scores::{Form, Lists, Queries, Scalar, Scores};
use crate::data::sets::Set;
use crate::error::Result;
use crate::truth::relevance::Relevance;

/// Ranks of one wide truth in one direction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DenseRanks {
    /// Among all items.
    all: Arc<Ranks>,
    /// Among the items of each query's own fold; empty without folds.
    fold: Arc<Ranks>,
}

impl DenseRanks {
    /// The ranks over the whole gallery, or those of the queries of one fold; the gallery has `queries` queries.
    pub(super) fn ranks(&self, fold: Option<Fold>, queries: usize) -> Arc<Ranks> {
        match fold {
            None => self.all.clone(),
            Some(fold) => Arc::new(self.fold.filter_queries(|query| fold.holds(query, queries))),
        }
    }
}

/// Adds the number of queries to rank for all wide truths to the progress of `token`.
pub(super) fn announce(targets: &Targets, token: &CancelToken) {
    for direction in Direction::BOTH {
        let set = &targets[direction];
        token.announce(set.wide.len() * set.query_count());
    }
}

/// Ranks all positives of one truth; `None` if cancelled. Does not look for NaN in matrices:
/// [`partial::rank_targets`] does.
///
/// # Errors
/// Embeddings whose products are no numbers.
pub(super) fn rank_positives(
    scores: &Scores,
    direction: Direction,
    relevance: &Relevance,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<DenseRanks>> {
    let read = scores.by_query(direction);
    let queries = relevance.query_count();
    let depths = match (&read.form, read.side) {
        (Form::Lists(lists), _) => Some(partial::list_depths(lists, queries, folds)),
        (_, side) => side.and_then(|side| partial::depths(side, direction, folds)),
    };
    let truth = WideTruth { relevance, queries, folds, depths };
    match read.form {
        Form::Single(scores) => truth.rank_scores(scores, token),
        Form::Double(scores) => truth.rank_scores(scores, token),
        Form::Lists(lists) => truth.rank_lists(lists, token),
    }
}

/// A wide truth in one direction, with the depths of a model's rankings: input of all tasks.
struct WideTruth<'a> {
    relevance: &'a Relevance,
    queries: usize,
    folds: Option<Folds>,
    /// Length of each query's ranking, if some are short.
    depths: Option<Depths>,
}

impl WideTruth<'_> {
    /// Ranks all positives by scores of every item.
    fn rank_scores<T: Scalar>(
        &self,
        scores: Queries<'_, T>,
        token: &CancelToken,
    ) -> Result<Option<DenseRanks>> {
        self.run_tasks(scores.step(), token, |queries, part| {
            let mut sorter = Sorter::default();
            scores.visit(queries, |query, scores| {
                part.push_query(query, scores.len(), |positives, fold, ranks| {
                    sorter.rank(scores, positives, fold, ranks);
                });
            })
        })
    }

    /// Ranks all positives by their positions in ranked lists.
    fn rank_lists(&self, lists: &Lists, token: &CancelToken) -> Result<Option<DenseRanks>> {
        self.run_tasks(TASK_QUERIES, token, |queries, part| {
            let mut buffer = Vec::new();
            for query in queries {
                let list = lists.items(query, &mut buffer);
                part.push_query(query, lists.item_count(), |positives, fold, ranks| {
                    ranks.rank_list(list, positives, lists.item_count(), fold);
                });
            }
            Ok(())
        })
    }

    /// Ranks all queries, `step` at a time, and collects the ranks in the truth's order; `None` if cancelled. `rank`
    /// adds the ranks of a range of queries to a task.
    fn run_tasks(
        &self,
        step: usize,
        token: &CancelToken,
        rank: impl Fn(Range<usize>, &mut Task<'_>) -> Result<()> + Sync,
    ) -> Result<Option<DenseRanks>> {
        let task = |queries: Range<usize>| {
            let mut part = Task::new(self);
            rank(queries, &mut part)?;
            Ok(Some((part.all, part.fold)))
        };
        let ranked = in_tasks(self.queries, step, token, task)?;
        Ok(ranked.and_then(|ranked| self.in_truth_order(&ranked, step, token)))
    }

    /// Joins the ranks of all tasks in the order of the truth; `None` if cancelled. `ranked` has the ranks among all
    /// items and in the fold by task; each task has `step` queries, in gallery order.
    fn in_truth_order(
        &self,
        ranked: &[(Ranks, Ranks)],
        step: usize,
        token: &CancelToken,
    ) -> Option<DenseRanks> {
        let of_truth = self.relevance.conventions();
        let depths = self.depths.as_ref();
        let conventions = depths.map_or(of_truth, |depths| depths.conventions(of_truth));
        let empty = || Ranks::with_conventions(conventions);
        let (mut all, mut fold) = (empty(), empty());
        for query in self.relevance.queries() {
            if token.is_cancelled() {
                return None;
            }
            let (part, part_fold) = &ranked[*query as usize / step];
            let place = part.queries().binary_search(query);
            let place = place.expect("a task ranks all covered queries");
            all.push_from(part, place);
            if self.folds.is_some() {
                fold.push_from(part_fold, place);
            }
        }
        Some(DenseRanks { all: Arc::new(all), fold: Arc::new(fold) })
    }
}

/// The ranks of the consecutive queries of one task.
struct Task<'a> {
    truth: &'a WideTruth<'a>,
    /// Among all items.
    all: Ranks,
    /// Among the items of each query's own fold; empty without folds.
    fold: Ranks,
    /// Ranks of the current query.
    bits: RankBits,
}

impl<'a> Task<'a> {
    fn new(truth: &'a WideTruth<'a>) -> Self {
        Task { truth, all: Ranks::default(), fold: Ranks::default(), bits: RankBits::default() }
    }

    /// Appends the ranks of a query, if the truth covers it. `items` is the number of items; `rank` sets the bits of
    /// the ranks of its positives among all items and among those in the index range of its fold.
    fn push_query(
        &mut self,
        query: usize,
        items: usize,
        rank: impl FnOnce(Set<'_>, Range<usize>, &mut RankBits),
    ) {
        let WideTruth { relevance, queries, folds, depths } = self.truth;
        let Some(place) = relevance.place(query) else {
            return;
        };
        let (positives, listed) = (relevance.positives(place), relevance.total_positives(place));
        let own = folds.map(|folds| folds.range(folds.fold(query, *queries), items));
        rank(positives, own.clone().unwrap_or_default(), &mut self.bits);
        let depth = depths.as_ref().map(|depths| depths.all[query]);
        let all = positives.len() as u32;
        self.all.push_bits(query as u32, &mut self.bits.all, all, listed, depth);
        if let Some(own) = own {
            let depth = depths.as_ref().map(|depths| depths.fold[query]);
            let inside = positives.count_in(own) as u32;
            let listed = listed - (all - inside);
            self.fold.push_bits(query as u32, &mut self.bits.fold, inside, listed, depth);
        }
    }
}
