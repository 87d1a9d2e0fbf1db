//! Scores query by query: one way to read them, whatever form they are in and whatever way round.
//!
//! A matrix for both directions is faster gone through once as a whole, which [`crate::rank`] does.

use std::ops::Range;

use super::nan::has_nan;
use super::{
    Blocks, Embeddings, Grid, Lists, MixedMatrices, Mixture, Scalar, ScoreMatrix, Scores, Side,
};
use crate::data::Direction;
use crate::error::Result;

/// Bytes of scores that one task transposes.
const BLOCK_BYTES: usize = 8 << 20;
/// Queries of one task, at least.
const TASK_QUERIES: usize = 64;
/// Rows transposed together, so that whole cache lines are written.
const TILE: usize = 16;

/// The scores of one direction's queries.
pub struct Queries<'a> {
    scores: &'a Scores,
    direction: Direction,
    /// What is read.
    pub form: Form<'a>,
    /// What tells cells that are no scores, where a direction has a matrix of its own.
    pub side: Option<&'a Side>,
}

/// The form in which the queries of a direction have their scores.
pub enum Form<'a> {
    /// A number for each item, as narrow as it is exact.
    Single(Box<dyn ByQuery<f32> + 'a>),
    /// The same in 64 bits.
    Double(Box<dyn ByQuery<f64> + 'a>),
    /// Its first items.
    Lists(&'a Lists),
}

/// The scores of one query: all of them, or a list of its best items.
pub enum OfQuery<'a> {
    /// The score of each item, NaN where it has none.
    Scores(Vec<f64>),
    /// Lists, one of which is the query's: its best items.
    List(&'a Lists),
}

/// Queries that are columns of a file.
pub enum InColumns<'a> {
    /// Of numbers that 32 bits hold.
    Single(&'a ScoreMatrix),
    /// Of numbers that need 64.
    Double(&'a ScoreMatrix),
    /// Of two files.
    Mixture(&'a MixedMatrices),
}

impl Scores {
    /// The scores of the queries of a direction.
    pub fn by_query(&self, direction: Direction) -> Queries<'_> {
        let form = match self {
            Scores::Matrix(matrix) => of_matrix(matrix, direction),
            Scores::Two(sides) => of_matrix(&sides[direction].matrix, direction),
            Scores::Mixture(mixture) => of_mixture(mixture, direction),
            Scores::Embeddings(embeddings) => match embeddings.as_ref() {
                Embeddings::Single(blocks) => {
                    Form::Single(Box::new(OfBlocks { blocks, direction }))
                }
                Embeddings::Double(blocks) => {
                    Form::Double(Box::new(OfBlocks { blocks, direction }))
                }
            },
            Scores::Phi(phi) => {
                let blocks = phi.as_ref();
                Form::Double(Box::new(OfBlocks { blocks, direction }))
            }
            Scores::Lists(lists) => Form::Lists(&lists[direction]),
        };
        let side = match self {
            Scores::Two(sides) => Some(&sides[direction]),
            _ => None,
        };
        Queries { scores: self, direction, form, side }
    }
}

fn of_matrix(matrix: &ScoreMatrix, direction: Direction) -> Form<'_> {
    if matrix.is_double() {
        Form::Double(Box::new(OfMatrix::new::<f64>(matrix, direction)))
    } else {
        Form::Single(Box::new(OfMatrix::new::<f32>(matrix, direction)))
    }
}

fn of_mixture(mixture: &Mixture, direction: Direction) -> Form<'_> {
    match mixture {
        Mixture::Matrices(matrices) => {
            Form::Double(Box::new(OfMatrix::new::<f64>(matrices, direction)))
        }
        Mixture::Blocks(blocks) => Form::Double(Box::new(OfBlocks { blocks, direction })),
    }
}

impl<'a> Queries<'a> {
    /// The value that cells without a score hold, or less; `None` where every cell is a score.
    pub fn fill(&self) -> Option<f64> {
        self.side.and_then(|side| side.fill)
    }

    /// The columns of the file that the queries are; `None` where they are runs, products or lists.
    pub fn columns(&self) -> Option<InColumns<'a>> {
        if let Scores::Mixture(mixture) = self.scores
            && let Mixture::Matrices(matrices) = mixture.as_ref()
        {
            let is_column = matrices.rows().direction() != self.direction;
            return is_column.then_some(InColumns::Mixture(matrices));
        }
        let matrix = self.scores.matrix(self.direction)?;
        let is_column = matrix.rows().direction() != self.direction;
        let columns =
            if matrix.is_double() { InColumns::Double(matrix) } else { InColumns::Single(matrix) };
        is_column.then_some(columns)
    }

    /// How many queries take hardly more work than one.
    pub fn made_together(&self) -> usize {
        match &self.form {
            Form::Single(scores) => scores.made_together(),
            Form::Double(scores) => scores.made_together(),
            Form::Lists(_) => 1,
        }
    }

    /// A number for each item of some queries, the fill where it has no score; empty for lists. NaN is
    /// handed on.
    pub fn cells(&self, queries: &[usize]) -> Vec<Vec<f64>> {
        let direction = self.direction;
        if let Some(matrix) = self.scores.matrix(direction) {
            let of_query = |&query| matrix.of_query(direction, query);
            return queries.iter().map(of_query).collect();
        }
        match self.scores {
            Scores::Mixture(mixture) => match mixture.as_ref() {
                Mixture::Matrices(matrices) => {
                    let of_query = |&query| matrices.of_query(direction, query);
                    queries.iter().map(of_query).collect()
                }
                Mixture::Blocks(blocks) => blocks.of_queries(direction, queries),
            },
            Scores::Embeddings(embeddings) => embeddings.of_queries(direction, queries),
            Scores::Phi(phi) => phi.of_queries(direction, queries),
            _ => Vec::new(),
        }
    }

    /// What a query has by itself, brought together for it alone.
    pub fn of(&self, query: usize) -> OfQuery<'a> {
        if let Form::Lists(lists) = self.form {
            return OfQuery::List(lists);
        }
        let mut scores = self.cells(&[query]).concat();
        if let Some(fill) = self.fill() {
            let others = scores.iter_mut().filter(|score| **score <= fill);
            others.for_each(|score| *score = f64::NAN);
        }
        OfQuery::Scores(scores)
    }
}

/// Gives the scores of all items, query by query.
pub trait ByQuery<T>: Sync {
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
struct OfMatrix<'a, G> {
    matrix: &'a G,
    along_rows: bool,
}

impl<'a, G> OfMatrix<'a, G> {
    fn new<T: Copy>(matrix: &'a G, direction: Direction) -> Self
    where
        G: Grid<T>,
    {
        let along_rows = matrix.rows().direction() == direction;
        OfMatrix { matrix, along_rows }
    }

    /// The columns of the file as runs, in the place of what the block holds.
    fn transpose<T: Scalar>(&self, columns: &Range<usize>, block: &mut Vec<T>)
    where
        G: Grid<T>,
    {
        let height = self.matrix.row_count();
        block.resize(height * columns.len(), T::zero());
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
fn turn<T: Scalar>(rows: [&[T]; TILE], columns: &mut [T], (height, start): (usize, usize)) {
    let mut tile = [[T::zero(); TILE]; TILE];
    for (own, row) in tile.iter_mut().zip(rows) {
        own.copy_from_slice(&row[..TILE]);
    }
    for (at, column) in columns.chunks_exact_mut(height).enumerate().take(TILE) {
        let turned: [T; TILE] = std::array::from_fn(|row| tile[row][at]);
        column[start..start + TILE].copy_from_slice(&turned);
    }
}

impl<T: Scalar, G: Grid<T>> ByQuery<T> for OfMatrix<'_, G> {
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

/// What is computed in blocks.
struct OfBlocks<'a, B> {
    blocks: &'a B,
    direction: Direction,
}

impl<T: Scalar, B: Blocks<T>> ByQuery<T> for OfBlocks<'_, B> {
    fn step(&self) -> usize {
        self.made_together()
    }

    fn made_together(&self) -> usize {
        self.blocks.block_len(self.direction)
    }

    fn visit(&self, queries: Range<usize>, each: &mut dyn FnMut(usize, &[T])) -> Result<()> {
        let queries: Vec<usize> = queries.collect();
        let block = self.blocks.block(self.direction, &queries);
        for (query, row) in queries.into_iter().zip(block.rows()) {
            let row = row.to_slice().expect("a block has contiguous rows");
            if has_nan(row) {
                return Err(self.blocks.nan_error_at(self.direction, query));
            }
            each(query, row);
        }
        Ok(())
    }
}
