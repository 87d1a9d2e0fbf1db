//! The targets of the queries that are columns of the file, laid out for counting row by row.
//!
//! Level k holds the k-th target of every column that has one. The first levels, which most columns have, are *dense*:
//! one slot for each column, in the order of the file. The columns with more targets than that are the *tail*: their
//! scores are gathered once for each row, those with most targets first, so that each further level is a prefix of the
//! tail. Every loop over slots is thus a loop over contiguous memory.

use std::ops::Range;

use super::pass::Rows;
use super::targets::PairSet;
use super::{Folds, TargetRanks};
use crate::data::scores::{Buffer, Scalar};
use itm_explore_kernels::ROWS;

/// Layout of the targets of all columns in slots, with the score of each target.
pub struct Columns<T> {
    /// Number of columns of the file.
    pub columns: usize,
    /// Number of rows of the file.
    row_count: usize,
    /// Number of the first levels, which have a slot for every column.
    pub dense: usize,
    /// The columns of the tail, ascending, each with its index in the levels of the tail.
    pub tail: Vec<(u32, u32)>,
    /// The slots of each level of the tail, parallel to its columns.
    pub tail_levels: Vec<Range<usize>>,
    /// Target of each slot.
    pub slots: Vec<Slot>,
    /// Score of each slot's target; unreachable for padding.
    pub scores: Vec<T>,
    /// The next number above each score: the target's threshold from its own row on.
    pub above: Vec<T>,
    /// Row of each slot's target; [`PADDING`] for none.
    pub rows: Vec<u32>,
    /// Slots sorted by their targets' rows.
    by_row: Vec<u32>,
    /// Start of the slots of each row in `by_row`, and the end of the last.
    starts: Vec<u32>,
    /// Number of targets.
    pair_count: usize,
}

/// The column of a slot, and its target.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// The column.
    pub column: u32,
    /// Index of the target in the [`PairSet`]; [`PADDING`] without target.
    pub pair: u32,
}

/// Row and pair of a slot without target.
const PADDING: u32 = u32::MAX;
/// Cost of gathering a score of the tail, in comparisons of a dense level.
const GATHER_COST: usize = 24;

impl<T: Scalar> Columns<T> {
    /// Lays out the targets of a file with these numbers of rows and columns. `look_up` gives the scores at pairs of
    /// row and column, which are sorted by row.
    pub fn new(
        [row_count, columns]: [usize; 2],
        targets: &PairSet,
        look_up: impl FnOnce(&[(u32, u32)]) -> Vec<T>,
    ) -> Self {
        let levels = level_sizes(targets);
        let dense = dense_levels(&levels, columns);
        let mut layout = Columns {
            columns,
            row_count,
            dense,
            tail: Vec::new(),
            tail_levels: tail_levels(&levels[dense..], dense * columns),
            slots: Vec::new(),
            scores: Vec::new(),
            above: Vec::new(),
            rows: Vec::new(),
            by_row: Vec::new(),
            starts: Vec::new(),
            pair_count: targets.len(),
        };
        layout.lay_out(targets);
        layout.sort_by_row();
        layout.set_scores(look_up);
        layout
    }

    /// Fills the tail, the slots of all levels, and the row and pair of each slot's target.
    fn lay_out(&mut self, targets: &PairSet) {
        let is_in_tail = |column: &u32| targets.range(*column as usize).len() > self.dense;
        let mut tail: Vec<u32> = (0..self.columns as u32).filter(is_in_tail).collect();
        tail.sort_by_key(|&column| std::cmp::Reverse(targets.range(column as usize).len()));
        self.tail = tail.iter().copied().zip(0..).collect();
        let empty = |column| Slot { column, pair: PADDING };
        for _ in 0..self.dense {
            self.slots.extend((0..self.columns as u32).map(empty));
        }
        for level in &self.tail_levels {
            self.slots.extend(tail[..level.len()].iter().map(|&column| empty(column)));
        }
        self.rows = vec![PADDING; self.slots.len()];
        for column in 0..self.columns {
            for level in 0..self.dense.min(targets.range(column).len()) {
                self.set_target(level * self.columns + column, level, targets);
            }
        }
        for at in 0..self.tail_levels.len() {
            for slot in self.tail_levels[at].clone() {
                self.set_target(slot, self.dense + at, targets);
            }
        }
        self.tail.sort_unstable();
    }

    /// Assigns the target of a slot: number `level` of the targets of its column.
    fn set_target(&mut self, slot: usize, level: usize, targets: &PairSet) {
        let column = self.slots[slot].column as usize;
        self.slots[slot].pair = (targets.range(column).start + level) as u32;
        self.rows[slot] = targets.items(column)[level];
    }

    /// Sorts the slots by the row of their target, by counting.
    fn sort_by_row(&mut self) {
        let filled = |row: &&u32| **row != PADDING;
        self.starts = vec![0; self.row_count + 1];
        for &row in self.rows.iter().filter(filled) {
            self.starts[row as usize + 1] += 1;
        }
        for row in 0..self.row_count {
            self.starts[row + 1] += self.starts[row];
        }
        let mut next = self.starts.clone();
        self.by_row = vec![0; self.pair_count];
        for (slot, &row) in self.rows.iter().enumerate() {
            if row != PADDING {
                let place = &mut next[row as usize];
                self.by_row[*place as usize] = slot as u32;
                *place += 1;
            }
        }
    }

    /// Sets the scores of all targets, and the next number above each.
    fn set_scores(&mut self, look_up: impl FnOnce(&[(u32, u32)]) -> Vec<T>) {
        let pair = |&slot: &u32| (self.rows[slot as usize], self.slots[slot as usize].column);
        let scores = look_up(&self.by_row.iter().map(pair).collect::<Vec<_>>());
        self.scores = vec![T::UNREACHABLE; self.slots.len()];
        self.above = self.scores.clone();
        for (&slot, score) in self.by_row.iter().zip(scores) {
            self.scores[slot as usize] = score;
            self.above[slot as usize] = score.above();
        }
    }

    /// The slots with a target in `row`.
    pub fn slots_in_row(&self, row: usize) -> &[u32] {
        &self.by_row[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Ranks of all targets in the order of the [`PairSet`]. `by_fold` has the number of scores that outrank the target
    /// of each slot, by fold of the rows.
    pub fn ranks(&self, by_fold: &[Vec<u32>], folds: Option<Folds>) -> TargetRanks {
        let mut ranks = TargetRanks {
            all: vec![0; self.pair_count],
            fold: vec![0; folds.map_or(0, |_| self.pair_count)],
            ..TargetRanks::default()
        };
        for &slot in &self.by_row {
            let slot = slot as usize;
            let Slot { column, pair } = self.slots[slot];
            let outranking: u32 = by_fold.iter().map(|counts| counts[slot]).sum();
            ranks.all[pair as usize] = outranking + 1;
            let Some(folds) = folds else { continue };
            let own = folds.fold(column as usize, self.columns);
            if own == folds.fold(self.rows[slot] as usize, self.row_count) {
                ranks.fold[pair as usize] = by_fold[own][slot] + 1;
            }
        }
        ranks
    }
}

/// Number of columns that have a target at each level.
fn level_sizes(targets: &PairSet) -> Vec<usize> {
    let mut sizes = Vec::new();
    for column in 0..targets.query_count() {
        let len = targets.range(column).len();
        sizes.resize(sizes.len().max(len), 0);
        sizes[..len].iter_mut().for_each(|size| *size += 1);
    }
    sizes
}

/// The number of dense levels at which a row needs the fewest comparisons. `level_sizes`: number of columns that reach
/// each level, descending.
fn dense_levels(level_sizes: &[usize], columns: usize) -> usize {
    let cost = |dense: &usize| {
        let tail = &level_sizes[*dense..];
        dense * columns + GATHER_COST * tail.first().unwrap_or(&0) + tail.iter().sum::<usize>()
    };
    (0..=level_sizes.len()).min_by_key(cost).unwrap_or(0)
}

/// The slots of consecutive levels of these sizes; the first begins at slot `start`.
fn tail_levels(sizes: &[usize], mut start: usize) -> Vec<Range<usize>> {
    let level = |&size: &usize| {
        start += size;
        start - size..start
    };
    sizes.iter().map(level).collect()
}

/// Numbers of scores that outrank each target, counted by one task in consecutive rows.
pub struct ColumnCount<'a, T> {
    layout: &'a Columns<T>,
    /// Lowest score of the current row that outranks the target of each slot.
    thresholds: Vec<T>,
    /// Number of scores that outrank the target of each slot so far.
    counts: Vec<u32>,
    /// Scores of the tail's columns, for each row of the block.
    tail: [Vec<T>; ROWS],
    /// Number of columns of the tail already in `tail`.
    gathered: usize,
}

impl<'a, T: Scalar> ColumnCount<'a, T> {
    /// Counts of 0, for a task that begins at row `start`: targets in earlier rows win ties.
    pub fn from_row(layout: &'a Columns<T>, start: usize) -> Self {
        let scores = layout.scores.iter().zip(&layout.above);
        let raised = |((&score, &above), &row): ((&T, &T), &u32)| {
            if (row as usize) < start { above } else { score }
        };
        let width = layout.tail.len();
        ColumnCount {
            layout,
            thresholds: scores.zip(&layout.rows).map(raised).collect(),
            counts: vec![0; layout.slots.len()],
            tail: std::array::from_fn(|_| vec![T::UNREACHABLE; width]),
            gathered: 0,
        }
    }

    /// Counts the scores of a tile, whose first column is `start`. Tiles of a block come from left to right.
    pub fn count_tile(&mut self, start: usize, tile: [&[T]; ROWS]) {
        let end = start + tile[0].len();
        for level in 0..self.layout.dense {
            let first = level * self.layout.columns;
            let slots = first + start..first + end;
            (T::loops().add_reaching)(
                tile,
                &self.thresholds[slots.clone()],
                &mut self.counts[slots],
            );
        }
        let rest = &self.layout.tail[self.gathered..];
        let in_tile = rest.partition_point(|&(column, _)| (column as usize) < end);
        for (gathered, run) in self.tail.iter_mut().zip(tile) {
            for &(column, place) in &rest[..in_tile] {
                gathered[place as usize] = run[column as usize - start];
            }
        }
        self.gathered += in_tile;
    }

    /// Ends the block of `rows`, after all its tiles: counts the tail, and corrects the targets within the block.
    pub(super) fn finish(&mut self, matrix: &Rows<'_, T>, rows: Range<usize>) {
        let tail: [&[T]; ROWS] = self.tail.each_ref().map(Vec::as_slice);
        for slots in &self.layout.tail_levels {
            (T::loops().add_reaching)(
                tail,
                &self.thresholds[slots.clone()],
                &mut self.counts[slots.clone()],
            );
        }
        self.gathered = 0;
        self.correct_block(matrix, rows);
    }

    /// Corrects the counts of targets within the block, which were compared by the threshold for earlier rows:
    /// subtracts the equal scores from the target's own row on. Raises their thresholds for later rows.
    fn correct_block(&mut self, matrix: &Rows<'_, T>, rows: Range<usize>) {
        let mut buffer = Buffer::default();
        for row in rows.clone() {
            for &slot in self.layout.slots_in_row(row) {
                let slot = slot as usize;
                let column = self.layout.slots[slot].column as usize;
                let threshold = self.thresholds[slot];
                for later in row..rows.end {
                    let equal = matrix.cell(later, column, &mut buffer) == threshold;
                    self.counts[slot] -= u32::from(equal);
                }
                self.thresholds[slot] = self.layout.above[slot];
            }
        }
    }

    /// Adds the count of each slot to `sums`.
    pub fn add_to(&self, sums: &mut [u32]) {
        for (sum, count) in sums.iter_mut().zip(&self.counts) {
            *sum += count;
        }
    }
}
