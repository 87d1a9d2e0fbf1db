//! Where the scores of a matrix lie: what scaling needs, measured in one pass.
//!
//! Mean and deviation of each row of the file are taken in two steps over the row, and those of all
//! rows put together one after the other by the formulas of Chan, Golub and `LeVeque`, *Algorithms for
//! computing the sample variance*, Am. Stat. 37 (1983), <https://doi.org/10.1080/00031305.1983.10483115>.
//! No large sums are subtracted, and nothing depends on the number of threads.

use std::ops::Range;

use multiversion::multiversion;

use super::{Blocks, ScoreMatrix};
use crate::data::Direction;
use crate::data::parallel;
use crate::error::Result;

/// Running sums of a row.
const LANES: usize = 8;

/// Where the finite scores of a matrix lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Standard deviation of the population: the root of the mean squared distance from the mean.
    pub deviation: f64,
    /// The least one; +infinity where no score is finite.
    pub least: f64,
    /// The greatest one; -infinity where no score is finite.
    pub most: f64,
    /// How many other cells are infinite.
    pub infinite: usize,
}

/// The same of some rows; `squares` sums squared distances from the mean.
#[derive(Debug, Clone, Copy)]
struct Part {
    count: usize,
    mean: f64,
    squares: f64,
    least: f64,
    most: f64,
    infinite: usize,
    has_nan: bool,
}

impl Spread {
    /// Measures a matrix. Reads it once, with the threads of the current `rayon` pool.
    ///
    /// # Errors
    /// NaN in the matrix: the first such cell is named.
    pub fn of(matrix: &ScoreMatrix) -> Result<Self> {
        let (rows, row) = (matrix.row_count(), 0..matrix.row_len());
        let parts: Vec<Part> = if matrix.is_double() {
            parallel::map_with(rows, Vec::new, |buffer, at| {
                part(matrix.run_f64(at, row.clone(), buffer))
            })
        } else {
            parallel::map_with(rows, Vec::new, |buffer, at| {
                part(matrix.run_f32(at, row.clone(), buffer))
            })
        };
        let whole = parts.into_iter().fold(Part::EMPTY, Part::and);
        if whole.has_nan
            && let Some(error) = matrix.nan_error()
        {
            return Err(error);
        }
        Ok(whole.spread())
    }

    /// Measures scores that are computed, image by image as a matrix is with the images first. Makes each once,
    /// with the threads of the current `rayon` pool.
    ///
    /// # Errors
    /// NaN among them.
    pub(super) fn of_blocks(scores: &dyn Blocks<f64>) -> Result<Self> {
        let direction = Direction::I2t;
        let of_block = |images: Range<usize>| {
            let block = scores.block(direction, &images.collect::<Vec<_>>());
            let rows = block.rows().into_iter();
            let rows = rows.map(|row| row.to_slice().expect("a block has contiguous rows"));
            rows.map(part).collect()
        };
        let (images, step) = (scores.side_len(direction), scores.block_len(direction));
        let parts: Vec<Part> = parallel::flat_map_ranges(images, step, of_block);
        if let Some(image) = parts.iter().position(|part| part.has_nan) {
            return Err(scores.nan_error_at(direction, image));
        }
        Ok(parts.into_iter().fold(Part::EMPTY, Part::and).spread())
    }
}

impl Part {
    const EMPTY: Part = Part {
        count: 0,
        mean: 0.0,
        squares: 0.0,
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
        infinite: 0,
        has_nan: false,
    };

    fn spread(self) -> Spread {
        Spread {
            mean: self.mean,
            deviation: (self.squares / self.count as f64).sqrt(),
            least: self.least,
            most: self.most,
            infinite: self.infinite,
        }
    }

    /// Both together.
    fn and(self, other: Part) -> Part {
        let count = self.count + other.count;
        // The share of the other; of nothing, nothing.
        let share = other.count as f64 / count.max(1) as f64;
        let apart = other.mean - self.mean;
        Part {
            count,
            mean: self.mean + apart * share,
            squares: self.squares + other.squares + apart * apart * share * self.count as f64,
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            infinite: self.infinite + other.infinite,
            has_nan: self.has_nan || other.has_nan,
        }
    }
}

/// Running values of a row, one for each lane.
struct Lanes {
    sums: [f64; LANES],
    counts: [u64; LANES],
    nans: [u64; LANES],
    least: [f64; LANES],
    most: [f64; LANES],
}

impl Lanes {
    #[inline]
    fn add(&mut self, lane: usize, score: f64) {
        let finite = score.abs() < f64::INFINITY;
        let or = |score: f64, other: f64| if finite { score } else { other };
        self.sums[lane] += or(score, 0.0);
        self.counts[lane] += u64::from(finite);
        self.nans[lane] += u64::from(score.is_nan());
        let (low, high) = (or(score, f64::INFINITY), or(score, f64::NEG_INFINITY));
        let (least, most) = (self.least[lane], self.most[lane]);
        self.least[lane] = if low < least { low } else { least };
        self.most[lane] = if high > most { high } else { most };
    }
}

/// The squared distance of a finite score.
#[inline]
fn squared(score: f64, mean: f64) -> f64 {
    let apart = score - mean;
    let finite = score.abs() < f64::INFINITY;
    if finite { apart * apart } else { 0.0 }
}

/// What a row has.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn part<T: Copy + Into<f64>>(row: &[T]) -> Part {
    let (blocks, rest) = row.as_chunks::<LANES>();
    let mut lanes = Lanes {
        sums: [0.0; LANES],
        counts: [0; LANES],
        nans: [0; LANES],
        least: [f64::INFINITY; LANES],
        most: [f64::NEG_INFINITY; LANES],
    };
    for block in blocks {
        for (lane, &score) in block.iter().enumerate() {
            lanes.add(lane, score.into());
        }
    }
    for (lane, &score) in rest.iter().enumerate() {
        lanes.add(lane, score.into());
    }
    let count = lanes.counts.iter().sum::<u64>() as usize;
    let nans = lanes.nans.iter().sum::<u64>() as usize;
    let mean = lanes.sums.iter().sum::<f64>() / count.max(1) as f64;
    let mut squares = [0.0; LANES];
    for block in blocks {
        for (square, &score) in squares.iter_mut().zip(block) {
            *square += squared(score.into(), mean);
        }
    }
    for (square, &score) in squares.iter_mut().zip(rest) {
        *square += squared(score.into(), mean);
    }
    Part {
        count,
        mean,
        squares: squares.iter().sum(),
        least: lanes.least.into_iter().fold(f64::INFINITY, f64::min),
        most: lanes.most.into_iter().fold(f64::NEG_INFINITY, f64::max),
        infinite: row.len() - count - nans,
        has_nan: nans > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::npy::Npy;

    fn spread(shape: [usize; 2], cells: &[f64]) -> Result<Spread> {
        let npy = Npy::in_memory("s.npy", shape, cells.iter().copied());
        Spread::of(&ScoreMatrix::new(npy, false).unwrap())
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
        assert_eq!((Some(found.least), Some(found.most)), ends);
    }

    #[test]
    fn infinite_cells_are_counted_apart_and_nan_is_an_error() {
        let found = spread([2, 2], &[1.0, f64::INFINITY, 3.0, f64::NEG_INFINITY]).unwrap();
        assert_eq!((found.mean, found.deviation), (2.0, 1.0));
        assert_eq!((found.least, found.most, found.infinite), (1.0, 3.0, 2));
        let none = spread([1, 2], &[f64::INFINITY; 2]).unwrap();
        assert!(none.least > none.most);
        let error = spread([2, 2], &[0.0, 1.0, 2.0, f64::NAN]).unwrap_err();
        assert!(error.to_string().contains("NaN at image 1, caption 1 "));
    }
}
