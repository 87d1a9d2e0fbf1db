//! Scores that are computed a block of queries at a time, and never held whole.

use ndarray::Array2;

use super::Scalar;
use crate::data::Direction;

/// Computes the scores of some queries with all items.
pub trait Blocks<T: Scalar>: Sync {
    /// Number of queries of a direction.
    fn side_len(&self, direction: Direction) -> usize;

    /// How many queries of a direction make one block.
    fn block_len(&self, direction: Direction) -> usize;

    /// The scores of some queries, a contiguous row each.
    fn block(&self, direction: Direction, queries: &[usize]) -> Array2<T>;

    /// The scores of some queries, in 64 bits.
    fn of_queries(&self, direction: Direction, queries: &[usize]) -> Vec<Vec<f64>> {
        let block = self.block(direction, queries);
        let rows = block.rows().into_iter();
        rows.map(|row| row.iter().map(|score| score.wide()).collect())
            .collect()
    }
}
