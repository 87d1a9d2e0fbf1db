//! Ranks of the targets in the columns of the file, counted while the rows go by.

use std::ops::Range;

use super::kernel::{self, ROWS, Score};
use super::targets::PairSet;
use super::{Counted, Folds};
use crate::data::scores::ScoreMatrix;

/// The targets of the queries that are columns of the file, laid out for counting row by row.
///
/// Level k holds the k-th target of every column that has so many. A level of most columns is
/// counted densely (slot = column), a level of few through the list of its columns.
pub struct Columns<T> {
    levels: Vec<Level>,
    /// Score of each slot's target.
    scores: Vec<T>,
    /// Row of each slot's target; [`PADDING`] for none.
    rows: Vec<u32>,
    /// Place in the [`PairSet`] of each slot; [`PADDING`] for none.
    pairs: Vec<u32>,
    /// Slots by the row of their target.
    by_row: Vec<Vec<u32>>,
    columns: usize,
    row_count: usize,
    pair_count: usize,
}

struct Level {
    slots: Range<usize>,
    /// The columns of a sparse level; `None` for a dense one.
    listed: Option<Vec<u32>>,
}

impl Level {
    /// The slots of a range of columns.
    fn slots_of(&self, columns: &Range<usize>) -> Range<usize> {
        let place = |column: usize| match &self.listed {
            None => self.slots.start + column,
            Some(listed) => self.slots.start + listed.partition_point(|&c| (c as usize) < column),
        };
        place(columns.start)..place(columns.end)
    }
}

/// Row and pair of a slot without target.
const PADDING: u32 = u32::MAX;
/// A level with at least this share (1 / n) of the columns is counted densely.
const DENSE_SHARE: usize = 4;

impl<T: Score> Columns<T> {
    /// Lays out the targets and reads their scores.
    pub fn new(matrix: &ScoreMatrix, targets: &PairSet) -> Self {
        let columns = matrix.row_len();
        let mut layout = Columns {
            levels: Vec::new(),
            scores: Vec::new(),
            rows: Vec::new(),
            pairs: Vec::new(),
            by_row: vec![Vec::new(); matrix.row_count()],
            columns,
            row_count: matrix.row_count(),
            pair_count: targets.len(),
        };
        for level in 0.. {
            let with: Vec<u32> = (0..columns as u32)
                .filter(|&column| targets.range(column as usize).len() > level)
                .collect();
            if with.is_empty() {
                break;
            }
            layout.push_level(&with, level, targets);
        }
        layout.look_up_scores(matrix);
        layout
    }

    fn push_level(&mut self, with: &[u32], level: usize, targets: &PairSet) {
        let start = self.rows.len();
        let dense = with.len() * DENSE_SHARE >= self.columns;
        let len = if dense { self.columns } else { with.len() };
        self.rows.resize(start + len, PADDING);
        self.pairs.resize(start + len, PADDING);
        for (at, &column) in with.iter().enumerate() {
            let slot = start + if dense { column as usize } else { at };
            let pair = targets.range(column as usize).start + level;
            self.rows[slot] = targets.items(column as usize)[level];
            self.pairs[slot] = pair as u32;
        }
        let listed = (!dense).then(|| with.to_vec());
        self.levels.push(Level {
            slots: start..start + len,
            listed,
        });
    }

    /// Reads the score of every target, in the order of the file.
    fn look_up_scores(&mut self, matrix: &ScoreMatrix) {
        for (slot, &row) in self.rows.iter().enumerate() {
            if row != PADDING {
                self.by_row[row as usize].push(slot as u32);
            }
        }
        self.scores = vec![T::UNREACHABLE; self.rows.len()];
        let mut buffer = Vec::new();
        for (row, slots) in self
            .by_row
            .iter()
            .enumerate()
            .filter(|(_, slots)| !slots.is_empty())
        {
            let scores = T::row(matrix, row, &mut buffer);
            for &slot in slots {
                self.scores[slot as usize] = scores[self.column(slot as usize)];
            }
        }
    }

    /// Number of slots, padding included.
    pub fn slots(&self) -> usize {
        self.rows.len()
    }

    fn column(&self, slot: usize) -> usize {
        let level = self.levels.partition_point(|level| level.slots.end <= slot);
        let Level { slots, listed } = &self.levels[level];
        let at = slot - slots.start;
        listed.as_ref().map_or(at, |columns| columns[at] as usize)
    }

    /// Brings the sums into the order of the [`PairSet`], as ranks.
    pub fn ranks(&self, sums: &ColumnSums, folds: Option<Folds>) -> Counted {
        let one_fold = |slot: usize, folds: Folds| {
            let row = self.rows[slot] as usize;
            folds.fold(row, self.row_count) == folds.fold(self.column(slot), self.columns)
        };
        let mut ranks = Counted {
            all: vec![0; self.pair_count],
            ..Counted::default()
        };
        if folds.is_some() {
            ranks.fold = vec![0; self.pair_count];
        }
        for (slot, &pair) in self
            .pairs
            .iter()
            .enumerate()
            .filter(|(_, pair)| **pair != PADDING)
        {
            ranks.all[pair as usize] = sums.all[slot] + 1;
            if folds.is_some_and(|folds| one_fold(slot, folds)) {
                ranks.fold[pair as usize] = sums.fold[slot] + 1;
            }
        }
        ranks
    }
}

/// Counts of one task.
pub struct ColumnCount<'a, T> {
    layout: &'a Columns<T>,
    thresholds: Vec<T>,
    counts: Vec<u32>,
}

impl<'a, T: Score> ColumnCount<'a, T> {
    /// Ready to count from row `start` on: targets in rows before it have their threshold raised.
    pub fn at(layout: &'a Columns<T>, start: usize) -> Self {
        let raised = |(&score, &row): (&T, &u32)| {
            if (row as usize) < start {
                score.above()
            } else {
                score
            }
        };
        let thresholds = layout.scores.iter().zip(&layout.rows).map(raised).collect();
        ColumnCount {
            layout,
            thresholds,
            counts: vec![0; layout.slots()],
        }
    }

    /// Counts the first `len` rows of `block`, which begins at row `start`.
    pub fn add(&mut self, start: usize, block: [&[T]; ROWS], len: usize) {
        let missing = if len < ROWS { self.layout.columns } else { 0 };
        let unreachable = vec![T::UNREACHABLE; missing];
        let mut rows: [&[T]; ROWS] = block;
        rows[len..].fill(&unreachable);
        for level in &self.layout.levels {
            let thresholds = &self.thresholds[level.slots.clone()];
            let counts = &mut self.counts[level.slots.clone()];
            match &level.listed {
                None => kernel::add_columns(rows, thresholds, counts),
                Some(columns) => kernel::add_listed(rows, columns, thresholds, counts),
            }
        }
        self.pass_targets(start, &block[..len]);
    }

    /// The thresholds of targets within the block were those for rows before them: takes back what
    /// equal scores from the target's own row on added, and raises these thresholds for good.
    fn pass_targets(&mut self, start: usize, block: &[&[T]]) {
        for at in 0..block.len() {
            for &slot in &self.layout.by_row[start + at] {
                let slot = slot as usize;
                let (column, threshold) = (self.layout.column(slot), self.thresholds[slot]);
                let equal = block[at..]
                    .iter()
                    .filter(|row| row[column] == threshold)
                    .count();
                self.counts[slot] -= equal as u32;
                self.thresholds[slot] = threshold.above();
            }
        }
    }
}

/// Counts of all tasks so far.
pub struct ColumnSums {
    all: Vec<u32>,
    /// Counts over the rows of the column's own fold; empty without folds.
    fold: Vec<u32>,
}

impl ColumnSums {
    /// Nothing counted yet.
    pub fn new(slots: usize, folds: bool) -> Self {
        ColumnSums {
            all: vec![0; slots],
            fold: vec![0; if folds { slots } else { 0 }],
        }
    }

    /// Adds the counts of a task over rows of one fold.
    pub fn add<T: Score>(&mut self, task: &ColumnCount<T>, fold: usize, folds: Option<Folds>) {
        add_to(&mut self.all, &task.counts);
        let Some(folds) = folds else { return };
        let own = folds.range(fold, task.layout.columns);
        for level in &task.layout.levels {
            let inside = level.slots_of(&own);
            add_to(&mut self.fold[inside.clone()], &task.counts[inside]);
        }
    }
}

fn add_to(sums: &mut [u32], counts: &[u32]) {
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += count;
    }
}
