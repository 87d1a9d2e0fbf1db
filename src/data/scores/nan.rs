//! Errors for NaN and infinity in scores.

use std::ops::Range;

use super::{Form, Scalar, ScoreMatrix, Scores};
use crate::data::Direction;
use crate::data::parallel;
use crate::data::text::grouped;
use crate::error::Error;

/// Whether any score is NaN.
pub fn has_nan<T: Scalar>(run: &[T]) -> bool {
    (T::loops().has_nan)(run)
}

impl Scores {
    /// The error of the first NaN that matters to rankings of these queries: one anywhere in a matrix file, or among
    /// scores that are computed for the queries. `None` if there is none.
    pub fn query_nan_error(&self, direction: Direction, queries: &[usize]) -> Option<Error> {
        match self.by_query(direction).form {
            Form::Single(all) => all.source.nan_error(direction, queries),
            Form::Double(all) => all.source.nan_error(direction, queries),
            Form::Lists(_) => None,
        }
    }

    /// The error of the first NaN of a direction's file; `None` if there is none. Computed scores are checked when they
    /// are computed.
    pub fn nan_error(&self, direction: Direction) -> Option<Error> {
        self.query_nan_error(direction, &[])
    }

    /// The error of the first infinity of a direction's file; `None` if there is none. Scores may be infinite;
    /// similarities are summed.
    pub fn infinity_error(&self, direction: Direction) -> Option<Error> {
        self.matrix(direction)?.infinity_error()
    }
}

impl ScoreMatrix {
    /// The error of the first NaN, in the order of the file; `None` if there is none.
    pub fn nan_error(&self) -> Option<Error> {
        let ([row, column], _) = self.first_cell(f64::is_nan)?;
        let found = format!("NaN at {}", describe_cell(self.rows, row, column));
        Some(
            Error::new(self.npy.source().display(), found)
                .expected("a number or an infinity in every cell")
                .fix("find where the model's score becomes NaN; numpy.nan_to_num(scores, nan=-numpy.inf) ranks such cells last"),
        )
    }

    /// The error of the first infinity; `None` if there is none.
    fn infinity_error(&self) -> Option<Error> {
        let ([row, column], value) = self.first_cell(f64::is_infinite)?;
        let sign = if value > 0.0 { '+' } else { '-' };
        let found = format!("{sign}infinity at {}", describe_cell(self.rows, row, column));
        Some(
            Error::new(self.npy.source().display(), found)
                .expected("a finite similarity of every pair: they are summed")
                .fix("a number for such pairs; where nothing in common is meant: numpy.where(numpy.isfinite(phi), phi, 0)"),
        )
    }

    /// Describes the first cell that matches `test`, in the order of the file; `None` if no cell does.
    pub(crate) fn describe_first(&self, test: impl Fn(f64) -> bool + Sync) -> Option<String> {
        let ([row, column], _) = self.first_cell(test)?;
        Some(describe_cell(self.rows, row, column))
    }

    /// The first cell of the matrix that matches, in the order of the file: row and column in the file, and the value;
    /// `None` if no cell does.
    pub(super) fn first_cell(
        &self,
        test: impl Fn(f64) -> bool + Sync,
    ) -> Option<([usize; 2], f64)> {
        let first_in = |mut rows: Range<usize>| {
            let mut buffer = Vec::new();
            rows.find_map(|row| {
                let scores = self.row_f64(row, &mut buffer);
                let column = scores.iter().position(|&score| test(score))?;
                Some((row, column, scores[column]))
            })
        };
        let (row, column, value) = parallel::find_first(self.row_count(), first_in)?;
        let file_index = |side: Direction, at| self.subsets[side].file_index(at);
        Some(([file_index(self.rows, row), file_index(self.rows.flipped(), column)], value))
    }
}

/// Describes a cell of a matrix whose rows are the queries of direction `rows`.
pub(super) fn describe_cell(rows: Direction, row: usize, column: usize) -> String {
    let (image, caption) = rows.query_and_item(row, column);
    format!("image {}, caption {} (counted from 0)", grouped(image), grouped(caption))
}
