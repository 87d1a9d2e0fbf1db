//! Cells that are no numbers, named for people.

use super::matrix::{Rows, ScoreMatrix};
use crate::data::text::grouped;
use crate::error::Error;

impl ScoreMatrix {
    /// The first cell with NaN, in the order of the file and named as there, as an error; `None` where
    /// there is none.
    pub fn nan_error(&self) -> Option<Error> {
        let mut buffer = Vec::new();
        let (row, column) = (0..self.row_count()).find_map(|row| {
            let mut scores = self.row_f64(row, &mut buffer).iter();
            Some((row, scores.position(|score| score.is_nan())?))
        })?;
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
