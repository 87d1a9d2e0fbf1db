//! Mean, deviation and range of the scores of a matrix, computed in one pass for scaling.
//!
//! Mean and deviation of each row of the file are computed in two steps, and those of all rows combined one after the
//! other by the formulas of Chan, Golub and `LeVeque`, *Algorithms for computing the sample variance*, Am. Stat. 37
//! (1983), <https://doi.org/10.1080/00031305.1983.10483115>. No large sums are subtracted, and nothing depends on the
//! number of threads.

use itm_explore_kernels::RowStatistics;

use super::{Queries, Scalar, Source};
use crate::data::Direction;
use crate::data::parallel;
use crate::error::{Error, Result};

/// Location and spread of the scores of a matrix. Mean and deviation are meaningless if some scores are infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Standard deviation of the population: the root of the mean squared distance from the mean.
    pub deviation: f64,
    /// Lowest score; +infinity if there is none.
    pub lowest: f64,
    /// Highest score; -infinity if there is none.
    pub highest: f64,
    /// Number of infinite scores.
    pub infinite: usize,
}

impl Spread {
    /// Computes the spread in one pass over the scores, row by row (image by image if scores are computed), with the
    /// threads of the current `rayon` pool.
    ///
    /// # Errors
    /// NaN: the first such cell of a matrix is named.
    pub fn from_source<T: Scalar>(source: &dyn Source<T>) -> Result<Self> {
        let direction = source.row_direction().unwrap_or(Direction::I2t);
        let rows = Queries { source, direction };
        let parts = parallel::try_map_ranges(source.side_len(direction), rows.step(), |range| {
            let mut parts = Vec::with_capacity(range.len());
            rows.visit(range, |_, row| parts.push((T::loops().row_statistics)(row)))?;
            Ok::<Vec<RowStatistics>, Error>(parts)
        })?;
        let parts = parts.concat();
        if let Some(row) = parts.iter().position(|part| part.has_nan) {
            return Err(rows.nan_error(row));
        }
        let whole = parts.into_iter().fold((T::loops().row_statistics)(&[]), RowStatistics::merge);
        let deviation = (whole.squares / whole.count as f64).sqrt();
        let RowStatistics { mean, lowest, highest, infinite, .. } = whole;
        Ok(Spread { mean, deviation, lowest, highest, infinite })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::npy::Npy;
    use crate::data::scores::ScoreMatrix;

    fn spread(shape: [usize; 2], cells: &[f64]) -> Result<Spread> {
        let npy = Npy::in_memory("s.npy", shape, cells.iter().copied());
        Spread::from_source::<f64>(&ScoreMatrix::new(npy, false).unwrap())
    }

    #[test]
    fn equals_the_plain_formulas_and_the_same_on_any_threads() {
        let cells: Vec<f64> =
            (0..37 * 1_003).map(|at| 1e4 + (f64::from(at * at % 9_973) * 0.618).sin()).collect();
        let n = cells.len() as f64;
        let mean = cells.iter().sum::<f64>() / n;
        let squares: f64 = cells.iter().map(|x| (x - mean) * (x - mean)).sum();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| spread([37, 1_003], &cells).unwrap())
        };
        let found = with(1);
        assert_eq!(found, with(5));
        assert!((found.mean - mean).abs() < 1e-9);
        assert!((found.deviation - (squares / n).sqrt()).abs() < 1e-10);
        let sorted = {
            let mut sorted = cells.clone();
            sorted.sort_by(f64::total_cmp);
            sorted
        };
        let ends = (sorted.first().copied(), sorted.last().copied());
        assert_eq!((Some(found.lowest), Some(found.highest)), ends);
    }

    #[test]
    fn infinite_cells_are_counted_and_nan_is_an_error() {
        let found = spread([2, 2], &[1.0, f64::INFINITY, 3.0, f64::NEG_INFINITY]).unwrap();
        assert_eq!(found.infinite, 2);
        let error = spread([2, 2], &[0.0, 1.0, 2.0, f64::NAN]).unwrap_err();
        assert!(error.to_string().contains("NaN at image 1, caption 1 "));
    }
}
