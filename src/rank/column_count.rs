//! Counting for the targets of columns while the rows go by.

use std::ops::Range;

use super::columns::Columns;
use super::kernel::{self, ROWS, Score};
use crate::data::scores::Grid;

/// Counts of one task, which goes through consecutive rows.
pub struct ColumnCount<'a, T> {
    layout: &'a Columns<T>,
    thresholds: Vec<T>,
    counts: Vec<u32>,
    /// Scores of the tail's columns, for each row of the block.
    tail: [Vec<T>; ROWS],
    /// How many columns of the tail are in `tail` already.
    brought: usize,
}

impl<'a, T: Score> ColumnCount<'a, T> {
    /// Ready to count from row `start` on: targets in rows before it have their threshold raised.
    pub fn at(layout: &'a Columns<T>, start: usize) -> Self {
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
            brought: 0,
        }
    }

    /// Counts a tile, which begins at column `start`. Tiles of a block come from left to right.
    pub fn add(&mut self, start: usize, tile: [&[T]; ROWS]) {
        let end = start + tile[0].len();
        for level in 0..self.layout.dense {
            let first = level * self.layout.columns;
            let slots = first + start..first + end;
            kernel::add_columns(tile, &self.thresholds[slots.clone()], &mut self.counts[slots]);
        }
        let rest = &self.layout.tail[self.brought..];
        let here = rest.partition_point(|&(column, _)| (column as usize) < end);
        for (brought, run) in self.tail.iter_mut().zip(tile) {
            for &(column, place) in &rest[..here] {
                brought[place as usize] = run[column as usize - start];
            }
        }
        self.brought += here;
    }

    /// Ends the block of `rows`, all tiles of which were added: counts the tail, and sees to the
    /// targets within the block.
    pub fn finish(&mut self, matrix: &impl Grid<T>, rows: Range<usize>) {
        let tail: [&[T]; ROWS] = self.tail.each_ref().map(Vec::as_slice);
        for slots in &self.layout.tail_levels {
            kernel::add_columns(
                tail,
                &self.thresholds[slots.clone()],
                &mut self.counts[slots.clone()],
            );
        }
        self.brought = 0;
        self.pass_targets(matrix, rows);
    }

    /// The thresholds of targets within the block were those for rows before them: takes back what
    /// equal scores from the target's own row on added, and raises these thresholds for good.
    fn pass_targets<G: Grid<T>>(&mut self, matrix: &G, rows: Range<usize>) {
        let mut buffer = G::Buffer::default();
        for row in rows.clone() {
            for &slot in self.layout.targets_in(row) {
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

    /// Adds what was counted to `sums`.
    pub fn add_to(&self, sums: &mut [u32]) {
        for (sum, count) in sums.iter_mut().zip(&self.counts) {
            *sum += count;
        }
    }
}
