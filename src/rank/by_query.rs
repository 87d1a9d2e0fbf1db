//! Scores brought together query by query, whatever way round they are.

use std::ops::Range;

use super::grid::Grid;
use super::kernel::{self, Score};
use super::product;
use crate::data::Direction;
use crate::data::scores::{Product, Scalar};
use crate::error::{Error, Result};

/// Bytes of scores that one task transposes.
const BLOCK_BYTES: usize = 8 << 20;
/// Queries of one task, at least.
const TASK_QUERIES: usize = 64;
/// Rows transposed together, so that whole cache lines are written.
const TILE: usize = 16;

/// Gives the scores of all items, query by query.
pub(super) trait ByQuery<T>: Sync {
    /// How many queries make one task.
    fn step(&self) -> usize;

    /// How many queries' scores take hardly more work than those of one.
    fn made_together(&self) -> usize {
        1
    }

    /// Whether queries are columns of the file: each task touches every row of it.
    fn are_columns(&self) -> bool {
        false
    }

    /// Calls `each` with every query of a range, in order, and its scores.
    ///
    /// # Errors
    /// Scores that are no numbers, where no pass over them has looked before.
    fn visit(&self, queries: Range<usize>, each: &mut dyn FnMut(usize, &[T])) -> Result<()>;

    /// Brings the scores of a range of queries into `block`, query after query.
    ///
    /// # Errors
    /// As [`ByQuery::visit`].
    fn gather(&self, queries: Range<usize>, block: &mut Vec<T>) -> Result<()>
    where
        T: Copy,
    {
        block.clear();
        self.visit(queries, &mut |_, row| block.extend_from_slice(row))
    }
}

/// A matrix that holds no NaN: a query is a contiguous run of it, or a column.
pub(super) struct OfMatrix<'a, G> {
    matrix: &'a G,
    along_rows: bool,
}

impl<'a, G> OfMatrix<'a, G> {
    pub(super) fn new<T: Copy>(matrix: &'a G, direction: Direction) -> Self
    where
        G: Grid<T>,
    {
        let along_rows = matrix.rows().direction() == direction;
        OfMatrix { matrix, along_rows }
    }

    /// The columns of the file as runs, in the place of what the block holds.
    fn transpose<T: Score>(&self, columns: &Range<usize>, block: &mut Vec<T>)
    where
        G: Grid<T>,
    {
        let height = self.matrix.row_count();
        block.resize(height * columns.len(), T::default());
        let mut buffers: [G::Buffer; TILE] = Default::default();
        for start in (0..height).step_by(TILE) {
            let len = TILE.min(height - start);
            let mut rows: [&[T]; TILE] = [&[]; TILE];
            for (at, (row, buffer)) in rows.iter_mut().zip(&mut buffers).take(len).enumerate() {
                *row = self.matrix.run(start + at, columns.clone(), buffer);
            }
            let mut done = 0;
            if len == TILE {
                for columns in block.chunks_exact_mut((height * TILE).max(1)) {
                    turn(rows.map(|row| &row[done..]), columns, (height, start));
                    done += TILE;
                }
            }
            for (at, column) in block.chunks_exact_mut(height).enumerate().skip(done) {
                for (slot, row) in column[start..start + len].iter_mut().zip(&rows) {
                    *slot = row[at];
                }
            }
        }
    }
}

/// Writes the first columns of as many rows as runs of `columns`, which are `height` long, from `start`
/// on. Both sides of the tile are known, so that no index is checked.
fn turn<T: Score>(rows: [&[T]; TILE], columns: &mut [T], (height, start): (usize, usize)) {
    let mut tile = [[T::default(); TILE]; TILE];
    for (own, row) in tile.iter_mut().zip(rows) {
        own.copy_from_slice(&row[..TILE]);
    }
    for (at, column) in columns.chunks_exact_mut(height).enumerate().take(TILE) {
        let turned: [T; TILE] = std::array::from_fn(|row| tile[row][at]);
        column[start..start + TILE].copy_from_slice(&turned);
    }
}

impl<T: Score, G: Grid<T>> ByQuery<T> for OfMatrix<'_, G> {
    fn step(&self) -> usize {
        let column_bytes = self.matrix.row_count() * size_of::<T>();
        if self.along_rows {
            TASK_QUERIES
        } else {
            (BLOCK_BYTES / column_bytes.max(1)).max(TASK_QUERIES)
        }
    }

    fn are_columns(&self) -> bool {
        !self.along_rows
    }

    fn visit(&self, queries: Range<usize>, each: &mut dyn FnMut(usize, &[T])) -> Result<()> {
        if self.along_rows {
            let mut buffer = G::Buffer::default();
            for query in queries {
                let all = 0..self.matrix.row_len();
                each(query, self.matrix.run(query, all, &mut buffer));
            }
        } else {
            let mut block = Vec::new();
            self.transpose(&queries, &mut block);
            for (query, column) in queries.zip(block.chunks_exact(self.matrix.row_count())) {
                each(query, column);
            }
        }
        Ok(())
    }

    fn gather(&self, queries: Range<usize>, block: &mut Vec<T>) -> Result<()> {
        if self.along_rows {
            block.clear();
            return self.visit(queries, &mut |_, row| block.extend_from_slice(row));
        }
        self.transpose(&queries, block);
        Ok(())
    }
}

/// Dot products of embeddings.
pub(super) struct OfProduct<'a, T> {
    pub product: &'a Product<T>,
    pub direction: Direction,
}

impl<T: Score + Scalar> ByQuery<T> for OfProduct<'_, T> {
    fn step(&self) -> usize {
        self.made_together()
    }

    fn made_together(&self) -> usize {
        self.product.block_len(self.direction)
    }

    fn visit(&self, queries: Range<usize>, each: &mut dyn FnMut(usize, &[T])) -> Result<()> {
        let queries: Vec<usize> = queries.collect();
        let block = self.product.block(self.direction, &queries);
        for (query, row) in queries.into_iter().zip(block.rows()) {
            let row = row.to_slice().expect("a product has contiguous rows");
            if kernel::has_nan(row) {
                return Err::<(), Error>(product::nan_error(self.direction, query));
            }
            each(query, row);
        }
        Ok(())
    }
}
