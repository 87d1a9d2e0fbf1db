//! Cells that are no numbers, named for people.

use std::ops::Range;

use multiversion::multiversion;

use super::matrix::{Rows, ScoreMatrix};
use super::{Blocks, Mixture, Scalar, Scores};
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
pub(super) fn has_nan<T: Scalar>(run: &[T]) -> bool {
    let found = run.iter().fold(0, |found, score| found | u32::from(!score.is_number()));
    found != 0
}

impl Scores {
    /// The first NaN that rankings of some queries would meet, as an error, as counting ranks tells it: one
    /// of the file, whichever query has it, or among what is computed for these queries.
    pub fn nan_error_of(&self, direction: Direction, queries: &[usize]) -> Option<Error> {
        if let Some(error) = self.nan_error(direction) {
            return Some(error);
        }
        match self {
            Scores::Embeddings(embeddings) => embeddings.nan_error_among(direction, queries),
            Scores::Mixture(mixture) => match mixture.as_ref() {
                Mixture::Blocks(blocks) => blocks.nan_error_among(direction, queries),
                Mixture::Matrices(_) => None,
            },
            _ => None,
        }
    }

    /// The first NaN of the file that a direction is of, as an error; `None` where there is none.
    /// Products of embeddings tell theirs when they are made.
    pub fn nan_error(&self, direction: Direction) -> Option<Error> {
        match self {
            Scores::Mixture(mixture) => match mixture.as_ref() {
                Mixture::Matrices(matrices) => matrices.nan_error(),
                Mixture::Blocks(blocks) => blocks.nan_error(direction),
            },
            _ => self.matrix(direction)?.nan_error(),
        }
    }

    /// The first infinity of the file that a direction is of, as an error; `None` where there is none. Scores may be
    /// infinite; similarities are summed.
    pub fn infinity_error(&self, direction: Direction) -> Option<Error> {
        self.matrix(direction)?.infinity_error()
    }
}

impl ScoreMatrix {
    /// The first cell with NaN, in the order of the file and named as there, as an error; `None` where
    /// there is none.
    pub fn nan_error(&self) -> Option<Error> {
        let [row, column] = self.first_nan()?;
        let cell = self.rows().cell(row, column);
        Some(
            Error::new(self.npy().source().display(), format!("NaN at {cell}"))
                .expected("a number or an infinity in every cell")
                .mend("find where the model's score becomes NaN; numpy.nan_to_num(scores, nan=-numpy.inf) ranks such cells last"),
        )
    }

    /// The first cell with an infinity, as an error; `None` where there is none.
    fn infinity_error(&self) -> Option<Error> {
        let ([row, column], value) = self.first_cell(f64::is_infinite)?;
        let cell = self.rows().cell(row, column);
        let sign = if value > 0.0 { '+' } else { '-' };
        Some(
            Error::new(
                self.npy().source().display(),
                format!("{sign}infinity at {cell}"),
            )
            .expected("a finite similarity of every pair: they are summed")
            .mend("a number for such pairs; where nothing in common is meant: numpy.where(numpy.isfinite(phi), phi, 0)"),
        )
    }

    /// Row and column in the file of the first cell with NaN.
    pub(super) fn first_nan(&self) -> Option<[usize; 2]> {
        self.first_cell(f64::is_nan).map(|(cell, _)| cell)
    }

    /// The first cell of a kind in the order of the file: its row and column there, and its value.
    fn first_cell(&self, is_it: fn(f64) -> bool) -> Option<([usize; 2], f64)> {
        let first_of = |mut rows: Range<usize>| {
            let mut buffer = Vec::new();
            rows.find_map(|row| {
                let scores = self.row_f64(row, &mut buffer);
                let column = scores.iter().position(|&score| is_it(score))?;
                Some((row, column, scores[column]))
            })
        };
        let (row, column, value) = parallel::find_first(self.row_count(), first_of)?;
        Some(([self.across().stored(row), self.along().stored(column)], value))
    }
}

impl Rows {
    /// A place in a file with such rows, in words.
    pub(super) fn cell(self, row: usize, column: usize) -> String {
        let (image, caption) = match self {
            Rows::Images => (row, column),
            Rows::Captions => (column, row),
        };
        format!("image {}, caption {} (counted from 0)", grouped(image), grouped(caption))
    }
}
