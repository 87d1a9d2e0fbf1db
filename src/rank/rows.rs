//! Ranks of the targets in some rows of the file, counted tile by tile.

use std::ops::Range;

use super::kernel::{self, GROUP, ROWS, Score};
use super::targets::PairSet;
use super::{Counted, Folds};
use crate::data::scores::ScoreMatrix;

/// The targets of a block of rows, and what was counted of them so far.
pub struct RowCount<'a, T> {
    matrix: &'a ScoreMatrix,
    targets: &'a PairSet,
    /// The rows of the block.
    rows: Range<usize>,
    /// One for each target of the block, in the order of the [`PairSet`].
    thresholds: Vec<T>,
    /// Scores that outrank each target, the target itself included.
    all: Vec<u32>,
    /// The same within the fold of the row.
    in_fold: Vec<u32>,
    /// First target of each row that lies in no tile so far.
    next: [usize; ROWS],
}

impl<'a, T: Score> RowCount<'a, T> {
    /// Counts `targets`, the queries of which are rows of `matrix`.
    pub fn new(matrix: &'a ScoreMatrix, targets: &'a PairSet) -> Self {
        RowCount {
            matrix,
            targets,
            rows: 0..0,
            thresholds: Vec::new(),
            all: Vec::new(),
            in_fold: Vec::new(),
            next: [0; ROWS],
        }
    }

    /// Turns to the next block of up to [`ROWS`] rows.
    pub fn begin(&mut self, rows: Range<usize>) {
        self.thresholds.clear();
        let mut buffer = Vec::new();
        for (next, row) in self.next.iter_mut().zip(rows.clone()) {
            *next = self.thresholds.len();
            let scores = self.targets.items(row).iter();
            let scores =
                scores.map(|&column| T::cell(self.matrix, row, column as usize, &mut buffer));
            self.thresholds.extend(scores);
        }
        self.rows = rows;
        self.all.clear();
        self.all.resize(self.thresholds.len(), 0);
        self.in_fold.clear();
        self.in_fold.resize(self.thresholds.len(), 0);
    }

    /// Where the block's arrays hold the targets of its row `at`.
    fn span(&self, at: usize) -> Range<usize> {
        let first = self.targets.range(self.rows.start).start;
        let Range { start, end } = self.targets.range(self.rows.start + at);
        start - first..end - first
    }

    /// Counts the part of row `at` of the block that begins at column `start`; `own` says that it
    /// lies in the fold of the row.
    pub fn add(&mut self, at: usize, start: usize, run: &[T], own: bool) {
        let span = self.span(at);
        for group in span.clone().step_by(GROUP) {
            let group = group..span.end.min(group + GROUP);
            let given = &self.thresholds[group.clone()];
            let thresholds =
                std::array::from_fn(|k| given.get(k).copied().unwrap_or(T::UNREACHABLE));
            let counts = kernel::count_reaching(run, thresholds);
            for (slot, count) in group.zip(counts) {
                self.all[slot] += count;
                self.in_fold[slot] += if own { count } else { 0 };
            }
        }
        self.pass_targets(at, start, run, own);
    }

    /// Targets within the part were counted as if they lay behind it: takes back what equal scores
    /// behind the target added, and raises these thresholds for the parts to come.
    fn pass_targets(&mut self, at: usize, start: usize, run: &[T], own: bool) {
        let items = self.targets.items(self.rows.start + at);
        let span = self.span(at);
        while self.next[at] < span.end {
            let slot = self.next[at];
            let behind = items[slot - span.start] as usize + 1 - start;
            if behind > run.len() {
                break;
            }
            let equal = kernel::count_equal(&run[behind..], self.thresholds[slot]);
            self.all[slot] -= equal;
            self.in_fold[slot] -= if own { equal } else { 0 };
            self.thresholds[slot] = self.thresholds[slot].above();
            self.next[at] += 1;
        }
    }

    /// Appends the ranks of the block, whose rows lie in fold `own`: the count, which has the target
    /// itself, is the rank.
    pub fn finish(&self, folds: Option<Folds>, own: usize, ranks: &mut Counted) {
        ranks.all.extend_from_slice(&self.all);
        let Some(folds) = folds else { return };
        let inside = folds.range(own, self.matrix.row_len());
        let items = self
            .rows
            .clone()
            .flat_map(|row| self.targets.items(row).iter());
        let in_fold = self.in_fold.iter().zip(items).map(|(&rank, &column)| {
            if inside.contains(&(column as usize)) {
                rank
            } else {
                0
            }
        });
        ranks.fold.extend(in_fold);
    }
}
