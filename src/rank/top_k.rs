//! The first items of every query's ranking, selected without sorting the rest.
//!
//! Each query's scores are a run of the file or products, and parts of it that do not reach
//! the least of the best k so far are passed over; queries that are columns are gone through together, row
//! by row (`strip`). Memory: k indices a query.

use std::ops::Range;

use super::bars::Bars;
use super::kernel::{self, RUN, Score};
use super::lists;
use super::pass::CancelToken;
use super::strip::{self, Strip};
use super::tasks::in_tasks;
use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::gallery::Gallery;
use crate::data::index::{ItemIx, QueryIx};
use crate::data::scores::{ByQuery, Form, Grid, InColumns, Lists, Model, Scores};
use crate::error::Result;

/// The first items of each query, best first; equal scores in index order, as ranks are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopK {
    items: Vec<u32>,
    /// Where each query's items begin; one more at the end.
    starts: Vec<u32>,
}

impl TopK {
    /// The items of a query: fewer than asked for where the gallery or the model's ranking ends.
    pub fn of(&self, query: usize) -> &[u32] {
        &self.items[self.starts[query] as usize..self.starts[query + 1] as usize]
    }

    /// Number of queries in the gallery.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn concatenate(parts: Vec<Part>) -> Self {
        let (mut items, mut starts) = (Vec::new(), vec![0]);
        for part in parts {
            let base = items.len() as u32;
            starts.extend(part.ends.iter().map(|end| base + end));
            items.extend(part.items);
        }
        TopK { items, starts }
    }
}

/// Finds the first `k` items of all queries of a direction, of those that compete; `None` when it was
/// cancelled. NaN is passed over: counting ranks is what refuses it.
///
/// # Errors
/// Embeddings whose products are no numbers.
pub fn top_k(
    gallery: &Gallery,
    model: &Model,
    mask: Option<&CandidateMask>,
    direction: Direction,
    k: usize,
    token: &CancelToken,
) -> Result<Option<TopK>> {
    token.begin();
    let queries = gallery.queries(direction).len();
    of_scores(&model.scores, queries, mask, direction, k, token)
}

/// The same of so many queries, as a part of what `token` tells of.
pub(super) fn of_scores(
    scores: &Scores,
    queries: usize,
    mask: Option<&CandidateMask>,
    direction: Direction,
    k: usize,
    token: &CancelToken,
) -> Result<Option<TopK>> {
    token.announce(queries);
    let finder = Finder { k, queries, direction, mask, token };
    let read = scores.by_query(direction);
    let fill = read.fill();
    match (read.columns(), &read.form) {
        (Some(InColumns::Single(matrix)), _) => finder.of_columns::<f32, _>(matrix, fill),
        (Some(InColumns::Double(matrix)), _) => finder.of_columns::<f64, _>(matrix, fill),
        (Some(InColumns::Mixture(mixture)), _) => finder.of_columns(mixture, fill),
        (None, Form::Single(scores)) => finder.select(&**scores, fill),
        (None, Form::Double(scores)) => finder.select(&**scores, fill),
        (None, Form::Lists(lists)) => finder.of_lists(lists),
    }
}

/// What all tasks share.
struct Finder<'a> {
    k: usize,
    queries: usize,
    direction: Direction,
    mask: Option<&'a CandidateMask>,
    token: &'a CancelToken,
}

/// The items of consecutive queries, and where each query's end.
#[derive(Default)]
struct Part {
    items: Vec<u32>,
    ends: Vec<u32>,
}

impl Part {
    fn push(&mut self, items: impl Iterator<Item = u32>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }
}

impl Finder<'_> {
    fn competes(&self, query: usize, item: u32) -> bool {
        let (query, item) = (QueryIx::new(query), ItemIx::from(item));
        let competes = |mask: &CandidateMask| mask.competes(self.direction, query, item);
        self.mask.is_none_or(competes)
    }

    fn of_columns<T: Score + Into<f64>, G: Grid<T>>(
        &self,
        grid: &G,
        fill: Option<f64>,
    ) -> Result<Option<TopK>> {
        self.tasks(strip::step(self.queries), |columns, part| {
            let strip = Strip { grid, columns: columns.clone(), token: self.token };
            let is_in = |column: usize, item, score: T| {
                let is_scored = fill.is_none_or(|fill| score.into() > fill);
                is_scored && self.competes(columns.start + column, item)
            };
            let bars = strip.bars(self.k, self.mask.is_none(), is_in);
            for head in bars.into_iter().flat_map(Bars::top_k) {
                part.push(head.into_iter());
            }
            Ok(())
        })
    }

    /// Cells that hold the fill, or less, were not scored.
    fn select<T: Score + Into<f64>>(
        &self,
        scores: &dyn ByQuery<T>,
        fill: Option<f64>,
    ) -> Result<Option<TopK>> {
        self.tasks(scores.step(), |queries, part| {
            let mut kept = Vec::new();
            scores.visit(queries, &mut |query, scores| {
                best(scores, self.k, &mut kept, |item, score: T| {
                    fill.is_none_or(|fill| score.into() > fill) && self.competes(query, item)
                });
                part.push(kept.iter().map(|&key| T::of_key(key).1));
            })
        })
    }

    fn of_lists(&self, of_queries: &Lists) -> Result<Option<TopK>> {
        self.tasks(lists::TASK_QUERIES, |queries, part| {
            let mut buffer = Vec::new();
            for query in queries {
                let list = of_queries.items(query, &mut buffer);
                let list = list.iter().filter(|item| self.competes(query, **item));
                part.push(list.copied().take(self.k));
            }
            Ok(())
        })
    }

    fn tasks(
        &self,
        step: usize,
        find: impl Fn(Range<usize>, &mut Part) -> Result<()> + Sync,
    ) -> Result<Option<TopK>> {
        let task = |queries: Range<usize>| {
            let mut part = Part::default();
            find(queries, &mut part)?;
            Ok((!self.token.is_cancelled()).then_some(part))
        };
        let parts = in_tasks(self.queries, step, self.token, task)?;
        Ok(parts.map(TopK::concatenate))
    }
}

/// Brings the keys of the `k` best scores of items that are in into `kept`, best first.
pub(super) fn best<T: Score>(
    scores: &[T],
    k: usize,
    kept: &mut Vec<T::Key>,
    is_in: impl Fn(u32, T) -> bool,
) {
    kept.clear();
    if k == 0 {
        return;
    }
    // Items come by ascending index, so one that only equals the bar ranks behind it.
    let mut bar = None;
    for (run, start) in scores.chunks(RUN).zip((0..).step_by(RUN)) {
        if bar.is_some_and(|bar| !kernel::any_above(run, bar)) {
            continue;
        }
        for (item, &score) in (start..).zip(run) {
            let is_better = bar.map_or(!score.is_nan(), |bar| score > bar);
            if !is_better || !is_in(item, score) {
                continue;
            }
            bar = enter(score.key(item), k, kept).or(bar);
        }
    }
    settle(kept, k);
}

/// Takes in one item more; the k-th best score, where that is known anew. `k` is not 0.
pub(super) fn enter<T: Score>(one: T::Key, k: usize, kept: &mut Vec<T::Key>) -> Option<T> {
    kept.push(one);
    (kept.len() >= 2 * k).then(|| {
        let least = *kept.select_nth_unstable(k - 1).1;
        kept.truncate(k);
        T::of_key(least).0
    })
}

/// The first `k` of the keys, in order.
pub(super) fn settle<K: Ord>(kept: &mut Vec<K>, k: usize) {
    if k < kept.len() {
        kept.select_nth_unstable(k);
        kept.truncate(k);
    }
    kept.sort_unstable();
}
