//! Cells that are no numbers, named for people.

use multiversion::multiversion;
use rayon::prelude::*;

use super::matrix::{Rows, ScoreMatrix};
use super::{Scalar, Scores};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::error::Error;

/// Whether any score is NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub(super) fn has_nan<T: Scalar>(run: &[T]) -> bool {
    let found = run
        .iter()
        .fold(0, |found, score| found | u32::from(!score.is_number()));
    found != 0
}

/// Finite embeddings can still overflow.
pub fn product_error(direction: Direction, query: usize) -> Error {
    Error::new(
        "embeddings",
        format!(
            "the products of {direction} query {} are not numbers",
            grouped(query)
        ),
    )
    .expected("embeddings whose dot products are finite")
    .mend("--cosine scales them to length one")
}

impl Scores {
    /// The first NaN that rankings of some queries would meet, as an error, as counting ranks tells it: one
    /// of the file, whichever query has it, or among the products of these queries.
    pub fn nan_error_of(&self, direction: Direction, queries: &[usize]) -> Option<Error> {
        if let Some(error) = self.nan_error(direction) {
            return Some(error);
        }
        let Scores::Embeddings(embeddings) = self else {
            return None;
        };
        let has_nan = |query: &usize| has_nan(&embeddings.of_query(direction, *query));
        let found = queries.iter().copied().find(has_nan);
        found.map(|query| product_error(direction, query))
    }

    /// The first NaN of the file that a direction is of, as an error; `None` where there is none.
    /// Products of embeddings tell theirs when they are made.
    pub fn nan_error(&self, direction: Direction) -> Option<Error> {
        match self {
            Scores::Mixture(mixture) => mixture.nan_error(),
            _ => self.matrix(direction)?.nan_error(),
        }
    }
}

impl ScoreMatrix {
    /// The first cell with NaN, in the order of the file and named as there, as an error; `None` where
    /// there is none.
    pub fn nan_error(&self) -> Option<Error> {
        let nan_of = |buffer: &mut Vec<f64>, row| {
            let mut scores = self.row_f64(row, buffer).iter();
            Some((row, scores.position(|score| score.is_nan())?))
        };
        let rows = (0..self.row_count()).into_par_iter();
        let found = rows.map_init(Vec::new, nan_of);
        let (row, column) = found.find_first(Option::is_some)??;
        let (row, column) = (self.across().stored(row), self.along().stored(column));
        Some(
            Error::new(
                self.npy().source().display(),
                format!("NaN at {}", self.rows().cell(row, column)),
            )
            .expected("a number or an infinity in every cell")
            .mend("find where the model's score becomes NaN; numpy.nan_to_num(scores, nan=-numpy.inf) ranks such cells last"),
        )
    }
}

impl Rows {
    /// A place in a file with such rows, in words.
    pub(super) fn cell(self, row: usize, column: usize) -> String {
        let (image, caption) = match self {
            Rows::Images => (row, column),
            Rows::Captions => (column, row),
        };
        format!(
            "image {}, caption {} (counted from 0)",
            grouped(image),
            grouped(caption)
        )
    }
}
