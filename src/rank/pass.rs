//! One streaming pass over a matrix: the rank of every target, in both directions.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::columns::{ColumnCount, ColumnSums, Columns};
use super::kernel::{self, ROWS, Score};
use super::rows::RowCount;
use super::targets::{PairSet, Targets};
use super::{Counted, Folds};
use crate::data::scores::{Rows, ScoreMatrix};
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// Rows that one task handles.
const TASK_ROWS: usize = 100;

/// Progress of a pass, and the wish to end it early; shared with whoever waits for it.
#[derive(Debug, Default)]
pub struct Watch {
    done: AtomicUsize,
    total: AtomicUsize,
    cancelled: AtomicBool,
}

impl Watch {
    /// Asks the pass to end as soon as it can.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Share of the rows done, 0 to 1.
    pub fn progress(&self) -> f64 {
        let total = self.total.load(Ordering::Relaxed).max(1);
        self.done.load(Ordering::Relaxed) as f64 / total as f64
    }

    /// Whether the wish to end was spoken.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Announces so many further rows.
    pub(super) fn announce(&self, rows: usize) {
        self.total.fetch_add(rows, Ordering::Relaxed);
    }

    /// Says that so many rows are done.
    pub(super) fn advance(&self, rows: usize) {
        self.done.fetch_add(rows, Ordering::Relaxed);
    }
}

/// Counts the rank of every target; `None` when it was cancelled.
///
/// The result does not depend on the number of threads.
///
/// # Errors
/// NaN in the matrix: the first such cell is named.
pub fn count(
    matrix: &ScoreMatrix,
    targets: &Targets,
    folds: Option<Folds>,
    watch: &Watch,
) -> Result<Option<PerDirection<Counted>>> {
    if matrix.is_double() {
        Pass::<f64>::new(matrix, targets, folds).run(watch)
    } else {
        Pass::<f32>::new(matrix, targets, folds).run(watch)
    }
}

/// What all tasks of a pass share.
struct Pass<'a, T> {
    matrix: &'a ScoreMatrix,
    /// Targets of the queries that are rows of the file.
    by_row: &'a PairSet,
    /// The direction of these queries.
    row_direction: Direction,
    columns: Columns<T>,
    folds: Option<Folds>,
}

impl<'a, T: Score> Pass<'a, T> {
    fn new(matrix: &'a ScoreMatrix, targets: &'a Targets, folds: Option<Folds>) -> Self {
        let row_direction = match matrix.rows() {
            Rows::Images => Direction::I2t,
            Rows::Captions => Direction::T2i,
        };
        let columns = Columns::new(matrix, &targets[row_direction.flipped()]);
        Pass {
            matrix,
            by_row: &targets[row_direction],
            row_direction,
            columns,
            folds,
        }
    }

    fn run(&self, watch: &Watch) -> Result<Option<PerDirection<Counted>>> {
        let tasks = self.tasks();
        watch.announce(self.matrix.row_count());
        let sums = Mutex::new(ColumnSums::new(self.columns.slots(), self.folds.is_some()));
        let done: Vec<Option<Counted>> = tasks
            .into_par_iter()
            .map(|(fold, rows)| {
                if watch.cancelled.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let len = rows.len();
                let ranks = self.task(fold, rows, &sums)?;
                watch.done.fetch_add(len, Ordering::Relaxed);
                Ok(Some(ranks))
            })
            .collect::<std::result::Result<_, usize>>()
            .map_err(|_| self.nan_error())?;
        let Some(of_rows) = done.into_iter().collect::<Option<Vec<Counted>>>() else {
            return Ok(None);
        };
        let sums = sums.into_inner().expect("no task panics while it adds");
        let mut result = PerDirection::default();
        result[self.row_direction] = concatenate(of_rows);
        result[self.row_direction.flipped()] = self.columns.ranks(&sums, self.folds);
        Ok(Some(result))
    }

    /// Runs of rows that lie in one fold.
    fn tasks(&self) -> Vec<(usize, Range<usize>)> {
        let rows = self.matrix.row_count();
        let folds = self.folds.unwrap_or(Folds { count: 1 });
        let mut tasks = Vec::new();
        for fold in 0..folds.count {
            let Range { mut start, end } = folds.range(fold, rows);
            while start < end {
                let stop = (start + TASK_ROWS).min(end);
                tasks.push((fold, start..stop));
                start = stop;
            }
        }
        tasks
    }

    /// Ranks the targets of some rows and counts these rows for every column's targets. The error
    /// is a row with NaN.
    fn task(
        &self,
        fold: usize,
        rows: Range<usize>,
        sums: &Mutex<ColumnSums>,
    ) -> std::result::Result<Counted, usize> {
        let mut ranks = Counted::default();
        let mut columns = ColumnCount::at(&self.columns, rows.start);
        let row_count = RowCount::new(self.folds, self.matrix.row_len());
        let mut buffers: [Vec<T>; ROWS] = Default::default();
        let mut start = rows.start;
        while start < rows.end {
            let stop = (start + ROWS).min(rows.end);
            let mut block: [&[T]; ROWS] = [&[]; ROWS];
            for (slot, (row, buffer)) in block.iter_mut().zip((start..stop).zip(&mut buffers)) {
                let scores = T::row(self.matrix, row, buffer);
                if kernel::has_nan(scores) {
                    return Err(row);
                }
                *slot = scores;
                row_count.rank(scores, self.by_row.items(row), fold, &mut ranks);
            }
            columns.add(start, block, stop - start);
            start = stop;
        }
        sums.lock()
            .expect("no task panics while it adds")
            .add(&columns, fold, self.folds);
        Ok(ranks)
    }

    /// The first cell with NaN, looked for once it is known that there is one.
    fn nan_error(&self) -> Error {
        let mut buffer = Vec::new();
        let first = (0..self.matrix.row_count()).find_map(|row| {
            let scores = T::row(self.matrix, row, &mut buffer);
            scores
                .iter()
                .position(|score| score.is_nan())
                .map(|column| (row, column))
        });
        let (row, column) = first.expect("a task saw NaN");
        let (image, caption) = match self.matrix.rows() {
            Rows::Images => (row, column),
            Rows::Captions => (column, row),
        };
        Error::new(
            self.matrix.npy().source().display(),
            format!("NaN at image {}, caption {} (counted from 0)", grouped(image), grouped(caption)),
        )
        .expected("a number or an infinity in every cell")
        .mend("find where the model's score becomes NaN; numpy.nan_to_num(scores, nan=-numpy.inf) ranks such cells last")
    }
}

fn concatenate(parts: Vec<Counted>) -> Counted {
    let mut whole = Counted::default();
    for part in parts {
        whole.all.extend(part.all);
        whole.fold.extend(part.fold);
    }
    whole
}
