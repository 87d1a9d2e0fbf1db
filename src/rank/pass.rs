//! One streaming pass over a matrix: the rank of every target, in both directions.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ndarray::Array2;

use super::column_count::ColumnCount;
use super::columns::Columns;
use super::kernel::{self, ROWS, Score};
use super::rows::RowCount;
use super::targets::{PairSet, Targets};
use super::{Counted, Folds};
use crate::data::parallel;
use crate::data::scores::{Blocks, Grid, MixedMatrices, Product, Rows, Scalar, ScoreMatrix};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

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
        count_grid::<f64>(matrix, targets, folds, token)
    } else {
        count_grid::<f32>(matrix, targets, folds, token)
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
    count_grid::<f64>(mixture, targets, folds, token)
}

/// The same for dot products of embeddings, each of which is computed once.
///
/// # Errors
/// Products that are no numbers.
pub(super) fn count_product<T: Score + Scalar>(
    product: &Product<T>,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<Counted>>> {
    let row_direction = Direction::I2t;
    let [rows, columns] = Direction::both(|direction| product.side_len(direction));
    let look_up = |pairs: &[(u32, u32)]| product.scores(pairs);
    let pass = Pass::new((row_direction, rows, columns), targets, folds, look_up);
    let done = pass.run(product.block_len(row_direction), token, |fold, rows, sums| {
        let queries: Vec<usize> = rows.clone().collect();
        let scores = product.block(row_direction, &queries);
        let held = Held { product, first: rows.start, scores };
        pass.task(&held, fold, rows, sums)
    });
    done.map_err(|row| product.nan_error_at(row_direction, row))
}

fn count_grid<T: Score>(
    matrix: &impl Grid<T>,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<Counted>>> {
    let shape = (matrix.rows().direction(), matrix.row_count(), matrix.row_len());
    let pass = Pass::new(shape, targets, folds, |pairs| cells(matrix, pairs));
    let rows = TASK_CELLS / matrix.row_len().max(1);
    let done = pass.run(rows, token, |fold, rows, sums| pass.task(matrix, fold, rows, sums));
    done.map_err(|_| matrix.nan_error())
}

/// The scores at these rows and columns.
fn cells<T: Score, G: Grid<T>>(matrix: &G, pairs: &[(u32, u32)]) -> Vec<T> {
    let read = |buffer: &mut G::Buffer, at: usize| {
        let (row, column) = pairs[at];
        matrix.cell(row as usize, column as usize, buffer)
    };
    parallel::map_with(pairs.len(), G::Buffer::default, read)
}

/// Some rows of scores that were computed.
struct Held<'a, T> {
    product: &'a Product<T>,
    first: usize,
    scores: Array2<T>,
}

impl<T: Scalar> Grid<T> for Held<'_, T> {
    type Buffer = ();

    fn rows(&self) -> Rows {
        Rows::Images
    }

    fn row_count(&self) -> usize {
        self.scores.nrows()
    }

    fn row_len(&self) -> usize {
        self.scores.ncols()
    }

    fn run<'a>(&'a self, row: usize, columns: Range<usize>, (): &'a mut ()) -> &'a [T] {
        let row = self.scores.row(row - self.first).to_slice();
        &row.expect("a block has contiguous rows")[columns]
    }

    fn nan_error(&self) -> Error {
        self.product.nan_error_at(Direction::I2t, self.first)
    }
}

/// What all tasks of a pass share.
struct Pass<'a, T> {
    row_count: usize,
    row_len: usize,
    /// Targets of the queries that are rows of the file.
    by_row: &'a PairSet,
    /// The direction of these queries.
    row_direction: Direction,
    columns: Columns<T>,
    folds: Option<Folds>,
    /// The fold and the columns of each tile, from left to right.
    tiles: Vec<(usize, Range<usize>)>,
}

/// How many outrank the target of each slot, by fold of the rows.
type Sums = Mutex<Vec<Vec<u32>>>;

/// What a task keeps from block to block.
struct State<'a, G: Grid<T>, T: Copy> {
    rows: RowCount<'a, T>,
    columns: ColumnCount<'a, T>,
    /// Decoded tiles, where the file's own bytes are not the scores as they are counted.
    buffers: [G::Buffer; ROWS],
    ranks: Counted,
}

impl<'a, T: Score> Pass<'a, T> {
    /// A pass over so many rows and columns; `look_up` gives the scores at rows and columns.
    fn new(
        (row_direction, row_count, row_len): (Direction, usize, usize),
        targets: &'a Targets,
        folds: Option<Folds>,
        look_up: impl FnOnce(&[(u32, u32)]) -> Vec<T>,
    ) -> Self {
        let of_columns = &targets[row_direction.flipped()];
        Pass {
            row_count,
            row_len,
            by_row: &targets[row_direction],
            row_direction,
            columns: Columns::new([row_count, row_len], of_columns, look_up),
            folds,
            tiles: cut(folds, row_len, TILE),
        }
    }

    /// Has tasks of about so many rows done. The error is a row with NaN.
    fn run(
        &self,
        rows: usize,
        token: &CancelToken,
        task: impl Fn(usize, Range<usize>, &Sums) -> std::result::Result<Counted, usize> + Sync,
    ) -> std::result::Result<Option<PerDirection<Counted>>, usize> {
        // Runs of rows that lie in one fold.
        let tasks = cut(self.folds, self.row_count, rows.max(ROWS));
        let folds = self.folds.map_or(1, |folds| folds.count);
        let sums = Mutex::new(vec![vec![0; self.columns.slots.len()]; folds]);
        let done: std::result::Result<Vec<_>, usize> = parallel::try_map(&tasks, |(fold, rows)| {
            if token.is_cancelled() {
                return Ok(None);
            }
            let ranks = task(*fold, rows.clone(), &sums)?;
            token.advance(rows.len());
            Ok(Some(ranks))
        });
        let Some(of_rows) = done?.into_iter().collect::<Option<Vec<Counted>>>() else {
            return Ok(None);
        };
        let sums = sums.into_inner().expect("no task panics while it adds");
        let mut result = PerDirection::default();
        result[self.row_direction] = Counted::concatenate(of_rows);
        result[self.row_direction.flipped()] = self.columns.ranks(&sums, self.folds);
        Ok(Some(result))
    }

    /// Ranks the targets of some rows and counts these rows for every column's targets. The error
    /// is a row with NaN.
    fn task<G: Grid<T>>(
        &self,
        matrix: &G,
        fold: usize,
        rows: Range<usize>,
        sums: &Sums,
    ) -> std::result::Result<Counted, usize> {
        let mut state: State<G, T> = State {
            rows: RowCount::new(self.by_row, self.folds, self.row_len),
            columns: ColumnCount::at(&self.columns, rows.start),
            buffers: Default::default(),
            ranks: Counted::default(),
        };
        for start in rows.clone().step_by(ROWS) {
            self.block(matrix, start..rows.end.min(start + ROWS), &mut state)?;
        }
        let mut sums = sums.lock().expect("no task panics while it adds");
        state.columns.add_to(&mut sums[fold]);
        Ok(state.ranks)
    }

    /// Goes through up to [`ROWS`] rows, tile by tile.
    fn block<G: Grid<T>>(
        &self,
        matrix: &G,
        rows: Range<usize>,
        state: &mut State<G, T>,
    ) -> std::result::Result<(), usize> {
        let absent = [T::UNREACHABLE; TILE];
        let mut cell = G::Buffer::default();
        state
            .rows
            .begin(rows.clone(), |at, column| matrix.cell(rows.start + at, column, &mut cell));
        for (fold, columns) in &self.tiles {
            let mut tile: [&[T]; ROWS] = [&absent[..columns.len()]; ROWS];
            for (at, buffer) in state.buffers[..rows.len()].iter_mut().enumerate() {
                let row = rows.start + at;
                let run = matrix.run(row, columns.clone(), buffer);
                if kernel::has_nan(run) {
                    return Err(row);
                }
                state.rows.add(at, columns.start, run, *fold);
                tile[at] = run;
            }
            state.columns.add(columns.start, tile);
        }
        state.rows.finish(&mut state.ranks);
        state.columns.finish(matrix, rows);
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
