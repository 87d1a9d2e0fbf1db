//! Cells that are no numbers, named for people.

use rayon::prelude::*;

use super::Scores;
use super::matrix::{Rows, ScoreMatrix};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::error::Error;

impl Scores {
    /// The first NaN of the file that a direction is of, as an error; `None` where there is none.
    /// Products of embeddings tell theirs when they are made.
    pub fn nan_error(&self, direction: Direction) -> Option<Error> {
        match self {
            Scores::Matrix(matrix) => matrix.nan_error(),
            Scores::Two(sides) => sides[direction].matrix.nan_error(),
            Scores::Mixture(mixture) => mixture.nan_error(),
            Scores::Embeddings(_) | Scores::Lists(_) => None,
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
