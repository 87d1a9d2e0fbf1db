//! One streaming pass over a matrix: the rank of every target, in both directions.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::column_count::ColumnCount;
use super::columns::Columns;
use super::kernel::{self, ROWS, Score};
use super::rows::RowCount;
use super::targets::{PairSet, Targets};
use super::{Counted, Folds};
use crate::data::parallel;
use crate::data::scores::{Grid, MixedMatrices, ScoreMatrix};
use crate::data::{Direction, PerDirection};
use crate::error::Result;

/// Cells that one task handles, about.
const TASK_CELLS: usize = 4_000_000;
/// Columns of a tile, at most: a tile of [`ROWS`] rows fits the first-level cache as `f32`.
pub(super) const TILE: usize = 1_024;

/// Progress of a pass, and the wish to end it early; shared with whoever waits for it.
#[derive(Debug, Default)]
pub struct CancelToken {
    done: AtomicUsize,
    total: AtomicUsize,
    cancelled: AtomicBool,
}

impl CancelToken {
    /// Asks the pass to end as soon as it can.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Sets the progress back to zero, for the pass over another model.
    pub(super) fn begin(&self) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(0, Ordering::Relaxed);
    }

    /// Announces so many further rows.
    pub(super) fn announce(&self, rows: usize) {
        self.total.fetch_add(rows, Ordering::Relaxed);
    }

    /// Adds rows that are done.
    pub(super) fn advance(&self, rows: usize) {
        self.done.fetch_add(rows, Ordering::Relaxed);
    }

    /// Whether the pass is to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Share of the rows done, 0 to 1.
    pub fn progress(&self) -> f64 {
        let total = self.total.load(Ordering::Relaxed).max(1);
        self.done.load(Ordering::Relaxed) as f64 / total as f64
    }
}

/// Counts the rank of every target; `None` when it was cancelled. Adds the rows that are done to
/// `token`.
///
/// The result does not depend on the number of threads.
///
/// # Errors
/// NaN in the matrix: the first such cell is named.
pub fn count(
    matrix: &ScoreMatrix,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<Counted>>> {
    if matrix.is_double() {
        Pass::<_, f64>::new(matrix, targets, folds).run(token)
    } else {
        Pass::<_, f32>::new(matrix, targets, folds).run(token)
    }
}

/// The same for a mixture of two matrices.
///
/// # Errors
/// NaN in one of them, or infinities of opposite sign in one cell: the first such cell is named.
pub fn count_mixture(
    mixture: &MixedMatrices,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<Counted>>> {
    Pass::<_, f64>::new(mixture, targets, folds).run(token)
}

/// What all tasks of a pass share.
struct Pass<'a, G, T> {
    matrix: &'a G,
    /// Targets of the queries that are rows of the file.
    by_row: &'a PairSet,
    /// The direction of these queries.
    row_direction: Direction,
    columns: Columns<T>,
    folds: Option<Folds>,
    /// The fold and the columns of each tile, from left to right.
    tiles: Vec<(usize, Range<usize>)>,
}

/// What a task keeps from block to block.
struct State<'a, G: Grid<T>, T: Copy> {
    rows: RowCount<'a, T>,
    columns: ColumnCount<'a, T>,
    /// Decoded tiles, where the file's own bytes are not the scores as they are counted.
    buffers: [G::Buffer; ROWS],
    ranks: Counted,
}

impl<'a, G: Grid<T>, T: Score> Pass<'a, G, T> {
    fn new(matrix: &'a G, targets: &'a Targets, folds: Option<Folds>) -> Self {
        let row_direction = matrix.rows().direction();
        let columns = Columns::new(matrix, &targets[row_direction.flipped()]);
        Pass {
            matrix,
            by_row: &targets[row_direction],
            row_direction,
            columns,
            folds,
            tiles: cut(folds, matrix.row_len(), TILE),
        }
    }

    fn run(&self, token: &CancelToken) -> Result<Option<PerDirection<Counted>>> {
        let tasks = self.tasks();
        let folds = self.folds.map_or(1, |folds| folds.count);
        let sums = Mutex::new(vec![vec![0; self.columns.slots.len()]; folds]);
        let done = parallel::try_map(&tasks, |(fold, rows)| {
            if token.is_cancelled() {
                return Ok(None);
            }
            let ranks = self.task(*fold, rows.clone(), &sums)?;
            token.advance(rows.len());
            Ok(Some(ranks))
        });
        let done = done.map_err(|_: usize| self.matrix.nan_error())?;
        let Some(of_rows) = done.into_iter().collect::<Option<Vec<Counted>>>() else {
            return Ok(None);
        };
        let sums = sums.into_inner().expect("no task panics while it adds");
        let mut result = PerDirection::default();
        result[self.row_direction] = Counted::concatenate(of_rows);
        result[self.row_direction.flipped()] = self.columns.ranks(&sums, self.folds);
        Ok(Some(result))
    }

    /// Runs of rows that lie in one fold.
    fn tasks(&self) -> Vec<(usize, Range<usize>)> {
        let rows = TASK_CELLS / self.matrix.row_len().max(1);
        cut(self.folds, self.matrix.row_count(), rows.max(ROWS))
    }

    /// Ranks the targets of some rows and counts these rows for every column's targets. The error
    /// is a row with NaN.
    fn task(
        &self,
        fold: usize,
        rows: Range<usize>,
        sums: &Mutex<Vec<Vec<u32>>>,
    ) -> std::result::Result<Counted, usize> {
        let mut state: State<G, T> = State {
            rows: RowCount::new(self.by_row, self.folds, self.matrix.row_len()),
            columns: ColumnCount::at(&self.columns, rows.start),
            buffers: Default::default(),
            ranks: Counted::default(),
        };
        for start in rows.clone().step_by(ROWS) {
            self.block(start..rows.end.min(start + ROWS), &mut state)?;
        }
        let mut sums = sums.lock().expect("no task panics while it adds");
        state.columns.add_to(&mut sums[fold]);
        Ok(state.ranks)
    }

    /// Goes through up to [`ROWS`] rows, tile by tile.
    fn block(&self, rows: Range<usize>, state: &mut State<G, T>) -> std::result::Result<(), usize> {
        let absent = [T::UNREACHABLE; TILE];
        let mut cell = G::Buffer::default();
        state
            .rows
            .begin(rows.clone(), |at, column| self.matrix.cell(rows.start + at, column, &mut cell));
        for (fold, columns) in &self.tiles {
            let mut tile: [&[T]; ROWS] = [&absent[..columns.len()]; ROWS];
            for (at, buffer) in state.buffers[..rows.len()].iter_mut().enumerate() {
                let row = rows.start + at;
                let run = self.matrix.run(row, columns.clone(), buffer);
                if kernel::has_nan(run) {
                    return Err(row);
                }
                state.rows.add(at, columns.start, run, *fold);
                tile[at] = run;
            }
            state.columns.add(columns.start, tile);
        }
        state.rows.finish(&mut state.ranks);
        state.columns.finish(self.matrix, rows);
        Ok(())
    }
}

/// Cuts `0..len` where folds begin, and each fold into equal parts of up to `longest`, in whole
/// blocks where that is possible.
pub(super) fn cut(folds: Option<Folds>, len: usize, longest: usize) -> Vec<(usize, Range<usize>)> {
    let folds = folds.unwrap_or(Folds { count: 1 });
    let mut parts = Vec::new();
    for fold in 0..folds.count {
        let Range { mut start, end } = folds.range(fold, len);
        let count = (end - start).div_ceil(longest).max(1);
        let step = (end - start).div_ceil(count).next_multiple_of(ROWS);
        while start < end {
            let stop = end.min(start + step.min(longest));
            parts.push((fold, start..stop));
            start = stop;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once_and_never_cross_a_fold() {
        for (folds, len, longest) in [(1, 0, 8), (1, 1_000, 64), (5, 25_000, 1_024), (3, 10, 1)] {
            let folds = Folds { count: folds };
            let parts = cut(Some(folds), len, longest);
            let mut at = 0;
            for (fold, part) in parts {
                assert_eq!(part.start, at);
                assert!((1..=longest).contains(&part.len()));
                assert_eq!(folds.fold(part.start, len), fold);
                assert_eq!(folds.fold(part.end - 1, len), fold);
                at = part.end;
            }
            assert_eq!(at, len);
        }
    }
}
