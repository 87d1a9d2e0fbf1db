//! Some columns of a matrix, gone through row by row: queries that are columns, without transposing them.

use std::ops::Range;

use super::bars::Bars;
use super::kernel::{self, ROWS, Score};
use super::pass::CancelToken;
use crate::data::parallel;
use crate::data::scores::Grid;

/// Columns of a strip: more leave their bars and counts no room in the second-level cache.
const WIDEST: usize = 4_096;
/// Columns of a strip at least: fewer are not worth the way to each row.
const NARROWEST: usize = 512;

/// How many columns make a task: a few tasks for each thread, where there are that many columns.
pub(super) fn step(columns: usize) -> usize {
    let tasks = 4 * parallel::threads();
    columns.div_ceil(tasks).clamp(NARROWEST, WIDEST)
}

/// Rows between two looks at the token, about.
const GLANCE: usize = 64 * ROWS;

/// A range of adjacent columns of a matrix, read row by row.
pub(super) struct Strip<'a, G> {
    pub grid: &'a G,
    pub columns: Range<usize>,
    pub token: &'a CancelToken,
}

impl<G> Strip<'_, G> {
    /// Calls `each` with the rows of the strip, up to [`ROWS`] of them at a time and the index of the first.
    /// Whether it came to the end.
    pub(super) fn blocks<T: Score>(&self, mut each: impl FnMut(usize, &[&[T]])) -> bool
    where
        G: Grid<T>,
    {
        let mut buffers: [G::Buffer; ROWS] = Default::default();
        let height = self.grid.row_count();
        for (at, start) in (0..height).step_by(ROWS).enumerate() {
            if at.is_multiple_of(GLANCE / ROWS) && self.token.is_cancelled() {
                return false;
            }
            let count = ROWS.min(height - start);
            let mut rows: [&[T]; ROWS] = [&[]; ROWS];
            for (at, buffer) in buffers[..count].iter_mut().enumerate() {
                rows[at] = self.grid.run(start + at, self.columns.clone(), buffer);
            }
            each(start, &rows[..count]);
        }
        true
    }

    /// The first `k` items of each column, of those that are in by column, item and score; `None` when it
    /// was cancelled. `by_score` says that no item is out which scores more than one that is in.
    pub(super) fn bars<T: Score>(
        &self,
        k: usize,
        by_score: bool,
        is_in: impl Fn(usize, u32, T) -> bool,
    ) -> Option<Bars<T>>
    where
        G: Grid<T>,
    {
        let mut bars = Bars::new(k, self.columns.len());
        if by_score {
            bars.start(&self.greatest(2 * k));
        }
        let is_whole = self.blocks(|start, rows| bars.add(start as u32, rows, &is_in));
        is_whole.then_some(bars)
    }

    /// The greatest score of each column in each of so many sets of rows; none where rows are too few for
    /// that to be worth it. To know them costs a look at every row, and spares most of what would enter
    /// and leave again.
    fn greatest<T: Score>(&self, sets: usize) -> Vec<Vec<T>>
    where
        G: Grid<T>,
    {
        let blocks = self.grid.row_count() / ROWS / sets.max(1);
        if blocks == 0 {
            return Vec::new();
        }
        let mut greatest = vec![vec![T::UNREACHABLE; self.columns.len()]; sets];
        self.blocks(|start, rows| {
            let set = greatest.get_mut(start / (ROWS * blocks));
            if let (Some(set), Ok(rows)) = (set, rows.try_into()) {
                kernel::raise(rows, set);
            }
        });
        greatest
    }
}
