//! Scores in runs: a file, or a mixture of two.

use std::ops::Range;

use super::{Mixed, MixedMatrices, Rows, ScoreMatrix};
use crate::error::Error;

/// Scores in contiguous runs, read tile by tile.
pub trait Grid<T: Copy>: Sync {
    /// Room for a part of a run, kept from one to the next.
    type Buffer: Default;

    /// What a run stands for.
    fn rows(&self) -> Rows;
    /// Number of runs.
    fn row_count(&self) -> usize;
    /// Scores in a run.
    fn row_len(&self) -> usize;
    /// A part of a run.
    fn run<'a>(
        &'a self,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Self::Buffer,
    ) -> &'a [T];
    /// Where the first score that is no number stands, and how that is mended; asked once it is
    /// known that there is one.
    fn nan_error(&self) -> Error;

    /// One score.
    #[inline]
    fn cell(&self, row: usize, column: usize, buffer: &mut Self::Buffer) -> T {
        self.run(row, column..column + 1, buffer)[0]
    }
}

macro_rules! grid {
    ($scores:ty, $type:ty, $buffer:ty, $run:ident) => {
        impl Grid<$type> for $scores {
            type Buffer = $buffer;

            fn rows(&self) -> Rows {
                self.rows()
            }

            fn row_count(&self) -> usize {
                self.row_count()
            }

            fn row_len(&self) -> usize {
                self.row_len()
            }

            fn run<'a>(
                &'a self,
                row: usize,
                columns: Range<usize>,
                buffer: &'a mut $buffer,
            ) -> &'a [$type] {
                self.$run(row, columns, buffer)
            }

            fn nan_error(&self) -> Error {
                self.nan_error().expect("a task saw NaN")
            }
        }
    };
}

grid!(ScoreMatrix, f32, Vec<f32>, run_f32);
grid!(ScoreMatrix, f64, Vec<f64>, run_f64);
grid!(MixedMatrices, f64, Mixed, run);
