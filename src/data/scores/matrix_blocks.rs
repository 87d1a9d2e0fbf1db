//! A matrix as scores that are made block by block, for where others are computed so.

use ndarray::Array2;

use super::{BLOCK_BYTES, Blocks, ScoreMatrix};
use crate::data::Direction;
use crate::error::Error;

impl Blocks<f64> for ScoreMatrix {
    fn side_len(&self, direction: Direction) -> usize {
        self.side_len(direction)
    }

    fn block_len(&self, direction: Direction) -> usize {
        let row = self.side_len(direction.flipped()) * size_of::<f64>();
        (BLOCK_BYTES / row.max(1)).max(1)
    }

    fn block(&self, direction: Direction, queries: &[usize]) -> Array2<f64> {
        let mut block = Array2::zeros((queries.len(), self.side_len(direction.flipped())));
        let mut buffer = Vec::new();
        if self.rows().direction() == direction {
            for (mut row, &query) in block.rows_mut().into_iter().zip(queries) {
                let run = self.row_f64(query, &mut buffer);
                row.as_slice_mut().expect("a new array has contiguous rows").copy_from_slice(run);
            }
            return block;
        }
        // Row by row of the file, so that columns which stand side by side share its cache lines.
        for row in 0..self.row_count() {
            let mut at = 0;
            for columns in queries.chunk_by(|one, next| one + 1 == *next) {
                let columns = columns[0]..columns[0] + columns.len();
                for &score in self.run_f64(row, columns, &mut buffer) {
                    block[[at, row]] = score;
                    at += 1;
                }
            }
        }
        block
    }

    /// The first of the file.
    fn nan_error_at(&self, _: Direction, _: usize) -> Error {
        self.nan_error().expect("a query has NaN")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::npy::Npy;

    /// Queries side by side and apart, in any order, of rows and of columns.
    #[test]
    fn blocks_are_the_queries() {
        for captions_first in [false, true] {
            let npy = Npy::in_memory("s.npy", [7, 7], (0..49).map(f64::from));
            let matrix = ScoreMatrix::new(npy, captions_first).unwrap();
            for direction in Direction::BOTH {
                let queries = [2, 3, 4, 6, 0, 1];
                let rows = queries.map(|query| matrix.of_query(direction, query));
                assert_eq!(Blocks::of_queries(&matrix, direction, &queries), rows);
            }
        }
    }
}
