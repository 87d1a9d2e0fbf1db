//! Ranks for truths with many positives a query, such as Plausible Match.
//!
//! [`super::pass`] compares every score with every target, which is right for ten targets and wrong
//! for ten thousand. Here each query's scores are brought together (a run of the file, or a column
//! through a transposed block) and its targets ranked at once. Up to [`FEW`] targets are counted as
//! [`RowCount`] does; more are sorted, and every score finds by binary search the targets that it
//! outranks: n log m steps for n scores and m targets. Nothing is kept but the ranks themselves,
//! four bytes a pair.

use std::ops::Range;

use rayon::prelude::*;

use super::kernel::Score;
use super::pass::Watch;
use super::rows::RowCount;
use super::targets::Targets;
use super::{Counted, Folds, Pool, Ranks};
use crate::data::Direction;
use crate::data::scores::{Rows, ScoreMatrix};
use crate::truth::relevance::Relevance;

/// Up to so many targets vectorised comparison is faster than binary search.
const FEW: usize = 128;
/// Bytes of scores that one task transposes.
const BLOCK_BYTES: usize = 8 << 20;
/// Queries of one task, at least.
const TASK_QUERIES: usize = 64;
/// Rows transposed together, so that whole cache lines are written.
const TILE: usize = 16;

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
        let mut ranks = Ranks::with_capacity(0);
        for (query, one) in self.fold.queries.iter().zip(self.fold.iter()) {
            if folds.fold(*query as usize, queries) == wanted {
                ranks.ranks.extend_from_slice(one.ranks);
                ranks.push_query(*query, one.listed);
            }
        }
        ranks
    }
}

/// Announces the work of all wide truths.
pub(super) fn announce(matrix: &ScoreMatrix, targets: &Targets, watch: &Watch) {
    for direction in Direction::BOTH {
        let queries = queries(matrix, direction);
        watch.announce(targets[direction].wide().len() * queries);
    }
}

fn queries(matrix: &ScoreMatrix, direction: Direction) -> usize {
    match direction {
        Direction::I2t => matrix.images(),
        Direction::T2i => matrix.captions(),
    }
}

/// Ranks all positives of one truth; `None` when it was cancelled. The matrix holds no NaN.
pub(super) fn count(
    matrix: &ScoreMatrix,
    direction: Direction,
    relevance: &Relevance,
    folds: Option<Folds>,
    watch: &Watch,
) -> Option<Wide> {
    if matrix.is_double() {
        Many::<f64>::new(matrix, direction, relevance, folds).run(watch)
    } else {
        Many::<f32>::new(matrix, direction, relevance, folds).run(watch)
    }
}

/// What all tasks share.
struct Many<'a, T> {
    matrix: &'a ScoreMatrix,
    /// Whether a query is a contiguous run of the file.
    along_rows: bool,
    queries: usize,
    relevance: &'a Relevance,
    folds: Option<Folds>,
    row_count: RowCount,
    scores: std::marker::PhantomData<T>,
}

impl<'a, T: Sortable> Many<'a, T> {
    fn new(
        matrix: &'a ScoreMatrix,
        direction: Direction,
        relevance: &'a Relevance,
        folds: Option<Folds>,
    ) -> Self {
        let row_direction = match matrix.rows() {
            Rows::Images => Direction::I2t,
            Rows::Captions => Direction::T2i,
        };
        Many {
            matrix,
            along_rows: direction == row_direction,
            queries: queries(matrix, direction),
            relevance,
            folds,
            row_count: RowCount::new(folds, queries(matrix, direction.flipped())),
            scores: std::marker::PhantomData,
        }
    }

    fn run(&self, watch: &Watch) -> Option<Wide> {
        let column_bytes = self.matrix.row_count() * std::mem::size_of::<T>();
        let step = if self.along_rows {
            TASK_QUERIES
        } else {
            (BLOCK_BYTES / column_bytes.max(1)).max(TASK_QUERIES)
        };
        let tasks: Vec<Range<usize>> = (0..self.queries)
            .step_by(step)
            .map(|start| start..(start + step).min(self.queries))
            .collect();
        let ranked: Vec<Counted> = tasks
            .into_par_iter()
            .map(|queries| {
                if watch.is_cancelled() {
                    return None;
                }
                let len = queries.len();
                let ranks = self.task(queries);
                watch.advance(len);
                Some(ranks)
            })
            .collect::<Option<_>>()?;
        Some(self.in_truth_order(ranked, step))
    }

    /// Ranks of the positives of some queries, query after query.
    fn task(&self, queries: Range<usize>) -> Counted {
        let mut ranks = Counted::default();
        let mut sorter = Sorter::default();
        if self.along_rows {
            let mut buffer = Vec::new();
            for query in queries {
                let scores = T::row(self.matrix, query, &mut buffer);
                self.rank(query, scores, &mut sorter, &mut ranks);
            }
        } else {
            let height = self.matrix.row_count();
            let block = self.transposed(&queries);
            for (query, column) in queries.zip(block.chunks_exact(height)) {
                self.rank(query, column, &mut sorter, &mut ranks);
            }
        }
        ranks
    }

    fn rank(&self, query: usize, scores: &[T], sorter: &mut Sorter<T::Key>, ranks: &mut Counted) {
        let Some(place) = self.relevance.place(query) else {
            return;
        };
        let positives = self.relevance.positives(place);
        let fold = self.folds.map(|folds| folds.fold(query, self.queries));
        if positives.len() <= FEW {
            self.row_count
                .rank(scores, positives, fold.unwrap_or(0), ranks);
        } else {
            sorter.rank(scores, positives, self.folds.zip(fold), ranks);
        }
    }

    /// The columns of the file as runs.
    fn transposed(&self, columns: &Range<usize>) -> Vec<T> {
        let height = self.matrix.row_count();
        let mut block = vec![T::default(); height * columns.len()];
        let mut buffers: [Vec<T>; TILE] = Default::default();
        for start in (0..height).step_by(TILE) {
            let len = TILE.min(height - start);
            let mut rows: [&[T]; TILE] = [&[]; TILE];
            for (at, (row, buffer)) in rows.iter_mut().zip(&mut buffers).take(len).enumerate() {
                *row = &T::row(self.matrix, start + at, buffer)[columns.clone()];
            }
            for (at, column) in block.chunks_exact_mut(height).enumerate() {
                for (slot, row) in column[start..start + len].iter_mut().zip(&rows) {
                    *slot = row[at];
                }
            }
        }
        block
    }

    /// Brings the tasks' results, which follow the gallery, into the order of the truth.
    fn in_truth_order(&self, ranked: Vec<Counted>, step: usize) -> Wide {
        let mut wide = Wide {
            all: Ranks::with_capacity(self.relevance.pair_count()),
            fold: Ranks::with_capacity(0),
        };
        let starts = self.starts(step);
        for (place, &query) in self.relevance.queries().iter().enumerate() {
            let counted = &ranked[query as usize / step];
            let listed = self.relevance.listed(place);
            let span = starts[query as usize] as usize;
            let span = span..span + self.relevance.positives(place).len();
            wide.all
                .push_unsorted(query, counted.all[span.clone()].iter().copied(), listed);
            if self.folds.is_some() {
                let in_fold = counted.fold[span.clone()]
                    .iter()
                    .copied()
                    .filter(|&rank| rank > 0);
                let left_out = span.len() - in_fold.clone().count();
                wide.fold
                    .push_unsorted(query, in_fold, listed - left_out as u32);
            }
        }
        wide
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

/// A score that, with the index it stands at, makes an integer in the order of ranks: the smaller
/// one outranks the other.
trait Sortable: Score {
    type Key: Copy + Ord + Default + Send + Sync;

    fn key(self, index: u32) -> Self::Key;
}

impl Sortable for f32 {
    type Key = u64;

    fn key(self, index: u32) -> u64 {
        // Adding zero makes -0.0 the 0.0 that it equals. Flipping the sign bit, and all others of a
        // negative number, gives integers in the order of the scores.
        let bits = (self + 0.0).to_bits();
        let ascending = bits ^ ((((bits as i32) >> 31) as u32) | (1 << 31));
        u64::from(!ascending) << 32 | u64::from(index)
    }
}

impl Sortable for f64 {
    type Key = u128;

    fn key(self, index: u32) -> u128 {
        let bits = (self + 0.0).to_bits();
        let ascending = bits ^ ((((bits as i64) >> 63) as u64) | (1 << 63));
        u128::from(!ascending) << 32 | u128::from(index)
    }
}

/// Ranks many targets of one query; its buffers serve query after query.
#[derive(Default)]
struct Sorter<K> {
    /// Key of each target and its place among the positives, best first.
    targets: Vec<(K, u32)>,
    keys: Vec<K>,
    /// Scores that outrank the target at this place, but not the one before it.
    counts: Vec<u32>,
}

impl<K: Copy + Ord> Sorter<K> {
    /// Appends the ranks of `positives` (ascending indices) among all scores and, with folds,
    /// among those of the query's own fold.
    fn rank<T: Sortable<Key = K>>(
        &mut self,
        scores: &[T],
        positives: &[u32],
        fold: Option<(Folds, usize)>,
        ranks: &mut Counted,
    ) {
        let target = |(place, &index): (u32, &u32)| (scores[index as usize].key(index), place);
        self.targets.clear();
        self.targets.extend((0..).zip(positives).map(target));
        self.targets.sort_unstable();
        self.keys.clear();
        self.keys.extend(self.targets.iter().map(|&(key, _)| key));
        self.count(scores, 0..scores.len());
        self.append(&mut ranks.all, positives, &(0..scores.len()));
        if let Some((folds, own)) = fold {
            let own = folds.range(own, scores.len());
            self.count(scores, own.clone());
            self.append(&mut ranks.fold, positives, &own);
        }
    }

    /// Finds for each score of a range the first target that it outranks.
    fn count<T: Sortable<Key = K>>(&mut self, scores: &[T], range: Range<usize>) {
        self.counts.clear();
        self.counts.resize(self.keys.len() + 1, 0);
        for index in range {
            let key = scores[index].key(index as u32);
            let first = self.keys.partition_point(|&target| target <= key);
            self.counts[first] += 1;
        }
    }

    /// Appends 1 + the scores before each target, in the order of `positives`; 0 for those outside
    /// the range that competes.
    fn append(&self, ranks: &mut Vec<u32>, positives: &[u32], range: &Range<usize>) {
        let start = ranks.len();
        ranks.resize(start + positives.len(), 0);
        let mut rank = 1;
        for (&(_, place), &count) in self.targets.iter().zip(&self.counts) {
            rank += count;
            if range.contains(&(positives[place as usize] as usize)) {
                ranks[start + place as usize] = rank;
            }
        }
    }
}
