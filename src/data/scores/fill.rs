//! Matrices of re-ranking models, which score only the first items of each query.
//!
//! Unscored cells hold a fill value: -100 in most code, times the number of processes whose matrices were added up. It
//! is found, not assumed: the lowest value of a row that is also its most frequent one, the same in most rows.

use std::ops::Range;
use std::sync::Mutex;

use super::{Scalar, ScoreMatrix};
use crate::data::Direction;
use crate::data::parallel;

/// Rows sampled to find the fill value.
const SAMPLED_ROWS: usize = 64;
/// A fill value takes at least one in this many cells of a row.
const MAX_CELLS_PER_FILL: usize = 8;
/// Number of running minima of [`lowest`].
const LANES: usize = 16;

/// The scores of the queries of one direction. Cells may be unscored.
#[derive(Debug, Clone)]
pub struct Side {
    /// The scores.
    pub matrix: ScoreMatrix,
    /// Value of unscored cells: they, and anything below, are not ranked. `None` if every cell is a score.
    pub fill: Option<f64>,
    /// Number of scored items of each query; `None` without a fill.
    pub depths: Option<Vec<u32>>,
}

impl Side {
    /// From a matrix for the queries of one direction; cells that hold `fill` are unscored.
    pub fn new(matrix: ScoreMatrix, direction: Direction, fill: Option<f64>) -> Self {
        let items = matrix.side_len(direction.flipped());
        let depths = fill.map(|fill| depths(&matrix, direction, fill, |_| 0..items));
        Side { matrix, fill, depths }
    }

    /// Whether a score is above the fill.
    pub fn is_scored(&self, score: f64) -> bool {
        self.fill.is_none_or(|fill| score > fill)
    }
}

/// The fill value of a matrix, if any. Reads a sample of the rows.
pub fn find(matrix: &ScoreMatrix) -> Option<f64> {
    if matrix.is_double() { find_typed::<f64>(matrix) } else { find_typed::<f32>(matrix) }
}

/// [`find`] with scores read as `T`.
fn find_typed<T: Scalar>(matrix: &ScoreMatrix) -> Option<f64> {
    let rows = matrix.row_count();
    let sample = rows.min(SAMPLED_ROWS);
    let find_in_row = |buffer: &mut Vec<T>, at: usize| {
        let row: &[T] = matrix.run(at * rows / sample, 0..matrix.row_len(), buffer);
        let lowest = lowest(row);
        let count = row.iter().map(|&score| u32::from(score <= lowest)).sum::<u32>() as usize;
        let is_varied = count < row.len();
        (is_varied, (is_varied && is_mode(row, lowest, count)).then_some(lowest))
    };
    let rows: Vec<(bool, Option<T>)> = parallel::map_with(sample, Vec::new, find_in_row);
    let varied = rows.iter().filter(|(varied, _)| *varied).count();
    let found = rows.iter().filter_map(|(_, lowest)| *lowest);
    let mut found: Vec<f64> = found.map(Scalar::wide).collect();
    found.sort_unstable_by(f64::total_cmp);
    let middle = *found.get(found.len() / 2)?;
    let equal = found.iter().filter(|fill| fill.total_cmp(&middle).is_eq()).count();
    (equal * 2 > varied).then_some(middle)
}

/// Whether the lowest value of a row, which occurs `count` times, is its most frequent one. A rare value gives `false`,
/// so that few rows are sorted.
fn is_mode<T: Scalar>(row: &[T], lowest: T, count: usize) -> bool {
    if count * 2 > row.len() {
        return true;
    }
    if count < row.len() / MAX_CELLS_PER_FILL {
        return false;
    }
    let mut others: Vec<f64> = row.iter().filter(|&&s| s > lowest).map(|s| s.wide()).collect();
    others.sort_unstable_by(f64::total_cmp);
    let runs = others.chunk_by(|a, b| a.total_cmp(b).is_eq()).map(<[f64]>::len);
    runs.max().unwrap_or(0) < count
}

/// Lowest score of a row; skips NaN. In lanes, as a loop over one running minimum of floats does not vectorise.
fn lowest<T: Scalar>(row: &[T]) -> T {
    let lower = |one: T, other: T| if other < one { other } else { one };
    let infinity = T::narrow(f64::INFINITY);
    let mut lanes = [infinity; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, &score) in lanes.iter_mut().zip(chunk) {
            *lane = lower(*lane, score);
        }
    }
    let all = lanes.into_iter().chain(rest.iter().copied());
    all.fold(infinity, lower)
}

/// Number of scored items of every query of a direction; only items in the range `competing(query)` are counted.
pub fn depths(
    matrix: &ScoreMatrix,
    direction: Direction,
    fill: f64,
    competing: impl Fn(usize) -> Range<usize> + Sync,
) -> Vec<u32> {
    if matrix.is_double() {
        depths_typed::<f64>(matrix, direction, fill, competing)
    } else {
        depths_typed(matrix, direction, fill as f32, competing)
    }
}

/// [`depths`] with scores read as `T`.
fn depths_typed<T: Scalar>(
    matrix: &ScoreMatrix,
    direction: Direction,
    fill: T,
    competing: impl Fn(usize) -> Range<usize> + Sync,
) -> Vec<u32> {
    let (rows, len) = (matrix.row_count(), matrix.row_len());
    if matrix.rows() == direction {
        return parallel::map_with(rows, Vec::new, |buffer: &mut Vec<T>, row| {
            let scores = matrix.run(row, competing(row), buffer).iter();
            scores.map(|&score| u32::from(score > fill)).sum()
        });
    }
    let ranges: Vec<Range<usize>> = (0..len).map(competing).collect();
    let sums = Mutex::new(vec![0u32; len]);
    parallel::map_ranges(rows, parallel::step(rows), |rows| {
        let (mut counts, mut buffer) = (vec![0u32; len], Vec::new());
        for row in rows {
            let scores: &[T] = matrix.run(row, 0..len, &mut buffer);
            for ((count, range), &score) in counts.iter_mut().zip(&ranges).zip(scores) {
                *count += u32::from(score > fill) & u32::from(range.contains(&row));
            }
        }
        let mut sums = sums.lock().expect("no task panics while it adds");
        sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
    });
    sums.into_inner().expect("no task panics while it adds")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::npy::Npy;

    fn matrix(rows: &[&[f64]], captions_first: bool) -> ScoreMatrix {
        let shape = [rows.len(), rows[0].len()];
        let npy = Npy::in_memory("m.npy", shape, rows.concat().into_iter());
        ScoreMatrix::new(npy, captions_first).unwrap()
    }

    const F: f64 = -800.0;

    #[test]
    fn the_fill_is_the_lowest_value_of_most_rows_whatever_it_is() {
        let rows: &[&[f64]] = &[&[F, F, F, -701.0], &[F, -703.0, F, F], &[F, F, F, F]];
        assert_eq!(find(&matrix(rows, false)), Some(F));
        let rows: &[&[f64]] = &[&[F, F, F, 1.0], &[0.0, 3.0, 2.0, 1.0], &[1.0, 2.0, 3.0, 4.0]];
        assert_eq!(find(&matrix(rows, false)), None, "one row of three");
        let rows: &[&[f64]] = &[&[0.5; 4], &[0.5; 4]];
        assert_eq!(find(&matrix(rows, false)), None, "all equal is no fill");
        let rows: &[&[f64]] = &[&[9.0, 9.0, 9.0, 1.0], &[9.0, 1.0, 9.0, 9.0]];
        assert_eq!(find(&matrix(rows, false)), None, "the mode is not the lowest");
    }

    #[test]
    fn a_fill_of_less_than_half_the_cells_is_the_most_frequent_value() {
        let row = |unscored: usize, twice: f64| -> Vec<f64> {
            let scored = (unscored..14).map(|n| n as f64);
            let fill = std::iter::repeat_n(F, unscored);
            fill.chain(scored).chain([twice; 6]).collect()
        };
        let rows = [row(8, 0.5), row(7, 0.5), row(9, 0.5)];
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(find(&matrix(&rows, false)), Some(F));
        let rows = [row(5, 0.5), row(6, 0.5), row(4, 0.5)];
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(find(&matrix(&rows, false)), None, "0.5 stands as often");
    }

    #[test]
    fn depths_count_scored_items_either_way_round() {
        let rows: &[&[f64]] = &[&[F, 1.0, F, 2.0], &[F, 3.0, F, F]];
        for captions_first in [false, true] {
            let matrix = matrix(rows, captions_first);
            let (rows, columns) = if captions_first {
                (Direction::T2i, Direction::I2t)
            } else {
                (Direction::I2t, Direction::T2i)
            };
            assert_eq!(Side::new(matrix.clone(), rows, Some(F)).depths.unwrap(), [2, 1]);
            let of_columns = Side::new(matrix.clone(), columns, Some(F));
            assert_eq!(of_columns.depths.as_deref(), Some(&[0, 2, 0, 1][..]));
            assert_eq!(depths(&matrix, rows, F, |_| 2..4), [1, 0]);
            assert_eq!(depths(&matrix, columns, F, |_| 1..2), [0, 1, 0, 0]);
        }
    }
}
