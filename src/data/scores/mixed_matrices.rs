//! Two matrices mixed, cell by cell, without a third one: a part of a run is computed when it is
//! needed.

use std::ops::Range;
use std::sync::Arc;

use super::mixture::{self, Term};
use super::{Rows, ScoreMatrix};
use crate::data::Direction;
use crate::error::Error;

/// The weighted sum of two matrices of the same gallery.
#[derive(Debug, Clone)]
pub struct MixedMatrices {
    pub(super) first: Part,
    pub(super) second: Part,
}

/// A matrix with what becomes of its scores.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub matrix: Arc<ScoreMatrix>,
    pub term: Term,
}

/// Room for a part of a run, and for what it is mixed of.
#[derive(Debug, Default)]
pub struct Mixed {
    first: Read,
    second: Read,
    mixed: Vec<f64>,
}

/// Room to decode scores.
#[derive(Debug, Default)]
struct Read {
    single: Vec<f32>,
    double: Vec<f64>,
}

/// Scores of one file, as narrow as they are exact.
enum Run<'a> {
    Single(&'a [f32]),
    Double(&'a [f64]),
}

impl MixedMatrices {
    /// What a contiguous run stands for: the first file decides.
    pub fn rows(&self) -> Rows {
        self.first.matrix.rows()
    }

    /// Number of rows, as they lie in the first file.
    pub fn row_count(&self) -> usize {
        self.first.matrix.row_count()
    }

    /// Number of scores in a row.
    pub fn row_len(&self) -> usize {
        self.first.matrix.row_len()
    }

    /// A part of a run, computed into `buffer`.
    pub fn run<'a>(&self, row: usize, columns: Range<usize>, buffer: &'a mut Mixed) -> &'a [f64] {
        let rows = self.rows();
        let Mixed { first, second, mixed } = buffer;
        mixed.resize(columns.len(), 0.0);
        let first = self.first.run(rows, row, columns.clone(), first);
        let second = self.second.run(rows, row, columns, second);
        let terms = [self.first.term, self.second.term];
        match (first, second) {
            (Run::Single(a), Run::Single(b)) => mixture::mix(a, b, terms, mixed),
            (Run::Single(a), Run::Double(b)) => mixture::mix(a, b, terms, mixed),
            (Run::Double(a), Run::Single(b)) => mixture::mix(a, b, terms, mixed),
            (Run::Double(a), Run::Double(b)) => mixture::mix(a, b, terms, mixed),
        }
        mixed
    }

    /// All scores of one query, over the whole gallery of the other side.
    pub fn of_query(&self, direction: Direction, query: usize) -> Vec<f64> {
        let mut scores = self.first.matrix.of_query(direction, query);
        let second = self.second.matrix.of_query(direction, query);
        for (score, b) in scores.iter_mut().zip(second) {
            *score = self.first.term.of(*score) + self.second.term.of(b);
        }
        scores
    }

    /// The first cell that is no number, as an error: in one of the files, else in their sum; `None`
    /// where there is none.
    pub fn nan_error(&self) -> Option<Error> {
        let [first, second] = [&self.first.matrix, &self.second.matrix];
        let of_file = first.nan_error().or_else(|| second.nan_error());
        of_file.or_else(|| self.opposed_error())
    }

    /// Infinities that cancel each other.
    fn opposed_error(&self) -> Option<Error> {
        let mut buffer = Mixed::default();
        let (row, column) = (0..self.row_count()).find_map(|row| {
            let mut scores = self.run(row, 0..self.row_len(), &mut buffer).iter();
            Some((row, scores.position(|score| score.is_nan())?))
        })?;
        let files = [&self.first, &self.second].map(Part::file);
        Some(mixture::opposed_error(files, self.rows(), row, column))
    }
}

impl Part {
    /// The path of this model's matrix, for messages.
    pub fn file(&self) -> String {
        self.matrix.npy().source().display()
    }

    /// A part of a run in a file of such rows. Where this file has them the other way round, its
    /// scores are brought together from as many rows: a tile's rows share the cache lines.
    fn run<'a>(
        &'a self,
        rows: Rows,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Read,
    ) -> Run<'a> {
        let Read { single, double } = buffer;
        if self.matrix.rows() != rows {
            let direction = rows.direction();
            self.matrix.part_of_query(direction, row, columns, double);
            Run::Double(double)
        } else if self.matrix.is_double() {
            Run::Double(self.matrix.run_f64(row, columns, double))
        } else {
            Run::Single(self.matrix.run_f32(row, columns, single))
        }
    }
}
