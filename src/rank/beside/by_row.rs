//! Queries whose scores stand beside each other: rows of a matrix, products, lists; and columns with cells
//! that are no scores, which are transposed.

use std::ops::Range;

use super::ItemsOfModel;
use crate::data::Direction;
use crate::data::scores::{ByQuery, Form, Lists, Model, Queries, Scores};
use crate::error::Result;
use crate::rank::kernel::{self, Score};
use crate::rank::top_k::{ahead, best, descending};

/// Queries of one task at least.
const TASK_QUERIES: usize = 32;
/// The same where queries are columns: so many that what is read of each row is worth the way to it.
const TASK_COLUMNS: usize = 256;

/// The scores of one query by item; NaN where the model does not rank the item.
#[derive(Debug, Clone, Copy)]
pub(in crate::rank) struct ItemScores<'a> {
    scores: Run<'a>,
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

impl ItemScores<'_> {
    /// The first `k` items, best first: fewer where the ranking ends.
    pub(in crate::rank) fn head(self, k: usize) -> Vec<u32> {
        match self.scores {
            Run::Single(scores) => head(scores, k),
            Run::Double(scores) => head(scores, k),
        }
    }

    /// Whether the model ranks every item.
    pub(in crate::rank) fn is_whole(self) -> bool {
        self.is_whole
            || match self.scores {
                Run::Single(scores) => !kernel::has_nan(scores),
                Run::Double(scores) => !kernel::has_nan(scores),
            }
    }

    /// The score of an item; NaN without one.
    pub(in crate::rank) fn score(self, item: u32) -> f64 {
        match self.scores {
            Run::Single(scores) => scores[item as usize].into(),
            Run::Double(scores) => scores[item as usize],
        }
    }

    /// The rank of an item; `None` where it has none.
    pub(in crate::rank) fn rank(self, item: u32) -> Option<u32> {
        match self.scores {
            Run::Single(scores) => rank(scores, item as usize),
            Run::Double(scores) => rank(scores, item as usize),
        }
    }

    /// What it says of these items, and of the one whose rank is asked for.
    pub(super) fn of_model(self, items: &[u32], top: Option<u32>) -> ItemsOfModel {
        ItemsOfModel {
            scores: items.iter().map(|&item| self.score(item)).collect(),
            rank: top.and_then(|top| self.rank(top)),
        }
    }
}

/// Items whose greatest score is taken together.
const RUN: usize = 64;

/// The greatest scores of runs tell where to look: the k-th greatest of them is reached by k items at
/// least, so that runs below it hold none of the first k.
fn head<T: Score>(scores: &[T], k: usize) -> Vec<u32> {
    let greatest: Vec<T> = scores.chunks(RUN).map(kernel::greatest).collect();
    let mut kept: Vec<(T, u32)> = Vec::with_capacity(2 * k);
    let mut bars = greatest.clone();
    bars.retain(|bar| !bar.is_nan());
    let bar = if bars.len() >= k && k > 0 {
        *bars.select_nth_unstable_by(k - 1, descending).1
    } else {
        best(scores, k, &mut kept, |_, _| true);
        return kept.iter().map(|&(_, item)| item).collect();
    };
    for ((run, start), greatest) in scores.chunks(RUN).zip((0..).step_by(RUN)).zip(greatest) {
        if greatest >= bar {
            let reaching = (start..).zip(run).filter(|(_, score)| **score >= bar);
            kept.extend(reaching.map(|(item, &score)| (score, item)));
        }
    }
    kept.sort_unstable_by(ahead);
    kept.truncate(k);
    kept.iter().map(|&(_, item)| item).collect()
}

/// Equal scores before the item outrank it, those behind it do not.
fn rank<T: Score>(scores: &[T], item: usize) -> Option<u32> {
    let score = scores[item];
    let before = kernel::count_from(&scores[..item], score);
    let behind = kernel::count_from(&scores[item + 1..], score.above());
    (!score.is_nan()).then_some(1 + before + behind)
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
        Source {
            scores: &model.scores,
            direction,
            items,
            read: model.scores.by_query(direction),
        }
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
        let mut block = Block {
            source: self,
            start: queries.start,
            single: Vec::new(),
            double: Vec::new(),
        };
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
        let error = has_nan
            .then(|| self.scores.nan_error(self.direction))
            .flatten();
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
        then: &mut dyn FnMut(ItemScores<'_>) -> Result<()>,
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
            return then(ItemScores { scores, is_whole });
        }
        let mut outcome = Ok(());
        let mut seen = |scores: Run<'_>, has_nan| {
            let row = ItemScores { scores, is_whole };
            outcome = source.no_nan(has_nan).and_then(|()| then(row));
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
    let least = if scores.are_columns() {
        TASK_COLUMNS
    } else {
        TASK_QUERIES
    };
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
