//! Errors for NaN and infinity in scores.

use std::ops::Range;

use multiversion::multiversion;

use super::{Form, Scalar, ScoreMatrix, Scores};
use crate::data::Direction;
use crate::data::parallel;
use crate::data::text::grouped;
use crate::error::Error;

/// Whether any score is NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn has_nan<T: Scalar>(run: &[T]) -> bool {
    let found = run.iter().fold(0, |found, score| found | u32::from(score.is_nan()));
    found != 0
}

impl Scores {
    /// The error of the first NaN that rankings of some queries would meet, as in counting ranks: one of the file,
    /// whichever query has it, or among scores computed for these queries.
    pub fn nan_error_of(&self, direction: Direction, queries: &[usize]) -> Option<Error> {
        match self.by_query(direction).form {
            Form::Single(all) => all.source.nan_error(direction, queries),
            Form::Double(all) => all.source.nan_error(direction, queries),
            Form::Lists(_) => None,
        }
    }

    /// The error of the first NaN of a direction's file; `None` if there is none. Computed scores are checked when they
    /// are computed.
    pub fn nan_error(&self, direction: Direction) -> Option<Error> {
        self.nan_error_of(direction, &[])
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
        let found = format!("NaN at {}", cell(self.rows, row, column));
        Some(
            Error::new(self.npy.source().display(), found)
                .expected("a number or an infinity in every cell")
                .mend("find where the model's score becomes NaN; numpy.nan_to_num(scores, nan=-numpy.inf) ranks such cells last"),
        )
    }

    /// The error of the first infinity; `None` if there is none.
    fn infinity_error(&self) -> Option<Error> {
        let ([row, column], value) = self.first_cell(f64::is_infinite)?;
        let sign = if value > 0.0 { '+' } else { '-' };
        let found = format!("{sign}infinity at {}", cell(self.rows, row, column));
        Some(
            Error::new(self.npy.source().display(), found)
                .expected("a finite similarity of every pair: they are summed")
                .mend("a number for such pairs; where nothing in common is meant: numpy.where(numpy.isfinite(phi), phi, 0)"),
        )
    }

    /// The first matching cell in the order of the file, in words, and its value.
    pub(crate) fn first_named(&self, is_it: impl Fn(f64) -> bool + Sync) -> Option<(String, f64)> {
        let ([row, column], value) = self.first_cell(is_it)?;
        Some((cell(self.rows, row, column), value))
    }

    /// The first matching cell in the order of the file: row, column and value.
    pub(super) fn first_cell(
        &self,
        is_it: impl Fn(f64) -> bool + Sync,
    ) -> Option<([usize; 2], f64)> {
        let first_of = |mut rows: Range<usize>| {
            let mut buffer = Vec::new();
            rows.find_map(|row| {
                let scores = self.row_f64(row, &mut buffer);
                let column = scores.iter().position(|&score| is_it(score))?;
                Some((row, column, scores[column]))
            })
        };
        let (row, column, value) = parallel::find_first(self.row_count(), first_of)?;
        let place = |side: Direction, at| self.picks[side].stored(at);
        Some(([place(self.rows, row), place(self.rows.flipped(), column)], value))
    }
}

/// A cell of a file with such rows, in words.
pub(super) fn cell(rows: Direction, row: usize, column: usize) -> String {
    let (image, caption) = rows.query_and_item(row, column);
    format!("image {}, caption {} (counted from 0)", grouped(image), grouped(caption))
}
