//! One interface for scores in any form and orientation.

use std::ops::Range;

use itm_explore_kernels::TILE;

use super::nan::has_nan;
use super::{Embeddings, Lists, Scalar, ScoreMatrix, Scores, Side};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Approximate bytes of computed scores in one task.
pub const BLOCK_BYTES: usize = 24 << 20;
/// Maximum queries computed together: more gain nothing.
const BLOCK_QUERIES: usize = 256;
/// Approximate bytes that one task transposes.
const TRANSPOSED_BYTES: usize = 4 << 20;
/// Minimum queries per task that reads rows.
const TASK_QUERIES: usize = 64;

/// A score for every image with every caption. Implementations have [`Source::side_len`] with [`Source::block`] if
/// scores are computed, or with [`Source::row_direction`] and [`Source::segment`] if they are in rows.
pub trait Source<T: Scalar>: Sync {
    /// Number of queries of a direction.
    fn side_len(&self, direction: Direction) -> usize;

    /// The direction with contiguous rows; `None` if scores are computed.
    fn row_direction(&self) -> Option<Direction> {
        None
    }

    /// A part of a row, in place or in `buffer`. Rows of computed scores are images.
    fn segment<'a>(
        &'a self,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Buffer<T>,
    ) -> &'a [T] {
        buffer.cells.resize(self.side_len(Direction::T2i), T::zero());
        self.block(Direction::I2t, &[row], &mut buffer.cells);
        &buffer.cells[columns]
    }

    /// Writes the scores of some queries with all items to `block`, query by query.
    fn block(&self, direction: Direction, queries: &[usize], block: &mut [T]) {
        let width = self.side_len(direction.flipped());
        let mut buffers: [Buffer<T>; TILE] = Default::default();
        if self.row_direction().unwrap_or(Direction::I2t) == direction {
            for (&query, row) in queries.iter().zip(block.chunks_exact_mut(width.max(1))) {
                row.copy_from_slice(self.segment(query, 0..width, &mut buffers[0]));
            }
            return;
        }
        let mut rest = block;
        // Adjacent columns share the cache lines of a row.
        for columns in queries.chunk_by(|one, next| one + 1 == *next) {
            let (own, others) = rest.split_at_mut(columns.len() * width);
            rest = others;
            let range = columns[0]..columns[0] + columns.len();
            if columns.len() == 1 {
                self.column(direction, columns[0], own);
                continue;
            }
            for start in (0..width).step_by(TILE) {
                let mut rows: [&[T]; TILE] = [&[]; TILE];
                let all = rows.iter_mut().zip(&mut buffers);
                for (at, (row, buffer)) in all.take(width - start).enumerate() {
                    *row = self.segment(start + at, range.clone(), buffer);
                }
                (T::loops().transpose)(&rows[..TILE.min(width - start)], own, width, start);
            }
        }
    }

    /// A function that computes [`Source::block`] for one direction; work that all blocks share is done once, here.
    fn blocks(&self, direction: Direction) -> Blocks<'_, T> {
        Box::new(move |queries, block| self.block(direction, queries, block))
    }

    /// Writes the scores of a query that is a column of the file, with all items, to `column`.
    fn column(&self, _: Direction, query: usize, column: &mut [T]) {
        let mut buffer = Buffer::default();
        for (row, cell) in column.iter_mut().enumerate() {
            *cell = self.segment(row, query..query + 1, &mut buffer)[0];
        }
    }

    /// The scores of one query with these items.
    fn item_scores(&self, direction: Direction, query: usize, items: &[u32]) -> Vec<T> {
        let mut row = vec![T::zero(); self.side_len(direction.flipped())];
        self.block(direction, &[query], &mut row);
        items.iter().map(|&item| row[item as usize]).collect()
    }

    /// Number of queries per task. Columns of the file are read together, which takes hardly longer than reading one.
    fn step(&self, direction: Direction) -> usize {
        let row = (self.side_len(direction.flipped()) * size_of::<T>()).max(1);
        match self.row_direction() {
            Some(rows) if rows == direction => TASK_QUERIES,
            Some(_) => (TRANSPOSED_BYTES / row).max(TASK_QUERIES),
            None => (BLOCK_BYTES / row).clamp(1, BLOCK_QUERIES),
        }
    }

    /// Whether a score has the same bits in the blocks of both directions.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// The error of the first NaN: anywhere in a matrix file, or among the computed scores of these queries; `None` if
    /// there is none.
    fn nan_error(&self, direction: Direction, queries: &[usize]) -> Option<Error> {
        let mut row = vec![T::zero(); self.side_len(direction.flipped())];
        let found = queries.iter().find(|query| {
            self.block(direction, &[**query], &mut row);
            has_nan(&row)
        });
        found.map(|query| {
            let found = format!("scores of {direction} query {} are not numbers", grouped(*query));
            Error::new("computed scores", found).expected("a number for every item")
        })
    }
}

/// Computes the scores of some queries with all items, query by query.
pub type Blocks<'a, T> = Box<dyn Fn(&[usize], &mut [T]) + Sync + 'a>;

/// Buffer for a decoded part of a row; a mixture needs one per model, in either precision.
#[derive(Debug, Default)]
pub struct Buffer<T> {
    /// The part of the row.
    pub cells: Vec<T>,
    /// The parts of a mixture's two models, each in one of the precisions.
    pub(super) parts: [(Vec<f32>, Vec<f64>); 2],
}

/// The queries of one direction, with a score for every item.
#[derive(Clone, Copy)]
pub struct Queries<'a, T> {
    /// Source of the scores.
    pub source: &'a dyn Source<T>,
    /// The direction.
    pub direction: Direction,
}

impl<'a, T: Scalar> Queries<'a, T> {
    /// Number of queries per task.
    pub fn step(&self) -> usize {
        self.source.step(self.direction)
    }

    /// The scores of a range of queries.
    ///
    /// # Errors
    /// NaN among computed scores. NaN in a file is no error here: the block has it.
    pub fn block(&self, queries: Range<usize>) -> Result<QueryBlock<'a, T>> {
        let width = self.source.side_len(self.direction.flipped());
        let mut block = QueryBlock {
            queries: *self,
            start: queries.start,
            width,
            is_in_place: self.source.row_direction() == Some(self.direction),
            buffer: Buffer::default(),
        };
        if !block.is_in_place {
            block.buffer.cells.resize(queries.len() * width, T::zero());
            let all: Vec<usize> = queries.collect();
            self.source.block(self.direction, &all, &mut block.buffer.cells);
            if self.source.row_direction().is_none() && has_nan(&block.buffer.cells) {
                let error = self.source.nan_error(self.direction, &all);
                return error.map_or(Ok(block), Err);
            }
        }
        Ok(block)
    }

    /// Calls `each` with every query of a range, in order, and its scores.
    ///
    /// # Errors
    /// As [`Queries::block`].
    pub fn visit(&self, queries: Range<usize>, mut each: impl FnMut(usize, &[T])) -> Result<()> {
        let mut block = self.block(queries.clone())?;
        queries.for_each(|query| each(query, block.row(query)));
        Ok(())
    }

    /// The scores of each query with all items; NaN stays.
    fn cells(&self, queries: &[usize]) -> Vec<Vec<f64>> {
        let width = self.source.side_len(self.direction.flipped());
        let wide = |row: &[T]| row.iter().map(|score| score.wide()).collect();
        let mut buffer = Buffer::default();
        if self.source.row_direction() == Some(self.direction) {
            let row = |&query: &usize| wide(self.source.segment(query, 0..width, &mut buffer));
            return queries.iter().map(row).collect();
        }
        buffer.cells.resize(queries.len() * width, T::zero());
        self.source.block(self.direction, queries, &mut buffer.cells);
        (0..queries.len()).map(|at| wide(&buffer.cells[at * width..][..width])).collect()
    }

    /// The error of a query with NaN among its scores.
    pub fn nan_error(&self, query: usize) -> Error {
        let error = self.source.nan_error(self.direction, &[query]);
        error.unwrap_or_else(|| Error::new("scores", "NaN that is gone: the file was changed"))
    }
}

/// The scores of some queries.
pub struct QueryBlock<'a, T> {
    queries: Queries<'a, T>,
    /// First query.
    start: usize,
    /// Number of items.
    width: usize,
    /// Whether queries are rows of a file: they are read one by one.
    is_in_place: bool,
    buffer: Buffer<T>,
}

impl<T: Scalar> QueryBlock<'_, T> {
    /// The scores with all items of the query at gallery index `query`, which must be in the block.
    pub fn row(&mut self, query: usize) -> &[T] {
        if self.is_in_place {
            return self.queries.source.segment(query, 0..self.width, &mut self.buffer);
        }
        &self.buffer.cells[(query - self.start) * self.width..][..self.width]
    }
}

/// The scores of one direction.
pub struct DirectionScores<'a> {
    /// A score for each item, or ranked lists.
    pub form: Form<'a>,
    /// Fill and depths, if a direction has a matrix of its own.
    pub side: Option<&'a Side>,
}

/// The form in which the queries of a direction have their scores.
#[derive(Clone, Copy)]
pub enum Form<'a> {
    /// A score for each item, exact in 32 bits.
    Single(Queries<'a, f32>),
    /// A score for each item, in 64 bits.
    Double(Queries<'a, f64>),
    /// The first items of each query.
    Lists(&'a Lists),
}

impl Scores {
    /// The scores of the queries of a direction.
    pub fn by_query(&self, direction: Direction) -> DirectionScores<'_> {
        let (mut side, single, double) = (None, single_form(direction), double_form(direction));
        let form = match self {
            Scores::Matrix(matrix) => matrix_form(matrix, direction),
            Scores::Two(sides) => {
                side = Some(&sides[direction]);
                matrix_form(&sides[direction].matrix, direction)
            }
            Scores::Embeddings(embeddings) => match embeddings.as_ref() {
                Embeddings::Single(product) => single(product),
                Embeddings::Double(product) => double(product),
            },
            Scores::Mixture(mixture) => double(mixture.as_ref()),
            Scores::Phi(phi) => double(phi.as_ref()),
            Scores::Lists(lists) => Form::Lists(&lists[direction]),
        };
        DirectionScores { form, side }
    }
}

/// Returns a function that makes the form of a source of 32-bit scores.
fn single_form<'a>(direction: Direction) -> impl Fn(&'a dyn Source<f32>) -> Form<'a> {
    move |source| Form::Single(Queries { source, direction })
}

/// Returns a function that makes the form of a source of 64-bit scores.
fn double_form<'a>(direction: Direction) -> impl Fn(&'a dyn Source<f64>) -> Form<'a> {
    move |source| Form::Double(Queries { source, direction })
}

/// The form of a matrix, in the precision of its file.
fn matrix_form(matrix: &ScoreMatrix, direction: Direction) -> Form<'_> {
    if matrix.is_double() { double_form(direction)(matrix) } else { single_form(direction)(matrix) }
}

impl DirectionScores<'_> {
    /// Cells of this value or less have no score; `None` if every cell is a score.
    pub fn fill(&self) -> Option<f64> {
        self.side.and_then(|side| side.fill)
    }

    /// Whether every item has a score.
    pub fn has_all_scores(&self) -> bool {
        self.fill().is_none() && !matches!(self.form, Form::Lists(_))
    }

    /// Whether scores are computed, not read: then several queries together cost hardly more than one.
    pub fn is_computed(&self) -> bool {
        match self.form {
            Form::Single(all) => all.source.row_direction().is_none(),
            Form::Double(all) => all.source.row_direction().is_none(),
            Form::Lists(_) => false,
        }
    }

    /// Number of queries with a score for every item; 0 for lists.
    pub fn query_count(&self) -> usize {
        match self.form {
            Form::Single(all) => all.source.side_len(all.direction),
            Form::Double(all) => all.source.side_len(all.direction),
            Form::Lists(_) => 0,
        }
    }

    /// Writes the scores of some queries with all items to `block`, query by query; nothing for lists.
    pub fn block(&self, queries: &[usize], block: &mut [f64]) {
        match self.form {
            Form::Single(all) => {
                let mut single = vec![0.0; block.len()];
                all.source.block(all.direction, queries, &mut single);
                block.iter_mut().zip(single).for_each(|(cell, score)| *cell = score.into());
            }
            Form::Double(all) => all.source.block(all.direction, queries, block),
            Form::Lists(_) => {}
        }
    }

    /// Number of queries per task.
    pub fn step(&self) -> usize {
        match self.form {
            Form::Single(queries) => queries.step(),
            Form::Double(queries) => queries.step(),
            Form::Lists(_) => TASK_QUERIES,
        }
    }

    /// The scores of each query with all items: the fill for an item without a score; NaN stays. Empty for lists.
    pub fn cells(&self, queries: &[usize]) -> Vec<Vec<f64>> {
        match self.form {
            Form::Single(all) => all.cells(queries),
            Form::Double(all) => all.cells(queries),
            Form::Lists(_) => Vec::new(),
        }
    }

    /// The score of each item of a query, NaN where it has none.
    pub fn scores(&self, query: usize) -> Vec<f64> {
        if let Form::Lists(lists) = self.form {
            let mut scores = vec![f64::NAN; lists.item_count()];
            let listed = lists.scores(query).into_iter().flatten();
            for (&item, score) in lists.items(query, &mut Vec::new()).iter().zip(listed) {
                scores[item as usize] = score;
            }
            return scores;
        }
        let mut scores = self.cells(&[query]).concat();
        if let Some(fill) = self.fill() {
            let others = scores.iter_mut().filter(|score| **score <= fill);
            others.for_each(|score| *score = f64::NAN);
        }
        scores
    }

    /// The scores of these items for a query. An item without a score has at most the fill value, or NaN in lists.
    pub fn item_scores(&self, query: usize, items: &[u32]) -> Vec<f64> {
        match self.form {
            Form::Single(all) => {
                let scores = all.source.item_scores(all.direction, query, items);
                scores.into_iter().map(f64::from).collect()
            }
            Form::Double(all) => all.source.item_scores(all.direction, query, items),
            Form::Lists(lists) => {
                let (mut buffer, scores) = (Vec::new(), lists.scores(query));
                let listed = lists.items(query, &mut buffer);
                let score = |item| {
                    let place = listed.iter().position(|listed| listed == item)?;
                    scores.as_ref()?.get(place).copied()
                };
                items.iter().map(|item| score(item).unwrap_or(f64::NAN)).collect()
            }
        }
    }
}
