//! Queries that are columns of a matrix: its rows go by once for the top k, and once for the scores and
//! ranks that are asked for then. Nothing is transposed.

use std::marker::PhantomData;
use std::ops::Range;

use crate::data::Direction;
use crate::data::scores::{Grid, InColumns, Model};
use crate::error::{Error, Result};
use crate::rank::bars::Bars;
use crate::rank::kernel::{self, ROWS, Score};
use crate::rank::pass::{CancelToken, TILE};
use crate::rank::strip::Strip;

/// What a model says of the cells that are asked for, in their order, and of one item of each column.
pub(super) struct Answers {
    pub scores: Vec<f64>,
    pub ranks: Vec<Option<u32>>,
}

/// Cells of some columns in the order of the rows, by counting.
pub(super) struct Cells {
    /// Where each row's begin; one more at the end. Nothing beyond the last row that has any.
    starts: Vec<u32>,
    /// The column of each, and its place where column stands after column.
    cells: Vec<(u32, u32)>,
}

impl Cells {
    /// The items of each column that are meant.
    pub(super) fn of<'a>(columns: impl Iterator<Item = &'a [u32]> + Clone) -> Self {
        let mut starts = vec![0];
        for &row in columns.clone().flatten() {
            let least = row as usize + 2;
            starts.resize(least.max(starts.len()), 0);
            starts[row as usize + 1] += 1;
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let mut next = starts.clone();
        let mut cells = vec![(0, 0); starts[starts.len() - 1] as usize];
        let mut place = 0;
        for (column, rows) in (0..).zip(columns) {
            for &row in rows {
                cells[next[row as usize] as usize] = (column, place);
                next[row as usize] += 1;
                place += 1;
            }
        }
        Cells { starts, cells }
    }

    /// Those of a row.
    fn of_row(&self, row: usize) -> &[(u32, u32)] {
        let Some(&[start, end]) = self.starts.get(row..row + 2) else {
            return &[];
        };
        &self.cells[start as usize..end as usize]
    }
}

/// A matrix whose columns are queries, every cell a score.
pub(super) trait Columns: Sync {
    /// The first `k` items of some columns, best first; `None` when it was cancelled.
    ///
    /// # Errors
    /// NaN: the first such cell of the file is named.
    fn top_k(
        &self,
        columns: &Range<usize>,
        k: usize,
        token: &CancelToken,
    ) -> Result<Option<Vec<Vec<u32>>>>;

    /// The scores of some cells, and the rank of an item of each column, if any; the columns hold no NaN.
    /// `None` when it was cancelled.
    fn answers(
        &self,
        columns: &Range<usize>,
        cells: &Cells,
        tops: &[Option<u32>],
        token: &CancelToken,
    ) -> Option<Answers>;
}

/// The columns of a model, where they are the queries of a direction and all their cells are scores.
pub(super) fn of<'a>(model: &'a Model, direction: Direction) -> Option<Box<dyn Columns + 'a>> {
    let read = model.scores.by_query(direction);
    // A direction with a matrix of its own may have cells that are no scores.
    let columns = read.columns().filter(|_| read.side.is_none())?;
    Some(match columns {
        InColumns::Single(matrix) => Box::new(Of::<_, f32>::new(matrix)),
        InColumns::Double(matrix) => Box::new(Of::<_, f64>::new(matrix)),
        InColumns::Mixture(mixture) => Box::new(Of::<_, f64>::new(mixture)),
    })
}

struct Of<'a, G, T> {
    grid: &'a G,
    of: PhantomData<fn() -> T>,
}

impl<'a, T: Score, G: Grid<T>> Of<'a, G, T> {
    fn new(grid: &'a G) -> Self {
        let of = PhantomData;
        Of { grid, of }
    }

    fn strip<'b>(&'b self, columns: &Range<usize>, token: &'b CancelToken) -> Strip<'b, G> {
        Strip { grid: self.grid, columns: columns.clone(), token }
    }
}

impl<T: Score + Into<f64>, G: Grid<T>> Columns for Of<'_, G, T> {
    fn top_k(
        &self,
        columns: &Range<usize>,
        k: usize,
        token: &CancelToken,
    ) -> Result<Option<Vec<Vec<u32>>>> {
        let bars = self.strip(columns, token).bars(k, true, |_, _, _| true);
        if bars.as_ref().is_some_and(Bars::has_nan) {
            return Err::<_, Error>(self.grid.nan_error());
        }
        Ok(bars.map(Bars::top_k))
    }

    fn answers(
        &self,
        columns: &Range<usize>,
        cells: &Cells,
        tops: &[Option<u32>],
        token: &CancelToken,
    ) -> Option<Answers> {
        let mut asking = Asking::new(self.grid, columns, cells, tops);
        let is_whole = self.strip(columns, token).blocks(|start, rows| asking.add(start, rows));
        is_whole.then(|| asking.answers(tops))
    }
}

/// What is asked of a model, in the order of the rows.
struct Asking<'a, T> {
    cells: &'a Cells,
    /// The scores of the cells.
    scores: Vec<f64>,
    /// The score of the item of each column whose rank is asked for; unreachable without one.
    thresholds: Vec<T>,
    /// Scores that reach it.
    counts: Vec<u32>,
    /// Where these items are.
    tops: Cells,
}

impl<'a, T: Score + Into<f64>> Asking<'a, T> {
    fn new<G: Grid<T>>(
        grid: &G,
        columns: &Range<usize>,
        cells: &'a Cells,
        tops: &[Option<u32>],
    ) -> Self {
        let mut buffer = G::Buffer::default();
        let mut threshold = |(column, top): (usize, &Option<u32>)| {
            top.map_or(T::UNREACHABLE, |top| grid.cell(top as usize, column, &mut buffer))
        };
        let thresholds = columns.clone().zip(tops);
        Asking {
            cells,
            scores: vec![f64::NAN; cells.cells.len()],
            thresholds: thresholds.map(&mut threshold).collect(),
            counts: vec![0; columns.len()],
            tops: Cells::of(tops.iter().map(Option::as_slice)),
        }
    }

    /// Takes in up to [`ROWS`] rows.
    fn add(&mut self, start: usize, rows: &[&[T]]) {
        let absent = [T::UNREACHABLE; TILE];
        for first in (0..self.counts.len()).step_by(TILE) {
            let tile = first..self.counts.len().min(first + TILE);
            let of_row =
                |at: usize| rows.get(at).map_or(&absent[..tile.len()], |row| &row[tile.clone()]);
            let runs: [&[T]; ROWS] = std::array::from_fn(of_row);
            kernel::add_columns(runs, &self.thresholds[tile.clone()], &mut self.counts[tile]);
        }
        for (at, row) in rows.iter().enumerate() {
            for &(column, place) in self.cells.of_row(start + at) {
                self.scores[place as usize] = row[column as usize].into();
            }
            self.pass_tops(start + at, &rows[at..]);
        }
    }

    /// From its own row on, only what is higher outranks an item: takes back what equal ones added in
    /// these rows, the item's own first, and raises the threshold for those to come.
    fn pass_tops(&mut self, row: usize, rows: &[&[T]]) {
        for &(column, _) in self.tops.of_row(row) {
            let column = column as usize;
            let threshold = self.thresholds[column];
            let equal = rows.iter().filter(|row| row[column] == threshold).count();
            self.counts[column] -= equal as u32;
            self.thresholds[column] = threshold.above();
        }
    }

    fn answers(self, tops: &[Option<u32>]) -> Answers {
        let ranks = tops.iter().zip(&self.counts);
        Answers {
            scores: self.scores,
            ranks: ranks.map(|(top, count)| top.map(|_| count + 1)).collect(),
        }
    }
}
