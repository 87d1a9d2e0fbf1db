//! One streaming pass over scores: the rank of every target, in both directions.
//!
//! Rows of a matrix are read tile by tile. Computed scores are computed a block of rows at a time, ranked so, and
//! dropped.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::columns::{ColumnCount, Columns};
use super::rows::RowCount;
use super::targets::{PairSet, Targets};
use super::{Folds, TargetRanks};
use crate::data::parallel;
use crate::data::scores::{Blocks, Buffer, Queries, Scalar, Source, has_nan};
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use itm_explore_kernels::ROWS;

/// Approximate cells per task.
const TASK_CELLS: usize = 4_000_000;
/// Maximum columns of a tile: [`ROWS`] rows of it fit the second-level cache.
pub(super) const TILE: usize = 4_096;

/// Progress of a pass, and a request to cancel it; shared with its waiting caller.
#[derive(Debug, Default)]
pub struct CancelToken {
    done: AtomicUsize,
    total: AtomicUsize,
    cancelled: AtomicBool,
}

impl CancelToken {
    /// Asks the pass to end quickly.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Sets the progress to 0 of 0 rows, for the pass over another model.
    pub(super) fn begin(&self) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(0, Ordering::Relaxed);
    }

    /// Adds rows to the total that [`CancelToken::progress`] is relative to.
    pub(super) fn announce(&self, rows: usize) {
        self.total.fetch_add(rows, Ordering::Relaxed);
    }

    /// Adds finished rows.
    pub(super) fn advance(&self, rows: usize) {
        self.done.fetch_add(rows, Ordering::Relaxed);
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Share of the rows done, 0 to 1.
    pub fn progress(&self) -> f64 {
        let total = self.total.load(Ordering::Relaxed).max(1);
        self.done.load(Ordering::Relaxed) as f64 / total as f64
    }
}

/// Calls `task` with consecutive ranges of `step` of `len` queries, in parallel, and adds finished queries to `token`.
/// Returns the results in the order of the queries; `None` if cancelled.
///
/// # Errors
/// The first error of a task, in the order of the queries.
pub(super) fn in_tasks<R: Send>(
    len: usize,
    step: usize,
    token: &CancelToken,
    task: impl Fn(Range<usize>) -> Result<Option<R>> + Sync,
) -> Result<Option<Vec<R>>> {
    let run_task = |range: Range<usize>| {
        if token.is_cancelled() {
            return Ok(None);
        }
        let len = range.len();
        let found = task(range)?;
        token.advance(len);
        Ok(found)
    };
    let found = parallel::try_map_ranges(len, step, run_task)?;
    Ok(found.into_iter().collect())
}

/// Ranks every target; `None` if cancelled. Adds finished rows to `token`.
///
/// The result does not depend on the number of threads.
///
/// # Errors
/// NaN: names the first such cell of a matrix.
pub(super) fn rank_targets<T: Scalar>(
    source: &dyn Source<T>,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<TargetRanks>>> {
    let direction = source.row_direction().unwrap_or(Direction::I2t);
    let rows = Queries { source, direction };
    let len = |direction| source.side_len(direction);
    let queries = PerDirection::from_fn(|direction| queries_with_targets(&targets[direction]));
    let apart: [usize; 2] =
        Direction::both(|direction| queries[direction].len() * len(direction.flipped()));
    let is_most = apart.iter().sum::<usize>() > len(direction) * len(direction.flipped());
    // If few queries have targets, only their scores are computed.
    if source.row_direction().is_some() || (source.is_symmetric() && is_most) {
        let all: Vec<usize> = (0..len(direction)).collect();
        token.announce(all.len());
        return Pass::new(rows, &all, [&targets[direction], &targets[direction.flipped()]], folds)
            .run(token);
    }
    token.announce(queries.i2t.len() + queries.t2i.len());
    let mut counted: PerDirection<TargetRanks> = PerDirection::default();
    for direction in Direction::BOTH {
        let none = PairSet::without_targets(len(direction.flipped()));
        let sets = [&targets[direction], &none];
        let pass = Pass::new(Queries { source, direction }, &queries[direction], sets, folds);
        let Some(mut found) = pass.run(token)? else { return Ok(None) };
        counted[direction] = std::mem::take(&mut found[direction]);
    }
    Ok(Some(counted))
}

/// Indices of the queries that have a target, ascending.
fn queries_with_targets(set: &PairSet) -> Vec<usize> {
    let queries = 0..set.query_count();
    queries.filter(|&query| !set.items(query).is_empty()).collect()
}

/// The scores at these pairs of row and column, which are sorted by row; in their order.
fn look_up<T: Scalar>(rows: Queries<'_, T>, pairs: &[(u32, u32)]) -> Vec<T> {
    let of_rows: Vec<&[(u32, u32)]> = pairs.chunk_by(|one, next| one.0 == next.0).collect();
    let of_row = |pairs: &&[(u32, u32)]| {
        let columns: Vec<u32> = pairs.iter().map(|&(_, column)| column).collect();
        rows.source.item_scores(rows.direction, pairs[0].0 as usize, &columns)
    };
    parallel::map(&of_rows, of_row).concat()
}

const NO_PANIC: &str = "no task panics while it holds this";

/// Data of all tasks of a pass.
struct Pass<'a, T> {
    rows: Queries<'a, T>,
    /// Computes the scores of some rows; `None` for files.
    blocks: Option<Blocks<'a, T>>,
    row_len: usize,
    /// The rows to read; all of them if columns have targets.
    queries: &'a [usize],
    /// Targets of the queries that are rows.
    by_row: &'a PairSet,
    columns: Columns<T>,
    folds: Option<Folds>,
    /// The fold and the columns of each tile, from left to right.
    tiles: Vec<(usize, Range<usize>)>,
    /// Unused buffers for computed rows.
    spare: Mutex<Vec<Vec<T>>>,
}

/// Numbers of scores that outrank the target of each slot, by fold of the rows.
type Sums = Mutex<Vec<Vec<u32>>>;

/// Where the scores of a task's rows are.
pub(super) enum Rows<'a, T> {
    /// In one file, or in two that are mixed.
    InPlace(&'a dyn Source<T>),
    /// In memory, computed; with the length of a row and the index of the first row.
    Held(Vec<T>, usize, usize),
}

impl<T: Scalar> Rows<'_, T> {
    /// The scores of a row in these columns; decoded into `buffer` if the file has another form.
    #[inline]
    fn segment<'a>(
        &'a self,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Buffer<T>,
    ) -> &'a [T] {
        match self {
            Rows::InPlace(source) => source.segment(row, columns, buffer),
            Rows::Held(cells, len, first) => &cells[(row - first) * len..][..*len][columns],
        }
    }

    /// One score.
    #[inline]
    pub(super) fn cell(&self, row: usize, column: usize, buffer: &mut Buffer<T>) -> T {
        self.segment(row, column..column + 1, buffer)[0]
    }
}

/// State of a task between blocks.
struct State<'a, T> {
    rows: RowCount<'a, T>,
    columns: ColumnCount<'a, T>,
    /// Decoded tiles, if the file's own bytes are not usable directly.
    buffers: [Buffer<T>; ROWS],
    ranks: TargetRanks,
}

impl<'a, T: Scalar> Pass<'a, T> {
    fn new(
        rows: Queries<'a, T>,
        queries: &'a [usize],
        [by_row, by_column]: [&'a PairSet; 2],
        folds: Option<Folds>,
    ) -> Self {
        let row_len = rows.source.side_len(rows.direction.flipped());
        let is_computed = rows.source.row_direction().is_none();
        Pass {
            rows,
            blocks: is_computed.then(|| rows.source.blocks(rows.direction)),
            row_len,
            queries,
            by_row,
            columns: Columns::new([queries.len(), row_len], by_column, |pairs| {
                look_up(rows, pairs)
            }),
            folds,
            tiles: cut_at_folds(folds, row_len, TILE),
            spare: Mutex::default(),
        }
    }

    /// Runs all tasks; `None` if cancelled. The error is the first NaN.
    fn run(&self, token: &CancelToken) -> Result<Option<PerDirection<TargetRanks>>> {
        let step = match self.blocks {
            Some(_) => self.rows.step(),
            None => TASK_CELLS / self.row_len.max(1),
        };
        // Column targets are counted by fold of the rows: no task may cross folds.
        let folds = self.folds.filter(|_| !self.columns.slots.is_empty());
        let tasks = cut_at_folds(folds, self.queries.len(), step.max(ROWS));
        let sums = Mutex::new(vec![
            vec![0; self.columns.slots.len()];
            folds.map_or(1, |folds| folds.count)
        ]);
        let done = parallel::try_map(&tasks, |(fold, rows)| {
            if token.is_cancelled() {
                return Ok(None);
            }
            let ranks = self.run_task(*fold, rows.clone(), &sums);
            token.advance(rows.len());
            ranks.map(Some)
        });
        let done: Vec<Option<TargetRanks>> =
            done.map_err(|row: usize| self.rows.nan_error(self.queries[row]))?;
        let Some(of_rows) = done.into_iter().collect::<Option<Vec<TargetRanks>>>() else {
            return Ok(None);
        };
        let sums = sums.into_inner().expect(NO_PANIC);
        let mut result = PerDirection::default();
        result[self.rows.direction] = TargetRanks::concatenate(of_rows);
        result[self.rows.direction.flipped()] = self.columns.ranks(&sums, self.folds);
        Ok(Some(result))
    }

    /// Ranks the targets of some rows of one fold, and adds their counts for the targets of all columns to `sums`. The
    /// error is a row with NaN.
    fn run_task(
        &self,
        fold: usize,
        rows: Range<usize>,
        sums: &Sums,
    ) -> std::result::Result<TargetRanks, usize> {
        let mut scores = Rows::InPlace(self.rows.source);
        if let Some(blocks) = &self.blocks {
            let mut cells = self.spare.lock().expect(NO_PANIC).pop().unwrap_or_default();
            cells.resize(rows.len() * self.row_len, T::zero());
            blocks(&self.queries[rows.clone()], &mut cells);
            scores = Rows::Held(cells, self.row_len, rows.start);
        }
        let mut state = State {
            rows: RowCount::new(self.by_row, self.folds, self.row_len),
            columns: ColumnCount::from_row(&self.columns, rows.start),
            buffers: Default::default(),
            ranks: TargetRanks::default(),
        };
        for start in rows.clone().step_by(ROWS) {
            self.count_block(&scores, start..rows.end.min(start + ROWS), &mut state)?;
        }
        state.columns.add_to(&mut sums.lock().expect(NO_PANIC)[fold]);
        if let Rows::Held(cells, ..) = scores {
            self.spare.lock().expect(NO_PANIC).push(cells);
        }
        Ok(state.ranks)
    }

    /// Ranks the targets of up to [`ROWS`] rows, and adds their counts for the targets of all columns, in `state`. The
    /// error is a row with NaN.
    fn count_block(
        &self,
        scores: &Rows<'_, T>,
        rows: Range<usize>,
        state: &mut State<'_, T>,
    ) -> std::result::Result<(), usize> {
        let absent = [T::UNREACHABLE; TILE];
        let mut cell = Buffer::default();
        let queries = self.queries[rows.clone()].iter().copied();
        state.rows.begin(queries, |at, column| scores.cell(rows.start + at, column, &mut cell));
        for (fold, columns) in &self.tiles {
            let mut tile: [&[T]; ROWS] = [&absent[..columns.len()]; ROWS];
            for (at, buffer) in state.buffers[..rows.len()].iter_mut().enumerate() {
                let row = rows.start + at;
                let run = scores.segment(row, columns.clone(), buffer);
                if has_nan(run) {
                    return Err(row);
                }
                state.rows.count_run(at, columns.start, run, *fold);
                tile[at] = run;
            }
            state.columns.count_tile(columns.start, tile);
        }
        state.rows.finish(&mut state.ranks);
        state.columns.finish(scores, rows);
        Ok(())
    }
}

/// Cuts `0..len` at folds, and each fold into equal parts of up to `max_len`, in whole blocks if possible. Returns each
/// part with its fold.
fn cut_at_folds(folds: Option<Folds>, len: usize, max_len: usize) -> Vec<(usize, Range<usize>)> {
    let folds = folds.unwrap_or(Folds { count: 1 });
    let mut parts = Vec::new();
    for fold in 0..folds.count {
        let Range { mut start, end } = folds.range(fold, len);
        let count = (end - start).div_ceil(max_len).max(1);
        let step = (end - start).div_ceil(count).next_multiple_of(ROWS);
        while start < end {
            let stop = end.min(start + step.min(max_len));
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
            let parts = cut_at_folds(Some(folds), len, longest);
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
