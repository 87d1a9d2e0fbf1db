//! Finds images that a file repeats once for each of their captions, and keeps each once.
//!
//! Code that scores caption by caption writes such files. The copies come from different batches, so
//! they may differ in their last bits.

use super::ScoreMatrix;
use super::matrix::Subset;
use crate::data::Direction;
use crate::data::npy::Element;
use crate::data::parallel;

/// [`rounding`] of scores computed in single precision: rounding errors add up over a dot product.
const SINGLE_ROUNDING: f64 = 1.0 / 16_384.0;
/// [`rounding`] of scores stored in half precision.
const HALF_ROUNDING: f64 = 1.0 / 512.0;

/// Rows in which columns are compared first: a cheap test before all rows are read.
const SAMPLED_ROWS: usize = 64;

/// Maximum difference of copies of a score, relative to the largest absolute score of the same row.
pub(super) fn rounding(element: Element) -> f64 {
    match element {
        Element::Float(2) => HALF_ROUNDING,
        _ => SINGLE_ROUNDING,
    }
}

/// Maximum difference of copies of these scores: `rounding` times the largest finite one.
fn tolerance(scores: &[f64], rounding: f64) -> f64 {
    let finite = scores.iter().map(|score| score.abs());
    rounding * finite.filter(|score| score.is_finite()).fold(0.0, f64::max)
}

/// Whether two scores differ by at most `tolerance`. Infinity is near itself.
fn is_near(one: f64, other: f64, tolerance: f64) -> bool {
    one.total_cmp(&other).is_eq() || (one - other).abs() <= tolerance
}

/// Whether two rows or columns of scores differ by at most `rounding`, as a share of the largest score in the first.
pub fn are_copies(one: &[f64], other: &[f64], rounding: f64) -> bool {
    let tolerance = tolerance(one, rounding);
    let mut pairs = one.iter().zip(other);
    pairs.all(|(&one, &other)| is_near(one, other, tolerance))
}

/// Length of the longest equal runs of copies into which `len` positions split; `None` if there are no equal runs, or
/// only one. `is_copy_of_first(i)` compares positions i and 0; `are_runs(n)` checks that all runs of length n are
/// copies.
pub(super) fn run_length(
    len: usize,
    is_copy_of_first: impl Fn(usize) -> bool,
    are_runs: impl Fn(usize) -> bool,
) -> Option<usize> {
    let first = (1..len).find(|&at| !is_copy_of_first(at))?;
    let divides = |&length: &usize| first.is_multiple_of(length) && len.is_multiple_of(length);
    let mut lengths = (2..=first).rev().filter(divides);
    lengths.find(|&length| are_runs(length))
}

impl ScoreMatrix {
    /// Number of consecutive copies of each image, with scores equal up to rounding; `None` if images are not repeated,
    /// or not equally often.
    pub fn image_run_length(&self) -> Option<usize> {
        let is_copy_of_first = |at: usize| match self.rows {
            Direction::I2t => self.are_copies(0, at),
            Direction::T2i => (0..self.row_count().min(SAMPLED_ROWS)).all(|row| {
                let mut buffer = Vec::new();
                let scores = self.row_f64(row, &mut buffer);
                is_near(scores[0], scores[at], tolerance(scores, self.rounding()))
            }),
        };
        run_length(self.images(), is_copy_of_first, |length| self.has_image_runs(length))
    }

    /// The matrix with each image once, if every image has `length` consecutive copies with scores equal up to
    /// rounding; else `None`. No score is copied.
    pub fn fold_images(&self, length: usize) -> Option<Self> {
        self.has_image_runs(length).then(|| {
            let mut folded = self.clone();
            folded.subsets.i2t = Subset::Every(length);
            folded
        })
    }

    /// Number of copies of each image in the file; `None` if [`ScoreMatrix::fold_images`] removed none.
    pub fn image_repeats(&self) -> Option<usize> {
        match self.subsets.i2t {
            Subset::Every(length) => Some(length),
            _ => None,
        }
    }

    /// Whether every image has `length` consecutive copies.
    fn has_image_runs(&self, length: usize) -> bool {
        let images = self.images();
        if images == 0 || length < 2 || !images.is_multiple_of(length) {
            return false;
        }
        match self.rows {
            Direction::I2t => parallel::all(images, |row| self.are_copies(row - row % length, row)),
            Direction::T2i => parallel::all(self.row_count(), |row| {
                let mut buffer = Vec::new();
                let scores = self.row_f64(row, &mut buffer);
                let tolerance = tolerance(scores, self.rounding());
                let mut runs = scores.chunks_exact(length);
                runs.all(|run| run.iter().all(|&score| is_near(run[0], score, tolerance)))
            }),
        }
    }

    /// Whether two rows of the file have the same scores, up to rounding.
    pub fn are_copies(&self, one: usize, other: usize) -> bool {
        self.raw_row(one) == self.raw_row(other) || {
            let (mut first, mut second) = (Vec::new(), Vec::new());
            let one = self.row_f64(one, &mut first);
            are_copies(one, self.row_f64(other, &mut second), self.rounding())
        }
    }

    /// [`rounding`] of the file.
    fn rounding(&self) -> f64 {
        rounding(self.npy.element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::npy::Npy;

    fn matrix(rows: usize, columns: usize, cell: impl Fn(usize, usize) -> f64) -> [ScoreMatrix; 2] {
        let by_images = (0..rows * columns).map(|at| cell(at / columns, at % columns));
        let by_captions = (0..rows * columns).map(|at| cell(at % rows, at / rows));
        let images = Npy::in_memory("i.npy", [rows, columns], by_images);
        let captions = Npy::in_memory("c.npy", [columns, rows], by_captions);
        [(images, false), (captions, true)]
            .map(|(npy, first)| ScoreMatrix::new(npy, first).unwrap())
    }

    /// Copies of a score that differ in their last bits.
    fn noisy(image: usize, caption: usize, copy: usize) -> f64 {
        let score = ((image * 7 + caption * 3) % 11) as f64 - 3.0;
        score + 2e-6 * ((copy * 5 + caption) % 7) as f64
    }

    #[test]
    fn runs_of_any_length_are_found_and_folded() {
        for length in [2, 3, 5] {
            for matrix in matrix(4 * length, 6, |row, c| noisy(row / length, c, row % length)) {
                assert_eq!(matrix.image_run_length(), Some(length));
                let folded = matrix.fold_images(length).unwrap();
                assert_eq!((folded.images(), folded.image_repeats()), (4, Some(length)));
                assert!(matrix.fold_images(length + 1).is_none());
            }
        }
    }

    #[test]
    fn equal_images_elsewhere_are_no_runs() {
        let none = |cell: fn(usize, usize) -> f64| {
            for matrix in matrix(12, 6, cell) {
                assert_eq!(matrix.image_run_length(), None);
            }
        };
        none(|row, c| noisy(row, c, 0));
        // One more in the first run, the same image elsewhere, no image that differs.
        none(|row, c| noisy(row.saturating_sub(1) / 3, c, 0));
        none(|row, c| noisy(row % 4, c, 0));
        none(|_, c| noisy(0, c, 0));
    }

    #[test]
    fn a_fill_or_infinity_is_no_scale_for_others() {
        let cell = |row: usize, c: usize| {
            if c == 0 { f64::NEG_INFINITY } else { noisy(row, c, 0) }
        };
        for matrix in matrix(12, 6, cell) {
            assert_eq!(matrix.image_run_length(), None);
        }
    }
}
