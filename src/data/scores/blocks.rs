//! Scores that are computed a block of queries at a time, and never held whole.

use ndarray::Array2;

use super::Scalar;
use super::nan::has_nan;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::error::Error;

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
        rows.map(|row| row.iter().map(|score| score.wide()).collect()).collect()
    }

    /// What is said where scores of a query are no numbers.
    fn nan_error_at(&self, direction: Direction, query: usize) -> Error {
        let found = format!("scores of {direction} query {} are not numbers", grouped(query));
        Error::new("computed scores", found).expected("a number for every item")
    }

    /// The same for the first of some queries that has such scores; `None` where none has.
    fn nan_error_among(&self, direction: Direction, queries: &[usize]) -> Option<Error> {
        let has_nan = |query: &&usize| {
            let row = self.block(direction, &[**query]);
            row.as_slice().is_some_and(has_nan)
        };
        let found = queries.iter().find(has_nan);
        found.map(|&query| self.nan_error_at(direction, query))
    }
}
