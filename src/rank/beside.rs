//! The scores that two models give to the items of each query, beside each other.
//!
//! What asks whether two models order the same items alike needs their scores, not ranks; and the one
//! rank of a first item is one comparison a score. So each model is read once a direction, a few
//! queries at a time, and no ranking is sorted or stored.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use super::by_query::{ByQuery, OfMatrix, OfProduct};
use super::heads::{ahead, best};
use super::kernel::{self, Score};
use super::pass::Watch;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::{Embeddings, Lists, Mixture, Model, ScoreMatrix, Scores};
use crate::error::Result;

/// Queries of one task at least.
const TASK_QUERIES: usize = 32;
/// The same where queries are columns: so many that what is read of each row is worth the way to it.
const TASK_COLUMNS: usize = 256;

/// The scores of one query by item; NaN where the model does not rank the item.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
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

impl Row<'_> {
    /// The first `k` items, best first: fewer where the ranking ends.
    pub fn head(self, k: usize) -> Vec<u32> {
        match self.scores {
            Run::Single(scores) => head(scores, k),
            Run::Double(scores) => head(scores, k),
        }
    }

    /// Whether the model ranks every item.
    pub fn is_whole(self) -> bool {
        self.is_whole
            || match self.scores {
                Run::Single(scores) => !kernel::has_nan(scores),
                Run::Double(scores) => !kernel::has_nan(scores),
            }
    }

    /// The score of an item; NaN without one.
    pub fn score(self, item: u32) -> f64 {
        match self.scores {
            Run::Single(scores) => scores[item as usize].into(),
            Run::Double(scores) => scores[item as usize],
        }
    }

    /// The rank of an item; `None` where it has none.
    pub fn rank(self, item: u32) -> Option<u32> {
        match self.scores {
            Run::Single(scores) => rank(scores, item as usize),
            Run::Double(scores) => rank(scores, item as usize),
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
        let descending = |one: &T, other: &T| other.partial_cmp(one).unwrap_or(Ordering::Equal);
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

/// Calls `each` with every query of a direction and both models' scores for it; what it returns is in
/// the order of the queries, `None` when it was cancelled.
///
/// # Errors
/// NaN in a matrix: the first such cell is named. Embeddings whose products are no numbers.
pub fn beside<R: Send>(
    gallery: &Gallery,
    models: [&Model; 2],
    direction: Direction,
    watch: &Watch,
    each: impl Fn(usize, [Row<'_>; 2]) -> R + Sync,
) -> Result<Option<Vec<R>>> {
    let queries = gallery.queries(direction).len();
    let items = gallery.items(direction).len();
    let sources = models.map(|model| Source::of(model, direction));
    let step = sources[0].step().max(sources[1].step());
    watch.begin();
    watch.announce(queries);
    let task = |blocks: &mut [Block; 2], at: usize| {
        if watch.is_cancelled() {
            return Ok(None);
        }
        let range = at * step..queries.min((at + 1) * step);
        for (source, block) in sources.iter().zip(blocks.iter_mut()) {
            source.read(range.clone(), block)?;
            block.is_whole = source.is_whole();
        }
        let row = |at: usize| blocks.each_ref().map(|block| block.row(at, items));
        let found: Vec<R> = range
            .clone()
            .map(|query| each(query, row(query - range.start)))
            .collect();
        watch.advance(range.len());
        Ok(Some(found))
    };
    let tasks = (0..queries.div_ceil(step)).into_par_iter();
    let parts: Option<Vec<Vec<R>>> = tasks
        .map_init(Default::default, task)
        .collect::<Result<_>>()?;
    Ok(parts.map(|parts| parts.into_iter().flatten().collect()))
}

/// The scores of some queries of one model.
#[derive(Default)]
struct Block {
    single: Vec<f32>,
    double: Vec<f64>,
    /// Whether every item of these queries has a score.
    is_whole: bool,
}

impl Block {
    fn row(&self, at: usize, items: usize) -> Row<'_> {
        let range = at * items..(at + 1) * items;
        let scores = if self.double.is_empty() {
            Run::Single(&self.single[range])
        } else {
            Run::Double(&self.double[range])
        };
        Row {
            scores,
            is_whole: self.is_whole,
        }
    }
}

/// Where one model's scores come from.
struct Source<'a> {
    scores: &'a Scores,
    direction: Direction,
    read: Read<'a>,
    /// Cells that hold it, or less, were not scored.
    fill: Option<f64>,
}

enum Read<'a> {
    Single(Box<dyn ByQuery<f32> + 'a>),
    Double(Box<dyn ByQuery<f64> + 'a>),
    Lists(&'a Lists),
}

impl<'a> Source<'a> {
    fn of(model: &'a Model, direction: Direction) -> Self {
        let mut fill = None;
        let read = match &model.scores {
            Scores::Matrix(matrix) => of_matrix(matrix, direction),
            Scores::Two(sides) => {
                fill = sides[direction].fill;
                of_matrix(&sides[direction].matrix, direction)
            }
            Scores::Mixture(mixture) => {
                let mixed = OfMatrix::<Mixture>::new::<f64>(mixture, direction);
                Read::Double(Box::new(mixed))
            }
            Scores::Embeddings(embeddings) => of_embeddings(embeddings, direction),
            Scores::Lists(lists) => Read::Lists(&lists[direction]),
        };
        Source {
            scores: &model.scores,
            direction,
            read,
            fill,
        }
    }

    /// How many queries are read at once.
    fn step(&self) -> usize {
        match &self.read {
            Read::Single(scores) => step(&**scores),
            Read::Double(scores) => step(&**scores),
            Read::Lists(_) => TASK_QUERIES,
        }
    }

    /// Whether every item has a score: NaN is an error, and nothing ends early.
    fn is_whole(&self) -> bool {
        self.fill.is_none() && !matches!(self.read, Read::Lists(_))
    }

    fn read(&self, queries: Range<usize>, block: &mut Block) -> Result<()> {
        let has_nan = match &self.read {
            Read::Single(scores) => copy(&**scores, queries, self.fill, &mut block.single)?,
            Read::Double(scores) => copy(&**scores, queries, self.fill, &mut block.double)?,
            Read::Lists(lists) => {
                places(lists, queries, &mut block.double);
                false
            }
        };
        let error = has_nan
            .then(|| self.scores.nan_error(self.direction))
            .flatten();
        error.map_or(Ok(()), Err)
    }
}

fn step<T>(scores: &dyn ByQuery<T>) -> usize {
    let least = if scores.are_columns() {
        TASK_COLUMNS
    } else {
        TASK_QUERIES
    };
    scores.made_together().max(least)
}

fn of_matrix(matrix: &ScoreMatrix, direction: Direction) -> Read<'_> {
    if matrix.is_double() {
        Read::Double(Box::new(OfMatrix::new::<f64>(matrix, direction)))
    } else {
        Read::Single(Box::new(OfMatrix::new::<f32>(matrix, direction)))
    }
}

fn of_embeddings(embeddings: &Embeddings, direction: Direction) -> Read<'_> {
    match embeddings {
        Embeddings::Single(product) => Read::Single(Box::new(OfProduct { product, direction })),
        Embeddings::Double(product) => Read::Double(Box::new(OfProduct { product, direction })),
    }
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
