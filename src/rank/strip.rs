//! Queries that are columns of a matrix, processed row by row: nothing is transposed.
//!
//! Each query has a threshold: the lowest of its best k items so far. One vectorised comparison finds the queries of a
//! run for which one of a few items is above it; only those are checked one by one.

use std::ops::Range;

use super::pass::CancelToken;
use crate::data::parallel;
use crate::data::scores::{Buffer, Queries, Scalar};
use itm_explore_kernels::ROWS;

/// Maximum columns of a strip: thresholds and counts of more exceed the second-level cache.
const MAX_COLUMNS: usize = 4_096;
/// Minimum columns of a strip: fewer do not pay for each row.
const MIN_COLUMNS: usize = 512;
/// Blocks of rows between checks of the token.
const BLOCKS_PER_CANCEL_CHECK: usize = 64;
/// Number of marks that are checked together, as one `u64`.
const MARKS_PER_WORD: usize = 8;

/// Number of columns per task: a few tasks for each thread, if there are enough columns.
pub(super) fn columns_per_task(columns: usize) -> usize {
    let tasks = 4 * parallel::threads();
    columns.div_ceil(tasks).clamp(MIN_COLUMNS, MAX_COLUMNS)
}

/// Whether the queries are columns of the file.
pub(super) fn are_columns<T: Scalar>(queries: Queries<'_, T>) -> bool {
    queries.source.row_direction() == Some(queries.direction.flipped())
}

/// Adjacent queries that are columns of a matrix.
pub(super) struct Strip<'a, T> {
    pub queries: Queries<'a, T>,
    pub columns: Range<usize>,
    pub token: &'a CancelToken,
}

impl<T: Scalar> Strip<'_, T> {
    /// Number of rows, one for each item.
    fn row_count(&self) -> usize {
        self.queries.source.side_len(self.queries.direction.flipped())
    }

    /// Calls `each` with the index of a row of the strip, and with up to [`ROWS`] rows from there on. Returns false if
    /// cancelled.
    pub(super) fn visit_rows(&self, mut each: impl FnMut(usize, &[&[T]])) -> bool {
        let mut buffers: [Buffer<T>; ROWS] = Default::default();
        let row_count = self.row_count();
        for (at, start) in (0..row_count).step_by(ROWS).enumerate() {
            if at.is_multiple_of(BLOCKS_PER_CANCEL_CHECK) && self.token.is_cancelled() {
                return false;
            }
            let count = ROWS.min(row_count - start);
            let mut rows: [&[T]; ROWS] = [&[]; ROWS];
            for (at, buffer) in buffers[..count].iter_mut().enumerate() {
                rows[at] = self.queries.source.segment(start + at, self.columns.clone(), buffer);
            }
            each(start, &rows[..count]);
        }
        true
    }

    /// The first `k` items of each column whose scores `is_in` accepts, best first, and whether a score was NaN; `None`
    /// if cancelled. `is_in` accepts all scores from some value up.
    pub(super) fn top_k(
        &self,
        k: usize,
        is_in: impl Fn(T) -> bool,
    ) -> Option<(Vec<Vec<u32>>, bool)> {
        let mut best = RunningTopK::new(k, self.columns.len());
        best.raise_thresholds(&self.column_maxima(2 * k));
        let is_whole = self.visit_rows(|start, rows| best.add_rows(start as u32, rows, &is_in));
        let head = |mut candidates: Vec<T::Key>| {
            candidates.sort_unstable();
            candidates.truncate(k);
            candidates.into_iter().map(|key| T::from_key(key).1).collect()
        };
        is_whole.then(|| (best.candidates.into_iter().map(head).collect(), best.has_nan))
    }

    /// The highest score of each column in each of `sets` sets of rows; empty if rows are too few. This reads every row
    /// once more, but avoids most temporary candidates.
    fn column_maxima(&self, sets: usize) -> Vec<Vec<T>> {
        let blocks = self.row_count() / ROWS / sets.max(1);
        if blocks == 0 {
            return Vec::new();
        }
        let mut maxima = vec![vec![T::UNREACHABLE; self.columns.len()]; sets];
        self.visit_rows(|start, rows| {
            let set = maxima.get_mut(start / (ROWS * blocks));
            if let (Some(set), Ok(rows)) = (set, rows.try_into()) {
                (T::loops().raise_maxima)(rows, set);
            }
        });
        maxima
    }
}

/// The best items so far of consecutive queries.
struct RunningTopK<T: Scalar> {
    k: usize,
    /// Score that an item must reach to be a candidate; NaN, which lets every item in, before there are k.
    thresholds: Vec<T>,
    /// Up to 2k candidates of each query.
    candidates: Vec<Vec<T::Key>>,
    /// 1 for each query whose threshold one of the last added items reaches; padded to whole groups of
    /// [`MARKS_PER_WORD`].
    marks: Vec<u8>,
    has_nan: bool,
}

impl<T: Scalar> RunningTopK<T> {
    /// For the top `k` of `queries` queries.
    fn new(k: usize, queries: usize) -> Self {
        RunningTopK {
            k,
            thresholds: vec![T::UNREACHABLE; queries],
            candidates: (0..queries).map(|_| Vec::with_capacity(2 * k)).collect(),
            marks: vec![0; queries.next_multiple_of(MARKS_PER_WORD)],
            has_nan: false,
        }
    }

    /// Sets thresholds from some items, before any is added: `maxima` has the highest score of each query in each of
    /// several disjoint sets of items. At least k items reach the k-th highest of these, so nothing below it is among
    /// the first k.
    fn raise_thresholds(&mut self, maxima: &[Vec<T>]) {
        if self.k == 0 || maxima.len() < self.k {
            return;
        }
        let mut best: Vec<T::Key> = Vec::with_capacity(maxima.len());
        for (query, threshold) in self.thresholds.iter_mut().enumerate() {
            best.clear();
            let set_maxima = maxima.iter().map(|maxima| maxima[query]);
            best.extend(set_maxima.filter(|score| !score.is_nan()).map(|score| score.key(0)));
            if best.len() >= self.k {
                *threshold = T::from_key(*best.select_nth_unstable(self.k - 1).1).0;
            }
        }
    }

    /// Adds up to [`ROWS`] items from index `start` on. `rows` has the scores of each item, one for each query; `is_in`
    /// decides by its score whether an item competes.
    fn add_rows(&mut self, start: u32, rows: &[&[T]], is_in: &impl Fn(T) -> bool) {
        let Some(&first) = rows.first() else { return };
        // A repeated row has no further effect.
        let full: [&[T]; ROWS] = std::array::from_fn(|at| rows.get(at).copied().unwrap_or(first));
        (T::loops().mark_reaching)(full, &self.thresholds, &mut self.marks);
        for at in 0..self.marks.len() / MARKS_PER_WORD {
            let mut marks = u64::from_le_bytes(self.marks.as_chunks::<MARKS_PER_WORD>().0[at]);
            while marks != 0 {
                let query = MARKS_PER_WORD * at + marks.trailing_zeros() as usize / 8;
                marks &= marks - 1;
                self.add_items(query, start, rows, is_in);
            }
        }
    }

    /// Adds the items of these rows that reach a query's threshold to its candidates, raises the threshold if there are
    /// 2k, and notes NaN.
    fn add_items(&mut self, query: usize, start: u32, rows: &[&[T]], is_in: &impl Fn(T) -> bool) {
        let candidates = &mut self.candidates[query];
        for (item, row) in (start..).zip(rows) {
            let (score, threshold) = (row[query], &mut self.thresholds[query]);
            self.has_nan |= score.is_nan();
            let is_out = score.is_nan() || score < *threshold;
            if !is_out && self.k > 0 && is_in(score) {
                candidates.push(score.key(item));
                if candidates.len() == 2 * self.k {
                    let least = *candidates.select_nth_unstable(self.k - 1).1;
                    candidates.truncate(self.k);
                    // Items come in index order: one that only equals the k-th ranks behind it.
                    *threshold = T::from_key(least).0.above();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::scores::Peaks;
    use proptest::prelude::*;

    /// Few distinct scores, with NaN and infinities.
    fn score() -> impl Strategy<Value = f32> {
        let few = (-2i8..4).prop_map(|n| f32::from(n) / 2.0);
        let ends = prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0]);
        prop_oneof![6 => few, 1 => ends]
    }

    fn table() -> impl Strategy<Value = Vec<Vec<f32>>> {
        let sizes = (1usize..20, 1usize..40);
        sizes.prop_flat_map(|(queries, items)| {
            let row = prop::collection::vec(score(), queries);
            prop::collection::vec(row, items)
        })
    }

    proptest! {
        /// With thresholds from a part of the items or without, even if most of them are NaN.
        #[test]
        fn top_k_are_those_of_each_query_alone(rows in table(), k in 0usize..6, told in 0usize..40) {
            let queries = rows[0].len();
            let mut best = RunningTopK::new(k, queries);
            best.raise_thresholds(&rows[..told.min(rows.len())]);
            let all: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
            for (start, rows) in (0..).step_by(ROWS).zip(all.chunks(ROWS)) {
                best.add_rows(start, rows, &|_| true);
            }
            prop_assert_eq!(best.has_nan, rows.iter().flatten().any(|score| score.is_nan()));
            for (query, mut kept) in best.candidates.into_iter().enumerate() {
                kept.sort_unstable();
                let head: Vec<u32> = kept.into_iter().map(|key| f32::from_key(key).1).take(k).collect();
                let scores: Vec<f32> = rows.iter().map(|row| row[query]).collect();
                prop_assert_eq!(head, Peaks::new(&scores).top_k(k, None));
            }
        }
    }
}
