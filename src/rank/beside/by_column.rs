//! Queries that are columns of a matrix: its rows go by once for the top k, and once for the scores and
//! ranks that are asked for then. Nothing is transposed.

use std::ops::Range;

use super::ItemsOfModel;
use crate::data::Direction;
use crate::data::scores::{Grid, InColumns, Model};
use crate::error::{Error, Result};
use crate::rank::bars::Bars;
use crate::rank::kernel::{self, ROWS, Score};
use crate::rank::pass::{CancelToken, TILE};
use crate::rank::strip::Strip;

/// Items of one column whose scores are asked for, and the item whose rank is, if any.
pub(super) type About<'a> = (&'a [u32], Option<u32>);

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

    /// What is asked about each of some columns, which hold no NaN; `None` when it was cancelled.
    fn of_model(
        &self,
        columns: &Range<usize>,
        asked: &[About<'_>],
        token: &CancelToken,
    ) -> Option<Vec<ItemsOfModel>>;
}

/// The columns of a model, where they are the queries of a direction and all their cells are scores.
pub(super) fn of<'a>(model: &'a Model, direction: Direction) -> Option<Box<dyn Columns + 'a>> {
    let read = model.scores.by_query(direction);
    // A direction with a matrix of its own may have cells that are no scores.
    let columns = read.columns().filter(|_| read.side.is_none())?;
    Some(match columns {
        InColumns::Single(matrix) => Box::new(Of::<_, f32>::new(matrix, f64::from)),
        InColumns::Double(matrix) => Box::new(Of::<_, f64>::new(matrix, |at| at)),
        InColumns::Mixture(mixture) => Box::new(Of::<_, f64>::new(mixture, |at| at)),
    })
}

struct Of<'a, G, T> {
    grid: &'a G,
    wide: fn(T) -> f64,
}

impl<'a, T: Score, G: Grid<T>> Of<'a, G, T> {
    fn new(grid: &'a G, wide: fn(T) -> f64) -> Self {
        Of { grid, wide }
    }

    fn strip<'b>(&'b self, columns: &Range<usize>, token: &'b CancelToken) -> Strip<'b, G> {
        Strip {
            grid: self.grid,
            columns: columns.clone(),
            token,
        }
    }
}

impl<T: Score, G: Grid<T>> Columns for Of<'_, G, T> {
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

    fn of_model(
        &self,
        columns: &Range<usize>,
        asked: &[About<'_>],
        token: &CancelToken,
    ) -> Option<Vec<ItemsOfModel>> {
        let mut asking = Asking::new(self.grid, columns, asked);
        let is_whole = self
            .strip(columns, token)
            .blocks(1, |start, rows| asking.add(start, rows));
        is_whole.then(|| asking.of_model(asked, self.wide))
    }
}

/// What is asked, in the order of the rows.
struct Asking<T> {
    /// Scores of all items asked for, column after column.
    scores: Vec<T>,
    /// Where each row's items begin in `cells`; one more at the end.
    starts: Vec<u32>,
    /// The column of each item, and its place in `scores`.
    cells: Vec<(u32, u32)>,
    /// The score of the item of each column whose rank is asked for; unreachable without one.
    thresholds: Vec<T>,
    /// Scores that reach it.
    counts: Vec<u32>,
    /// The columns whose item that is, by row: they begin in `tops` where `top_starts` says.
    top_starts: Vec<u32>,
    tops: Vec<u32>,
}

impl<T: Score> Asking<T> {
    fn new<G: Grid<T>>(grid: &G, columns: &Range<usize>, asked: &[About<'_>]) -> Self {
        let height = grid.row_count();
        let items = asked
            .iter()
            .zip(0..)
            .flat_map(|(&(items, _), column)| items.iter().map(move |&item| (item, column)));
        let cells: Vec<(u32, u32)> = items
            .clone()
            .zip(0..)
            .map(|((_, column), slot)| (column, slot))
            .collect();
        let rows: Vec<u32> = items.map(|(item, _)| item).collect();
        let (starts, cells) = by_row(height, &rows, &cells);
        let (top_rows, tops): (Vec<u32>, Vec<u32>) = asked
            .iter()
            .zip(0..)
            .filter_map(|(&(_, top), column)| top.map(|top| (top, column)))
            .unzip();
        let mut thresholds = vec![T::UNREACHABLE; columns.len()];
        let mut buffer = G::Buffer::default();
        let (top_starts, tops) = by_row(height, &top_rows, &tops);
        for (row, ends) in top_starts.windows(2).enumerate() {
            for &column in &tops[ends[0] as usize..ends[1] as usize] {
                thresholds[column as usize] =
                    grid.cell(row, columns.start + column as usize, &mut buffer);
            }
        }
        Asking {
            scores: vec![T::UNREACHABLE; cells.len()],
            starts,
            cells,
            thresholds,
            counts: vec![0; columns.len()],
            top_starts,
            tops,
        }
    }

    /// Takes in up to [`ROWS`] rows.
    fn add(&mut self, start: usize, rows: &[&[T]]) {
        let absent = [T::UNREACHABLE; TILE];
        for first in (0..self.counts.len()).step_by(TILE) {
            let tile = first..self.counts.len().min(first + TILE);
            let of_row = |at: usize| {
                rows.get(at)
                    .map_or(&absent[..tile.len()], |row| &row[tile.clone()])
            };
            let runs: [&[T]; ROWS] = std::array::from_fn(of_row);
            kernel::add_columns(runs, &self.thresholds[tile.clone()], &mut self.counts[tile]);
        }
        for (at, row) in rows.iter().enumerate() {
            let cells = self.starts[start + at] as usize..self.starts[start + at + 1] as usize;
            for &(column, slot) in &self.cells[cells] {
                self.scores[slot as usize] = row[column as usize];
            }
            self.pass_tops(start + at, &rows[at..]);
        }
    }

    /// From its own row on, only what is higher outranks an item: takes back what equal ones added in
    /// these rows, the item's own first, and raises the threshold for those to come.
    fn pass_tops(&mut self, row: usize, rows: &[&[T]]) {
        let tops = self.top_starts[row] as usize..self.top_starts[row + 1] as usize;
        for &column in &self.tops[tops] {
            let column = column as usize;
            let threshold = self.thresholds[column];
            let equal = rows.iter().filter(|row| row[column] == threshold).count();
            self.counts[column] -= equal as u32;
            self.thresholds[column] = threshold.above();
        }
    }

    fn of_model(&self, asked: &[About<'_>], wide: fn(T) -> f64) -> Vec<ItemsOfModel> {
        let mut start = 0;
        let told = |(&(items, top), count): (&About<'_>, &u32)| {
            let end = start + items.len();
            let scores = self.scores[start..end]
                .iter()
                .map(|&score| wide(score))
                .collect();
            start = end;
            ItemsOfModel {
                scores,
                rank: top.map(|_| count + 1),
            }
        };
        asked.iter().zip(&self.counts).map(told).collect()
    }
}

/// What belongs to rows in the order of the rows, by counting, and where that of each row begins.
fn by_row<V: Copy + Default>(height: usize, rows: &[u32], values: &[V]) -> (Vec<u32>, Vec<V>) {
    let mut starts = vec![0; height + 1];
    for &row in rows {
        starts[row as usize + 1] += 1;
    }
    for row in 0..height {
        starts[row + 1] += starts[row];
    }
    let mut next = starts.clone();
    let mut sorted = vec![V::default(); values.len()];
    for (&row, &value) in rows.iter().zip(values) {
        let place = &mut next[row as usize];
        sorted[*place as usize] = value;
        *place += 1;
    }
    (starts, sorted)
}
