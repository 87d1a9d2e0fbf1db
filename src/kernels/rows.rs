//! Loops over whole rows: statistics, weighted sums, transposition.

use super::{Number, TILE, vectorized};

/// Number of running sums of a row.
const LANES: usize = 8;

/// Statistics of the scores of one or more rows.
#[derive(Debug, Clone, Copy)]
pub struct RowStatistics {
    /// Number of scores, NaN and infinities included.
    pub count: usize,
    /// Mean of the scores; meaningless if some are infinite.
    pub mean: f64,
    /// Sum of squared deviations from the mean.
    pub squares: f64,
    /// Whether any score is NaN.
    pub has_nan: bool,
    /// Lowest score; +infinity if there is none.
    pub lowest: f64,
    /// Highest score; -infinity if there is none.
    pub highest: f64,
    /// Number of infinite scores.
    pub infinite: usize,
}

impl RowStatistics {
    /// Statistics of the rows of both together, by the formulas of Chan et al.
    #[must_use]
    pub fn merge(self, other: RowStatistics) -> RowStatistics {
        let count = self.count + other.count;
        // The share of `other` in all scores; 0 if both are empty.
        let share = other.count as f64 / count.max(1) as f64;
        let delta = other.mean - self.mean;
        RowStatistics {
            count,
            mean: self.mean + delta * share,
            squares: self.squares + other.squares + delta * delta * share * self.count as f64,
            has_nan: self.has_nan || other.has_nan,
            lowest: self.lowest.min(other.lowest),
            highest: self.highest.max(other.highest),
            infinite: self.infinite + other.infinite,
        }
    }
}

/// Running sums, counts and extremes of a row, one per lane, so that the loop vectorises.
struct Lanes {
    sums: [f64; LANES],
    infinite: [u64; LANES],
    nans: [u64; LANES],
    lowest: [f64; LANES],
    highest: [f64; LANES],
}

impl Lanes {
    #[inline]
    /// Adds a score to a lane.
    fn add(&mut self, lane: usize, score: f64) {
        self.sums[lane] += score;
        self.infinite[lane] += u64::from(score.is_infinite());
        self.nans[lane] += u64::from(score.is_nan());
        let (lowest, highest) = (self.lowest[lane], self.highest[lane]);
        self.lowest[lane] = if score < lowest { score } else { lowest };
        self.highest[lane] = if score > highest { score } else { highest };
    }
}

/// What a score contributes to a mixture: weight * ((score - offset) / scale).
#[derive(Debug, Clone, Copy)]
pub struct Term {
    /// The model's share of the mixture.
    pub weight: f64,
    /// Offset and scale; `None` for raw scores.
    pub scaled: Option<[f64; 2]>,
}

impl Term {
    #[inline]
    fn apply(self, score: f64) -> f64 {
        let [offset, scale] = self.scaled.unwrap_or([0.0, 1.0]);
        self.weight * ((score - offset) / scale)
    }
}

/// Consecutive scores of a row of one model, in their exact type.
#[derive(Debug, Clone, Copy)]
pub enum Run<'a> {
    /// In single precision.
    Single(&'a [f32]),
    /// In double precision.
    Double(&'a [f64]),
}

/// Writes the weighted sum of two runs to `mixed`, all of the same length.
pub fn mix(runs: [Run<'_>; 2], terms: [Term; 2], mixed: &mut [f64]) {
    match runs {
        [Run::Single(a), Run::Single(b)] => mix_runs(a, b, terms, mixed),
        [Run::Single(a), Run::Double(b)] => mix_runs(a, b, terms, mixed),
        [Run::Double(a), Run::Single(b)] => mix_runs(a, b, terms, mixed),
        [Run::Double(a), Run::Double(b)] => mix_runs(a, b, terms, mixed),
    }
}

vectorized! {
    pub fn has_nan<T: Number>(run: &[T]) -> bool {
        let found = run.iter().fold(0, |found, score| found | u32::from(score.is_nan()));
        found != 0
    }

    pub fn transpose<T: Number>(
        rows: &[&[T]],
        block: &mut [T],
        height: usize,
        start: usize,
    ) {
        let mut done = 0;
        if rows.len() == TILE {
            // Both sides of the tile are known, so that no index is checked.
            for columns in block.chunks_exact_mut(height * TILE) {
                let mut tile = [[T::default(); TILE]; TILE];
                for (own, row) in tile.iter_mut().zip(rows) {
                    own.copy_from_slice(&row[done..done + TILE]);
                }
                for (at, column) in columns.chunks_exact_mut(height).enumerate().take(TILE) {
                    let turned: [T; TILE] = std::array::from_fn(|row| tile[row][at]);
                    column[start..start + TILE].copy_from_slice(&turned);
                }
                done += TILE;
            }
        }
        for (at, column) in block.chunks_exact_mut(height).enumerate().skip(done) {
            for (slot, row) in column[start..start + rows.len()].iter_mut().zip(rows) {
                *slot = row[at];
            }
        }
    }

    fn mix_runs<A: Copy + Into<f64>, B: Copy + Into<f64>>(
        a: &[A],
        b: &[B],
        [first, second]: [Term; 2],
        mixed: &mut [f64],
    ) {
        let cells = a.iter().zip(b).zip(mixed);
        if first.scaled.or(second.scaled).is_none() {
            // Division takes most of the time, and by 1 it changes nothing.
            for ((&a, &b), mixed) in cells {
                *mixed = first.weight * a.into() + second.weight * b.into();
            }
            return;
        }
        for ((&a, &b), mixed) in cells {
            *mixed = first.apply(a.into()) + second.apply(b.into());
        }
    }

    /// In two steps: the mean, then the squared deviations.
    pub fn row_statistics<T: Number>(row: &[T]) -> RowStatistics {
        let (blocks, rest) = row.as_chunks::<LANES>();
        let mut lanes = Lanes {
            sums: [0.0; LANES],
            infinite: [0; LANES],
            nans: [0; LANES],
            lowest: [f64::INFINITY; LANES],
            highest: [f64::NEG_INFINITY; LANES],
        };
        for block in blocks {
            for (lane, &score) in block.iter().enumerate() {
                lanes.add(lane, score.into());
            }
        }
        for (lane, &score) in rest.iter().enumerate() {
            lanes.add(lane, score.into());
        }
        let count = row.len();
        let mean = lanes.sums.iter().sum::<f64>() / count.max(1) as f64;
        let squared = |score: f64| (score - mean) * (score - mean);
        let mut squares = [0.0; LANES];
        for block in blocks {
            for (square, &score) in squares.iter_mut().zip(block) {
                *square += squared(score.into());
            }
        }
        for (square, &score) in squares.iter_mut().zip(rest) {
            *square += squared(score.into());
        }
        RowStatistics {
            count,
            mean,
            squares: squares.iter().sum(),
            has_nan: lanes.nans.iter().any(|nans| *nans > 0),
            lowest: lanes.lowest.into_iter().fold(f64::INFINITY, f64::min),
            highest: lanes.highest.into_iter().fold(f64::NEG_INFINITY, f64::max),
            infinite: lanes.infinite.iter().sum::<u64>() as usize,
        }
    }
}
