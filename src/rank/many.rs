//! Ranks for truths with many positives a query, such as Plausible Match.
//!
//! [`super::pass`] compares every score with every target, which is right for ten targets and wrong
//! for ten thousand. Here each query's scores are brought together (`by_query`: a run of the file, a
//! column through a transposed block, or products) and its targets ranked at once (`sorter`). Nothing
//! is kept but the ranks themselves, four bytes a pair.

use std::ops::Range;

use rayon::prelude::*;

use super::by_query::{ByQuery, OfMatrix, OfProduct};
use super::pass::Watch;
use super::sorter::{Sortable, Sorter};
use super::targets::{PairSet, Targets};
use super::{Counted, Depths, Folds, Pool, Ranks, UNRANKED, lists, partial};
use crate::data::Direction;
use crate::data::scores::{Embeddings, Lists, Scalar, ScoreMatrix, Scores, Side};
use crate::error::Result;
use crate::truth::relevance::Relevance;

/// Ranks of one wide truth in one direction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wide {
    all: Ranks,
    /// Within each query's own fold; without folds, empty.
    fold: Ranks,
}

impl Wide {
    /// The ranks in a pool.
    pub(super) fn ranks(&self, pool: Pool, folds: Option<Folds>, queries: usize) -> Ranks {
        let (Pool::Fold(wanted), Some(folds)) = (pool, folds) else {
            return self.all.clone();
        };
        self.fold
            .of_queries(|query| folds.fold(query, queries) == wanted)
    }
}

/// Announces the work of all wide truths.
pub(super) fn announce(targets: &Targets, watch: &Watch) {
    for direction in Direction::BOTH {
        let set = &targets[direction];
        watch.announce(set.wide().len() * set.query_count());
    }
}

/// Ranks all positives of one truth; `None` when it was cancelled. Matrices hold no NaN.
///
/// # Errors
/// Embeddings whose products are no numbers.
pub(super) fn count(
    scores: &Scores,
    direction: Direction,
    relevance: &Relevance,
    folds: Option<Folds>,
    watch: &Watch,
) -> Result<Option<Wide>> {
    let many = Many {
        relevance,
        queries: relevance.query_count(),
        folds,
        side: None,
        depths: None,
    };
    match scores {
        Scores::Matrix(matrix) => many.of_matrix(matrix, direction, watch),
        Scores::Two(sides) => {
            let side = &sides[direction];
            let depths = partial::depths(side, direction, folds);
            let many = Many {
                side: Some(side),
                depths,
                ..many
            };
            many.of_matrix(&side.matrix, direction, watch)
        }
        Scores::Embeddings(embeddings) => match embeddings.as_ref() {
            Embeddings::Single(product) => many.run(&OfProduct { product, direction }, watch),
            Embeddings::Double(product) => many.run(&OfProduct { product, direction }, watch),
        },
        Scores::Lists(lists) => Ok(Some(many.of_lists(&lists[direction], watch))),
    }
}

/// What all tasks share.
struct Many<'a> {
    relevance: &'a Relevance,
    queries: usize,
    folds: Option<Folds>,
    /// Tells which scores are none, where some cells hold a fill value.
    side: Option<&'a Side>,
    /// How far each query's ranking goes, where some end early.
    depths: Option<Depths>,
}

impl Many<'_> {
    fn of_matrix(
        &self,
        matrix: &ScoreMatrix,
        direction: Direction,
        watch: &Watch,
    ) -> Result<Option<Wide>> {
        let scores = OfMatrix::new(matrix, direction);
        if matrix.is_double() {
            self.run::<f64>(&scores, watch)
        } else {
            self.run::<f32>(&scores, watch)
        }
    }

    fn run<T: Sortable + Scalar>(
        &self,
        scores: &impl ByQuery<T>,
        watch: &Watch,
    ) -> Result<Option<Wide>> {
        let step = scores.step();
        let task = |start: usize| {
            if watch.is_cancelled() {
                return Ok(None);
            }
            let queries = start..self.queries.min(start + step);
            let ranks = self.task(scores, queries.clone())?;
            watch.advance(queries.len());
            Ok(Some(ranks))
        };
        let tasks = (0..self.queries.div_ceil(step)).into_par_iter();
        let ranked: Option<Vec<Counted>> =
            tasks.map(|at| task(at * step)).collect::<Result<_>>()?;
        Ok(ranked.map(|ranked| self.in_truth_order(&ranked, step)))
    }

    /// Ranks of the positives of some queries, query after query.
    fn task<T: Sortable + Scalar>(
        &self,
        scores: &impl ByQuery<T>,
        queries: Range<usize>,
    ) -> Result<Counted> {
        let mut ranks = Counted::default();
        let mut sorter = Sorter::default();
        scores.visit(queries, &mut |query, scores| {
            let Some(place) = self.relevance.place(query) else {
                return;
            };
            let positives = self.relevance.positives(place);
            let fold = self
                .folds
                .map(|folds| (folds, folds.fold(query, self.queries)));
            let starts = (ranks.all.len(), ranks.fold.len());
            sorter.rank(scores, positives, fold, &mut ranks);
            if self.depths.is_some() {
                self.unrank(scores, positives, &mut ranks.all[starts.0..]);
                self.unrank(scores, positives, &mut ranks.fold[starts.1..]);
            }
        })?;
        Ok(ranks)
    }

    /// Takes the rank from positives that were not scored: their fill is the least of all scores, so
    /// that the ranks of the others are right.
    fn unrank<T: Scalar>(&self, scores: &[T], positives: &[u32], ranks: &mut [u32]) {
        let Some(side) = self.side else { return };
        for (rank, &item) in ranks.iter_mut().zip(positives) {
            if *rank > 0 && !side.is_scored(scores[item as usize].wide()) {
                *rank = UNRANKED;
            }
        }
    }

    /// Brings the tasks' results, which follow the gallery, into the order of the truth.
    fn in_truth_order(&self, ranked: &[Counted], step: usize) -> Wide {
        let mut wide = self.empty();
        let starts = self.starts(step);
        for (place, &query) in self.relevance.queries().iter().enumerate() {
            let start = starts[query as usize] as usize;
            let span = start..start + self.relevance.positives(place).len();
            self.push(
                &mut wide,
                place,
                &ranked[query as usize / step],
                span,
                self.depths.as_ref(),
            );
        }
        wide
    }

    /// The places in ranked lists, counted for this truth alone.
    fn of_lists(&self, lists: &Lists, watch: &Watch) -> Wide {
        let set = PairSet::of(&[self.relevance], self.queries);
        let counted = lists::count(lists, &set, self.folds);
        watch.advance(self.queries);
        let mut wide = self.empty();
        for (place, &query) in self.relevance.queries().iter().enumerate() {
            let span = set.range(query as usize);
            self.push(&mut wide, place, &counted, span, counted.depths.as_ref());
        }
        wide
    }

    fn empty(&self) -> Wide {
        Wide {
            all: Ranks::with_capacity(self.relevance.pair_count()),
            fold: Ranks::with_capacity(0),
        }
    }

    /// Appends a query whose ranks stand at `span` of `counted`.
    fn push(
        &self,
        wide: &mut Wide,
        place: usize,
        counted: &Counted,
        span: Range<usize>,
        depths: Option<&Depths>,
    ) {
        let query = self.relevance.queries()[place];
        let listed = self.relevance.listed(place);
        let depth = depths.map(|depths| depths.all[query as usize]);
        let all = counted.all[span.clone()].iter().copied();
        wide.all.push_counted(query, all, listed, depth);
        if self.folds.is_some() {
            let depth = depths.map(|depths| depths.fold[query as usize]);
            let fold = counted.fold[span].iter().copied();
            wide.fold.push_counted(query, fold, listed, depth);
        }
    }

    /// Where each query's ranks start within the result of its task.
    fn starts(&self, step: usize) -> Vec<u32> {
        let mut at = 0;
        let start_of = |query: usize| {
            if query.is_multiple_of(step) {
                at = 0;
            }
            let start = at;
            let place = self.relevance.place(query);
            at += place.map_or(0, |place| self.relevance.positives(place).len() as u32);
            start
        };
        (0..self.queries).map(start_of).collect()
    }
}
