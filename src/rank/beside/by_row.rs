//! Queries whose scores stand beside each other: rows of a matrix, products, lists; and columns with cells
//! that are no scores, which are transposed.

use std::ops::Range;

use crate::data::Direction;
use crate::data::scores::{ByQuery, Form, Lists, Model, Queries, Scores};
use crate::error::Result;
use crate::rank::kernel::{self, RUN, Score};
use crate::rank::top_k::{best, settle};

/// Queries of one task at least.
const TASK_QUERIES: usize = 32;
/// The same where queries are columns: so many that what is read of each row is worth the way to it.
const TASK_COLUMNS: usize = 256;

/// The scores of one query by item; NaN where the model does not rank the item.
#[derive(Debug)]
pub(super) struct ItemScores<'a> {
    scores: Scored<'a>,
    /// Whether every item is known to have a score.
    is_whole: bool,
}

#[derive(Debug, Clone, Copy)]
enum Run<'a> {
    /// As most files have them.
    Single(&'a [f32]),
    /// In double precision.
    Double(&'a [f64]),
}

#[derive(Debug)]
enum Scored<'a> {
    Single(Peaks<'a, f32>),
    Double(Peaks<'a, f64>),
}

impl<'a> ItemScores<'a> {
    fn new(run: Run<'a>, is_whole: bool) -> Self {
        let scores = match run {
            Run::Single(scores) => Scored::Single(Peaks::of(scores)),
            Run::Double(scores) => Scored::Double(Peaks::of(scores)),
        };
        ItemScores { scores, is_whole }
    }

    /// The first `k` items, best first: fewer where the ranking ends.
    pub(super) fn head(&self, k: usize) -> Vec<u32> {
        match &self.scores {
            Scored::Single(scores) => scores.head(k),
            Scored::Double(scores) => scores.head(k),
        }
    }

    /// Whether the model ranks every item.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
            || match &self.scores {
                Scored::Single(scores) => !kernel::has_nan(scores.scores),
                Scored::Double(scores) => !kernel::has_nan(scores.scores),
            }
    }

    /// The scores of these items; NaN for those without one.
    pub(super) fn scores(&self, items: &[u32]) -> Vec<f64> {
        match &self.scores {
            Scored::Single(of) => {
                items.iter().map(|&item| of.scores[item as usize].into()).collect()
            }
            Scored::Double(of) => items.iter().map(|&item| of.scores[item as usize]).collect(),
        }
    }

    /// The rank of an item; `None` where it has none.
    pub(super) fn rank(&self, item: u32) -> Option<u32> {
        match &self.scores {
            Scored::Single(scores) => scores.rank(item),
            Scored::Double(scores) => scores.rank(item),
        }
    }
}

/// Scores, and the greatest of each run of them: they tell where to look.
#[derive(Debug)]
struct Peaks<'a, T> {
    scores: &'a [T],
    greatest: Vec<T>,
}

impl<'a, T: Score> Peaks<'a, T> {
    fn of(scores: &'a [T]) -> Self {
        let mut greatest = vec![T::UNREACHABLE; scores.len().div_ceil(RUN)];
        kernel::greatest(scores, &mut greatest);
        Peaks { scores, greatest }
    }

    /// The runs some score of which reaches a bar, and where they begin.
    fn reaching(&self, bar: T) -> impl Iterator<Item = (usize, &'a [T])> {
        let runs = (0..).step_by(RUN).zip(self.scores.chunks(RUN));
        let both = runs.zip(&self.greatest);
        both.filter(move |(_, greatest)| **greatest >= bar).map(|(run, _)| run)
    }

    /// The k-th of the greatest scores is reached by k items at least, so that runs below it hold none of
    /// the first k.
    fn head(&self, k: usize) -> Vec<u32> {
        let mut kept: Vec<T::Key> = Vec::with_capacity(2 * k);
        let known = self.greatest.iter().filter(|score| !score.is_nan());
        let mut bars: Vec<T::Key> = known.map(|score| score.key(0)).collect();
        if k == 0 || bars.len() < k {
            best(self.scores, k, &mut kept, |_, _| true);
        } else {
            let bar = T::of_key(*bars.select_nth_unstable(k - 1).1).0;
            for (start, run) in self.reaching(bar) {
                let items = (start as u32..).zip(run).filter(|(_, score)| **score >= bar);
                kept.extend(items.map(|(item, score)| score.key(item)));
            }
            settle(&mut kept, k);
        }
        kept.iter().map(|&key| T::of_key(key).1).collect()
    }

    /// Equal scores before the item outrank it, those behind it do not.
    fn rank(&self, item: u32) -> Option<u32> {
        let score = self.scores[item as usize];
        let of_run = |(start, run): (usize, &[T])| {
            let (before, behind) =
                run.split_at((item as usize).clamp(start, start + run.len()) - start);
            kernel::count_from(before, score) + kernel::count_from(behind, score.above())
        };
        (!score.is_nan()).then(|| 1 + self.reaching(score).map(of_run).sum::<u32>())
    }
}

/// Where one model's scores come from.
pub(super) struct Source<'a> {
    scores: &'a Scores,
    direction: Direction,
    /// Items of each query.
    items: usize,
    read: Queries<'a>,
}

impl<'a> Source<'a> {
    pub(super) fn of(model: &'a Model, direction: Direction, items: usize) -> Self {
        Source { scores: &model.scores, direction, items, read: model.scores.by_query(direction) }
    }

    /// How many queries are read at once.
    pub(super) fn step(&self) -> usize {
        match &self.read.form {
            Form::Single(scores) => step(&**scores),
            Form::Double(scores) => step(&**scores),
            Form::Lists(_) => TASK_QUERIES,
        }
    }

    /// Whether every item has a score: NaN is an error, and nothing ends early.
    fn is_whole(&self) -> bool {
        self.read.fill().is_none() && !matches!(self.read.form, Form::Lists(_))
    }

    /// Whether a query's scores are read where they stand.
    fn is_direct(&self) -> bool {
        let is_run = match &self.read.form {
            Form::Single(scores) => is_run(&**scores),
            Form::Double(scores) => is_run(&**scores),
            Form::Lists(_) => false,
        };
        is_run && self.read.fill().is_none()
    }

    /// Brings some queries in.
    ///
    /// # Errors
    /// As [`super::beside`].
    pub(super) fn block(&self, queries: Range<usize>) -> Result<Block<'_>> {
        let mut block =
            Block { source: self, start: queries.start, single: Vec::new(), double: Vec::new() };
        let has_nan = match &self.read.form {
            _ if self.is_direct() => false,
            Form::Single(scores) => copy(&**scores, queries, self.read.fill(), &mut block.single)?,
            Form::Double(scores) => copy(&**scores, queries, self.read.fill(), &mut block.double)?,
            Form::Lists(lists) => {
                places(lists, queries, &mut block.double);
                false
            }
        };
        self.no_nan(has_nan)?;
        Ok(block)
    }

    fn no_nan(&self, has_nan: bool) -> Result<()> {
        let error = has_nan.then(|| self.scores.nan_error(self.direction)).flatten();
        error.map_or(Ok(()), Err)
    }
}

/// Some queries of one model; nothing is copied of those that are read where they stand.
pub(super) struct Block<'a> {
    source: &'a Source<'a>,
    start: usize,
    single: Vec<f32>,
    double: Vec<f64>,
}

impl Block<'_> {
    /// Calls `then` with the scores of a query.
    ///
    /// # Errors
    /// As [`super::beside`], and those of `then`.
    pub(super) fn row(
        &self,
        query: usize,
        then: &mut dyn FnMut(&ItemScores<'_>) -> Result<()>,
    ) -> Result<()> {
        let (source, is_whole) = (self.source, self.source.is_whole());
        if !source.is_direct() {
            let at = query - self.start;
            let range = at * source.items..(at + 1) * source.items;
            let scores = if self.double.is_empty() {
                Run::Single(&self.single[range])
            } else {
                Run::Double(&self.double[range])
            };
            return then(&ItemScores::new(scores, is_whole));
        }
        let mut outcome = Ok(());
        let mut seen = |scores: Run<'_>, has_nan| {
            outcome =
                source.no_nan(has_nan).and_then(|()| then(&ItemScores::new(scores, is_whole)));
        };
        let query = query..query + 1;
        match &source.read.form {
            Form::Single(scores) => scores.visit(query, &mut |_, row| {
                seen(Run::Single(row), kernel::has_nan(row));
            })?,
            Form::Double(scores) => scores.visit(query, &mut |_, row| {
                seen(Run::Double(row), kernel::has_nan(row));
            })?,
            Form::Lists(_) => {}
        }
        outcome
    }
}

/// Whether a query is a run of a file.
fn is_run<T>(scores: &dyn ByQuery<T>) -> bool {
    !scores.are_columns() && scores.made_together() == 1
}

fn step<T>(scores: &dyn ByQuery<T>) -> usize {
    let least = if scores.are_columns() { TASK_COLUMNS } else { TASK_QUERIES };
    scores.made_together().max(least)
}

/// Copies the scores of some queries, NaN for those that are not above the fill; whether there was NaN
/// among them.
fn copy<T: Score + Into<f64>>(
    scores: &dyn ByQuery<T>,
    queries: Range<usize>,
    fill: Option<f64>,
    block: &mut Vec<T>,
) -> Result<bool> {
    scores.gather(queries, block)?;
    let has_nan = kernel::has_nan(block);
    if let Some(fill) = fill {
        for score in block.iter_mut() {
            let is_scored = (*score).into() > fill;
            if !is_scored {
                *score = T::UNREACHABLE;
            }
        }
    }
    Ok(has_nan)
}

/// Lists as scores: the later an item comes, the less.
fn places(lists: &Lists, queries: Range<usize>, block: &mut Vec<f64>) {
    let items = lists.item_count();
    block.clear();
    block.resize(queries.len() * items, f64::NAN);
    let mut buffer = Vec::new();
    for (query, row) in queries.zip(block.chunks_exact_mut(items.max(1))) {
        for (place, &item) in lists.items(query, &mut buffer).iter().enumerate() {
            row[item as usize] = -(place as f64);
        }
    }
}
