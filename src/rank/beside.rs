//! The scores that two models give to the items of each query, beside each other.
//!
//! What asks whether two models order the same items alike needs some of their scores, and the rank that
//! one gives to the other's first item, which is one comparison a score. No ranking is sorted or stored.

use std::ops::Range;

use super::kernel::{self, ROWS};
use super::pass::{CancelToken, TILE, in_tasks};
use super::strip::{self, Strip};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::{
    Buffer, DirectionScores, Form, Lists, Model, Peaks, Queries, QueryBlock, Scalar, has_nan,
};
use crate::error::Result;

/// What is asked about each query.
#[derive(Clone, Copy)]
pub struct HeadRequest<'a> {
    /// How many items are a ranking's head.
    pub head: usize,
    /// Further items of a query.
    pub further: &'a (dyn Fn(usize) -> Vec<u32> + Sync),
}

/// What two models make of one query.
#[derive(Debug, Clone, PartialEq)]
pub struct Both<'a> {
    /// The first items, best first: fewer where a ranking ends.
    pub top_k: [Vec<u32>; 2],
    /// The scores of the items that are in a head or both, ascending by item; NaN for what is not ranked.
    pub union: [&'a [f64]; 2],
    /// The scores of the further items.
    pub further: [&'a [f64]; 2],
    /// Whether both models rank every item.
    pub are_whole: bool,
    /// The rank that the second model gives to the first one's first item, and the other way round.
    pub top_ranks: [Option<u32>; 2],
}

/// What is asked about a query, once the first items are known.
struct Question {
    top_k: [Vec<u32>; 2],
    /// The union of the first items, ascending, then the further items.
    items: Vec<u32>,
    /// How many the former are.
    union: usize,
}

impl Question {
    fn new(top_k: [Vec<u32>; 2], further: &[u32]) -> Self {
        let mut items = top_k.concat();
        items.sort_unstable();
        items.dedup();
        let union = items.len();
        items.extend_from_slice(further);
        Question { top_k, items, union }
    }

    /// The item whose rank in one model is asked for: the other one's first.
    fn top(&self, model: usize) -> Option<u32> {
        self.top_k[1 - model].first().copied()
    }

    /// `answers` are the scores of the items, NaN for those not ranked, and the rank that is asked for.
    fn answered(self, answers: [(&[f64], Option<u32>); 2], are_whole: bool) -> Both<'_> {
        let [(_, in_first), (_, in_second)] = answers;
        Both {
            union: answers.map(|(scores, _)| &scores[..self.union]),
            further: answers.map(|(scores, _)| &scores[self.union..]),
            top_k: self.top_k,
            are_whole,
            top_ranks: [in_second, in_first],
        }
    }
}

/// Calls `each` with every query of a direction and what both models make of it; what it returns is in
/// the order of the queries, `None` when it was cancelled.
///
/// # Errors
/// NaN in a matrix: the first such cell is named. Embeddings whose products are no numbers.
pub fn beside<R: Send>(
    gallery: &Gallery,
    models: [&Model; 2],
    direction: Direction,
    asked: HeadRequest<'_>,
    token: &CancelToken,
    each: impl Fn(usize, Both<'_>) -> R + Sync,
) -> Result<Option<Vec<R>>> {
    let queries = gallery.queries(direction).len();
    token.begin();
    token.announce(queries);
    let reads = models.map(|model| model.scores.by_query(direction));
    let [one, other] = &reads;
    let parts = if reads.iter().all(are_columns) {
        in_tasks(queries, strip::step(queries), token, |range| {
            let both = reads.each_ref().map(|read| strip(read, range.clone(), token));
            of_columns(&both, range, asked, &each)
        })
    } else {
        in_tasks(queries, one.step().max(other.step()), token, |range| {
            let mut first = block(one, range.clone())?;
            let mut second = block(other, range.clone())?;
            let of_query = |query: usize| {
                let rows = [first.row(query)?, second.row(query)?];
                let top_k = rows.each_ref().map(|row| row.top_k(asked.head));
                let question = Question::new(top_k, &(asked.further)(query));
                let scores = rows.each_ref().map(|row| row.scores(&question.items));
                let ranks = [0, 1].map(|of| rows[of].rank(question.top(of)?));
                let answers = [0, 1].map(|of| (&*scores[of], ranks[of]));
                // Where every cell is a score there is no NaN.
                let is_whole = |at: usize| reads[at].is_whole() || rows[at].is_whole();
                let are_whole = is_whole(0) && is_whole(1);
                Ok(each(query, question.answered(answers, are_whole)))
            };
            range.map(of_query).collect::<Result<Vec<R>>>().map(Some)
        })
    }?;
    Ok(parts.map(|parts| parts.into_iter().flatten().collect()))
}

/// The same for some queries that are columns of both matrices, all of whose cells are scores.
fn of_columns<R>(
    both: &[Box<dyn Columns + '_>; 2],
    range: Range<usize>,
    asked: HeadRequest<'_>,
    each: &impl Fn(usize, Both<'_>) -> R,
) -> Result<Option<Vec<R>>> {
    let (Some(first), Some(second)) = (both[0].top_k(asked.head)?, both[1].top_k(asked.head)?)
    else {
        return Ok(None);
    };
    let top_k = range.clone().zip(first.into_iter().zip(second));
    let question =
        |(query, (first, second))| Question::new([first, second], &(asked.further)(query));
    let questions: Vec<Question> = top_k.map(question).collect();
    let cells = Cells::new(questions.iter().map(|question| &*question.items));
    let answers = |model: usize| {
        let tops: Vec<Option<u32>> = questions.iter().map(|of| of.top(model)).collect();
        both[model].answers(&cells, &tops)
    };
    let (Some(first), Some(second)) = (answers(0), answers(1)) else {
        return Ok(None);
    };
    let mut start = 0;
    let answered = |((column, query), question): ((usize, usize), Question)| {
        let cells = start..start + question.items.len();
        start = cells.end;
        let answers = [(0, &first), (1, &second)].map(|(model, (scores, ranks))| {
            (&scores[cells.clone()], question.top(model).map(|_| ranks[column]))
        });
        each(query, question.answered(answers, true))
    };
    Ok(Some(range.enumerate().zip(questions).map(answered).collect()))
}

/// Some queries of one model.
trait Block {
    /// The scores of a query.
    ///
    /// # Errors
    /// As [`beside`].
    fn row(&mut self, query: usize) -> Result<Box<dyn Row + '_>>;
}

/// The scores of one query by item; NaN where the model does not rank the item.
trait Row {
    /// The first `k` items, best first: fewer where the ranking ends.
    fn top_k(&self, k: usize) -> Vec<u32>;
    /// The scores of these items.
    fn scores(&self, items: &[u32]) -> Vec<f64>;
    /// The rank of an item; `None` where it has none.
    fn rank(&self, item: u32) -> Option<u32>;
    /// Whether the model ranks every item.
    fn is_whole(&self) -> bool;
}

impl<T: Scalar> Row for Peaks<'_, T> {
    fn top_k(&self, k: usize) -> Vec<u32> {
        self.top_k(k, None)
    }

    fn scores(&self, items: &[u32]) -> Vec<f64> {
        items.iter().map(|&item| self.scores()[item as usize].wide()).collect()
    }

    /// Equal scores before the item outrank it, those behind it do not.
    fn rank(&self, item: u32) -> Option<u32> {
        let score = self.scores()[item as usize];
        let of_run = |(start, run): (usize, &[T])| {
            let (before, behind) =
                run.split_at((item as usize).clamp(start, start + run.len()) - start);
            kernel::count_from(before, score) + kernel::count_from(behind, score.above())
        };
        (!score.is_nan()).then(|| 1 + self.reaching(score).map(of_run).sum::<u32>())
    }

    fn is_whole(&self) -> bool {
        !has_nan(self.scores())
    }
}

fn block<'a>(read: &DirectionScores<'a>, queries: Range<usize>) -> Result<Box<dyn Block + 'a>> {
    Ok(match read.form {
        Form::Single(all) => numbers(all, queries, read.fill())?,
        Form::Double(all) => numbers(all, queries, read.fill())?,
        Form::Lists(lists) => Box::new(Listed { lists, places: Vec::new() }),
    })
}

fn numbers<'a, T: Scalar>(
    queries: Queries<'a, T>,
    range: Range<usize>,
    fill: Option<f64>,
) -> Result<Box<dyn Block + 'a>> {
    Ok(Box::new(Numbers { queries, block: queries.block(range)?, fill, scored: Vec::new() }))
}

struct Numbers<'a, T> {
    queries: Queries<'a, T>,
    block: QueryBlock<'a, T>,
    /// What the items have that are not ranked.
    fill: Option<f64>,
    /// The scores of a query, NaN for them.
    scored: Vec<T>,
}

impl<T: Scalar> Block for Numbers<'_, T> {
    fn row(&mut self, query: usize) -> Result<Box<dyn Row + '_>> {
        let mut row = self.block.row(query);
        if has_nan(row) {
            return Err(self.queries.nan_error(query));
        }
        if let Some(fill) = self.fill {
            let scored = |&score: &T| if score.wide() > fill { score } else { T::UNREACHABLE };
            self.scored.clear();
            self.scored.extend(row.iter().map(scored));
            row = &self.scored;
        }
        Ok(Box::new(Peaks::new(row)))
    }
}

/// Lists as scores: the later an item comes, the less.
struct Listed<'a> {
    lists: &'a Lists,
    places: Vec<f64>,
}

impl Block for Listed<'_> {
    fn row(&mut self, query: usize) -> Result<Box<dyn Row + '_>> {
        self.places.clear();
        self.places.resize(self.lists.item_count(), f64::NAN);
        for (place, &item) in self.lists.items(query, &mut Vec::new()).iter().enumerate() {
            self.places[item as usize] = -(place as f64);
        }
        Ok(Box::new(Peaks::new(&self.places)))
    }
}

/// Whether the queries are columns, every cell a score.
fn are_columns(read: &DirectionScores<'_>) -> bool {
    read.side.is_none()
        && match read.form {
            Form::Single(all) => strip::are_columns(all),
            Form::Double(all) => strip::are_columns(all),
            Form::Lists(_) => false,
        }
}

fn strip<'a>(
    read: &DirectionScores<'a>,
    columns: Range<usize>,
    token: &'a CancelToken,
) -> Box<dyn Columns + 'a> {
    match read.form {
        Form::Single(queries) => Box::new(Strip { queries, columns, token }),
        Form::Double(queries) => Box::new(Strip { queries, columns, token }),
        Form::Lists(_) => unreachable!("lists have no columns"),
    }
}

/// Queries that are columns of one matrix.
trait Columns {
    /// The first `k` items of each column, best first; `None` when it was cancelled.
    ///
    /// # Errors
    /// NaN: the first such cell of the file is named.
    fn top_k(&self, k: usize) -> Result<Option<Vec<Vec<u32>>>>;

    /// The scores of some cells, and the rank of an item of each column, if any; the columns hold no NaN.
    /// `None` when it was cancelled.
    fn answers(&self, cells: &Cells, tops: &[Option<u32>]) -> Option<(Vec<f64>, Vec<u32>)>;
}

impl<T: Scalar> Columns for Strip<'_, T> {
    fn top_k(&self, k: usize) -> Result<Option<Vec<Vec<u32>>>> {
        match self.top_k(k, |_| true) {
            Some((_, true)) => Err(self.queries.nan_error(self.columns.start)),
            found => Ok(found.map(|(heads, _)| heads)),
        }
    }

    fn answers(&self, cells: &Cells, tops: &[Option<u32>]) -> Option<(Vec<f64>, Vec<u32>)> {
        let mut buffer = Buffer::default();
        let score = |(column, top): (usize, &Option<u32>)| {
            top.map_or(T::UNREACHABLE, |row| {
                self.queries.source.segment(row as usize, column..column + 1, &mut buffer)[0]
            })
        };
        let mut answers = Answers {
            cells,
            scores: vec![f64::NAN; cells.cells.len()],
            thresholds: self.columns.clone().zip(tops).map(score).collect(),
            counts: vec![0; tops.len()],
            tops: Cells::new(tops.iter().map(Option::as_slice)),
        };
        let is_whole = self.blocks(|start, rows| answers.add(start, rows));
        let rank = |count| count + 1;
        is_whole.then(|| (answers.scores, answers.counts.into_iter().map(rank).collect()))
    }
}

/// Cells of some columns in the order of the rows, by counting.
struct Cells {
    /// Where each row's begin; one more at the end. Nothing beyond the last row that has any.
    starts: Vec<u32>,
    /// The column of each, and its place where column stands after column.
    cells: Vec<(u32, u32)>,
}

impl Cells {
    /// Takes the rows of each column.
    fn new<'a>(columns: impl Iterator<Item = &'a [u32]> + Clone) -> Self {
        let mut starts = vec![0];
        for &row in columns.clone().flatten() {
            starts.resize(starts.len().max(row as usize + 2), 0);
            starts[row as usize + 1] += 1;
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let mut next = starts.clone();
        let mut cells = vec![(0, 0); starts[starts.len() - 1] as usize];
        let pairs =
            (0..).zip(columns).flat_map(|(column, rows)| rows.iter().map(move |row| (column, row)));
        for (place, (column, &row)) in (0..).zip(pairs) {
            cells[next[row as usize] as usize] = (column, place);
            next[row as usize] += 1;
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

/// What is found out while the rows go by.
struct Answers<'a, T> {
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

impl<T: Scalar> Answers<'_, T> {
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
                self.scores[place as usize] = row[column as usize].wide();
            }
            // From its own row on, only what is higher outranks an item: takes back what equal ones added in
            // these rows, the item's own first, and raises the threshold for those to come.
            for &(column, _) in self.tops.of_row(start + at) {
                let column = column as usize;
                let threshold = self.thresholds[column];
                let equal = rows[at..].iter().filter(|row| row[column] == threshold).count();
                self.counts[column] -= equal as u32;
                self.thresholds[column] = threshold.above();
            }
        }
    }
}
