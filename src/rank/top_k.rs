//! The first items of every query's ranking, selected without sorting the rest.
//!
//! Parts of a query's scores whose greatest does not reach the best k so far are passed over; queries that are
//! columns are gone through together, row by row. Memory: k indices a query.

use std::ops::Range;

use super::partial::TASK_QUERIES;
use super::pass::{CancelToken, in_tasks};
use super::strip::{self, Strip};
use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::gallery::Gallery;
use crate::data::scores::{Form, Lists, Model, Peaks, Queries, Scalar, Scores};
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

    /// Appends a query.
    pub(super) fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.starts.push(self.items.len() as u32);
    }
}

impl Default for TopK {
    /// Of no query.
    fn default() -> Self {
        TopK { items: Vec::new(), starts: vec![0] }
    }
}

/// Finds the first `k` items of all queries of a direction, of those that compete; `None` when it was
/// cancelled. NaN is passed over: counting ranks is what refuses it. Queries outside of the mask have none.
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
    let Some(mask) = mask else {
        return of_scores(&model.scores, queries, direction, k, token);
    };
    let mut heads = vec![Vec::new(); queries];
    for (at, part) in mask.parts().iter().enumerate() {
        let (queries, items) = (part.queries(direction), part.items(direction));
        let scores = mask.model(model, at)?.scores;
        let Some(found) = of_scores(&scores, queries.len(), direction, k, token)? else {
            return Ok(None);
        };
        for (place, &query) in queries.iter().enumerate() {
            let head = found.of(place).iter();
            heads[query as usize] = head.map(|&item| items[item as usize]).collect();
        }
    }
    let mut whole = TopK::default();
    for head in heads {
        whole.push(head);
    }
    Ok(Some(whole))
}

/// The same of so many queries, as a part of what `token` tells of.
pub(super) fn of_scores(
    scores: &Scores,
    queries: usize,
    direction: Direction,
    k: usize,
    token: &CancelToken,
) -> Result<Option<TopK>> {
    token.announce(queries);
    let finder = Finder { k, queries, token };
    let read = scores.by_query(direction);
    match read.form {
        Form::Single(all) => finder.select(all, read.fill()),
        Form::Double(all) => finder.select(all, read.fill()),
        Form::Lists(lists) => finder.of_lists(lists),
    }
}

/// What all tasks share.
struct Finder<'a> {
    k: usize,
    queries: usize,
    token: &'a CancelToken,
}

impl Finder<'_> {
    /// Cells that hold the fill, or less, were not scored.
    fn select<T: Scalar>(&self, scores: Queries<'_, T>, fill: Option<f64>) -> Result<Option<TopK>> {
        let is_scored = |score: T| fill.is_none_or(|fill| score.wide() > fill);
        if strip::are_columns(scores) {
            return self.tasks(strip::step(self.queries), |columns, part| {
                let strip = Strip { queries: scores, columns, token: self.token };
                let found = strip.top_k(self.k, true, |_, _, score| is_scored(score));
                let heads = found.into_iter().flat_map(|(heads, _)| heads);
                heads.for_each(|head| part.push(head));
                Ok(())
            });
        }
        self.tasks(scores.step(), |queries, part| {
            scores.visit(queries, |_, scores| part.push(Peaks::new(scores).top_k(self.k, fill)))
        })
    }

    fn of_lists(&self, of_queries: &Lists) -> Result<Option<TopK>> {
        self.tasks(TASK_QUERIES, |queries, part| {
            let mut buffer = Vec::new();
            for query in queries {
                let list = of_queries.items(query, &mut buffer);
                part.push(list.iter().copied().take(self.k));
            }
            Ok(())
        })
    }

    fn tasks(
        &self,
        step: usize,
        find: impl Fn(Range<usize>, &mut TopK) -> Result<()> + Sync,
    ) -> Result<Option<TopK>> {
        let task = |queries: Range<usize>| {
            let mut part = TopK::default();
            find(queries, &mut part)?;
            Ok((!self.token.is_cancelled()).then_some(part))
        };
        let parts = in_tasks(self.queries, step, self.token, task)?;
        Ok(parts.map(|parts| {
            let mut whole = TopK::default();
            for part in parts {
                let base = whole.items.len() as u32;
                whole.starts.extend(part.starts[1..].iter().map(|start| base + start));
                whole.items.extend(part.items);
            }
            whole
        }))
    }
}
