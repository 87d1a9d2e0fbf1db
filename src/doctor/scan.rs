//! One pass over a matrix for cells that are no finite numbers.

use std::ops::{AddAssign, Range};

use crate::data::Direction;
use crate::data::parallel;
use crate::data::scores::{Scalar, ScoreMatrix};

/// Cells of a matrix that have something in common, as NaN: their number and the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cells {
    /// How many.
    pub count: usize,
    /// Row and column in the file of the first.
    first: Option<(usize, usize)>,
}

impl Cells {
    /// Image and caption of the first.
    pub fn first(&self, matrix: &ScoreMatrix) -> Option<(usize, usize)> {
        self.first.map(|(row, column)| match matrix.rows() {
            Direction::I2t => (row, column),
            Direction::T2i => (column, row),
        })
    }

    fn see(&mut self, cell: (usize, usize)) {
        self.count += 1;
        self.first.get_or_insert(cell);
    }
}

impl AddAssign for Cells {
    fn add_assign(&mut self, other: Cells) {
        self.count += other.count;
        self.first = self.first.or(other.first);
    }
}

/// What a matrix holds besides finite numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scan {
    /// NaN.
    pub nan: Cells,
    /// Plus infinity.
    pub high: Cells,
    /// Minus infinity, the fill value left out.
    pub low: Cells,
}

impl Scan {
    /// Reads all of a matrix once.
    pub fn of(matrix: &ScoreMatrix, fill: Option<f64>) -> Self {
        if matrix.is_double() {
            Scan::rows::<f64>(matrix, fill)
        } else {
            Scan::rows::<f32>(matrix, fill)
        }
    }

    fn rows<T: Scalar>(matrix: &ScoreMatrix, fill: Option<f64>) -> Self {
        let of_rows = |rows: Range<usize>| {
            let (mut scan, mut buffer) = (Scan::default(), Vec::new());
            for row in rows {
                let run: &[T] = matrix.run(row, 0..matrix.row_len(), &mut buffer);
                if has_odd(run) {
                    for (column, score) in run.iter().enumerate() {
                        scan.see(score.wide(), (row, column), fill);
                    }
                }
            }
            scan
        };
        let rows = matrix.row_count();
        let mut scan = Scan::default();
        for later in parallel::map_ranges(rows, parallel::step(rows), of_rows) {
            scan.nan += later.nan;
            scan.high += later.high;
            scan.low += later.low;
        }
        scan
    }

    fn see(&mut self, score: f64, cell: (usize, usize), fill: Option<f64>) {
        if score.is_nan() {
            self.nan.see(cell);
        } else if score == f64::INFINITY {
            self.high.see(cell);
        } else if score == f64::NEG_INFINITY && fill != Some(score) {
            self.low.see(cell);
        }
    }
}

/// Whether any score is NaN or infinite: only these times zero are not zero. No early end, so that
/// the loop vectorises.
fn has_odd<T: Scalar>(run: &[T]) -> bool {
    let zero = T::zero();
    let found = run.iter().fold(0, |found, &score| found | u32::from(score * zero != zero));
    found != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::matrix;

    #[test]
    fn what_is_no_number_is_counted_with_its_first_cell() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let cells = [1.0, -inf, nan, nan, -0.0, inf];
        let odd = |fill| Scan::of(&matrix([2, 3], &cells), fill);
        let scan = odd(None);
        assert_eq!((scan.nan.count, scan.high.count, scan.low.count), (2, 1, 1));
        assert_eq!(scan.nan.first(&matrix([2, 3], &cells)), Some((0, 2)));
        assert_eq!(odd(Some(-inf)).low.count, 0);
        assert_eq!(Scan::of(&matrix([1, 2], &[1e308, -1e308]), None), Scan::default());
    }

    #[test]
    fn cells_are_told_as_image_and_caption_either_way_round() {
        let npy = crate::data::npy::Npy::in_memory("m", [3, 1], [0.0, 0.0, f64::NAN].into_iter());
        let turned = ScoreMatrix::new(npy, true).unwrap();
        assert_eq!(Scan::of(&turned, None).nan.first(&turned), Some((0, 2)));
    }
}
