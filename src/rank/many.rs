//! Ranks for truths with many positives a query, such as Plausible Match.
//!
//! [`super::pass`] compares every score with every target, which is right for ten targets and wrong for ten thousand.
//! Here each query's scores are gathered (a run of the file, a column through a transposed block, or products) and its
//! targets ranked at once (`sorter`). Only the ranks are kept, at most one bit for each item a query.

use std::ops::Range;
use std::sync::Arc;

use super::partial::{self, TASK_QUERIES};
use super::pass::{CancelToken, in_tasks};
use super::sorter::{Bits, Sorter};
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
    all: Arc<Ranks>,
    /// Within each query's own fold; without folds, empty.
    fold: Arc<Ranks>,
}

impl DenseRanks {
    /// The ranks over the whole gallery or in a fold.
    pub(super) fn ranks(&self, fold: Option<Fold>, queries: usize) -> Arc<Ranks> {
        match fold {
            None => self.all.clone(),
            Some(fold) => Arc::new(self.fold.of_queries(|query| fold.holds(query, queries))),
        }
    }
}

/// Announces the work of all wide truths.
pub(super) fn announce(targets: &Targets, token: &CancelToken) {
    for direction in Direction::BOTH {
        let set = &targets[direction];
        token.announce(set.wide.len() * set.query_count());
    }
}

/// Ranks all positives of one truth; `None` if cancelled. Matrices have no NaN.
///
/// # Errors
/// Embeddings whose products are no numbers.
pub(super) fn count(
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
    let many = Many { relevance, queries, folds, depths };
    match read.form {
        Form::Single(scores) => many.run(scores, token),
        Form::Double(scores) => many.run(scores, token),
        Form::Lists(lists) => many.of_lists(lists, token),
    }
}

/// Data of all tasks.
struct Many<'a> {
    relevance: &'a Relevance,
    queries: usize,
    folds: Option<Folds>,
    /// Length of each query's ranking, if some are short.
    depths: Option<Depths>,
}

impl Many<'_> {
    fn run<T: Scalar>(
        &self,
        scores: Queries<'_, T>,
        token: &CancelToken,
    ) -> Result<Option<DenseRanks>> {
        self.tasks(scores.step(), token, |queries, part| {
            let mut sorter = Sorter::default();
            scores.visit(queries, |query, scores| {
                part.add(query, scores.len(), |positives, fold, ranks| {
                    sorter.rank(scores, positives, fold, ranks);
                });
            })
        })
    }

    /// The ranks in ranked lists.
    fn of_lists(&self, lists: &Lists, token: &CancelToken) -> Result<Option<DenseRanks>> {
        self.tasks(TASK_QUERIES, token, |queries, part| {
            let mut buffer = Vec::new();
            for query in queries {
                let list = lists.items(query, &mut buffer);
                part.add(query, lists.item_count(), |positives, fold, ranks| {
                    ranks.of_list(list, positives, lists.item_count(), fold);
                });
            }
            Ok(())
        })
    }

    /// Ranks all queries, `step` at a time.
    fn tasks(
        &self,
        step: usize,
        token: &CancelToken,
        rank: impl Fn(Range<usize>, &mut Part<'_>) -> Result<()> + Sync,
    ) -> Result<Option<DenseRanks>> {
        let task = |queries: Range<usize>| {
            let mut part = Part::new(self);
            rank(queries, &mut part)?;
            Ok(Some((part.all, part.fold)))
        };
        let ranked = in_tasks(self.queries, step, token, task)?;
        Ok(ranked.and_then(|ranked| self.in_truth_order(&ranked, step, token)))
    }

    /// Sorts the tasks' results from gallery order to that of the truth; `None` if cancelled.
    fn in_truth_order(
        &self,
        ranked: &[(Ranks, Ranks)],
        step: usize,
        token: &CancelToken,
    ) -> Option<DenseRanks> {
        let of_truth = self.relevance.conventions();
        let depths = self.depths.as_ref();
        let conventions = depths.map_or(of_truth, |depths| depths.conventions(of_truth));
        let none = || Ranks::under(conventions);
        let (mut all, mut fold) = (none(), none());
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

/// The ranks of some consecutive queries.
struct Part<'a> {
    many: &'a Many<'a>,
    all: Ranks,
    fold: Ranks,
    bits: Bits,
}

impl<'a> Part<'a> {
    fn new(many: &'a Many<'a>) -> Self {
        Part { many, all: Ranks::default(), fold: Ranks::default(), bits: Bits::default() }
    }

    /// Appends a query, if the truth covers it: `rank` finds the ranks of its positives among all items and in the
    /// items of its fold.
    fn add(
        &mut self,
        query: usize,
        items: usize,
        rank: impl FnOnce(Set<'_>, Range<usize>, &mut Bits),
    ) {
        let Many { relevance, queries, folds, depths } = self.many;
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
