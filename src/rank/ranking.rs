//! The full ranking of one query, sorted on demand.

use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::index::{ItemIx, QueryIx};
use crate::data::scores::{Form, Model, Peaks};
use crate::error::Result;

/// The ranked items of one query, best first; equal scores in index order.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Gallery index of each item, best first. Items that the model did not score or list are missing: this may be
    /// shorter than the gallery, and empty.
    pub order: Vec<u32>,
    /// Score by gallery index; NaN for items without one, and for all items of a ranked
    /// list without scores.
    pub scores: Vec<f64>,
}

impl Ranking {
    /// The ranking of one query among all items.
    pub fn for_query(model: &Model, direction: Direction, query: usize) -> Self {
        let read = model.scores.by_query(direction);
        let scores = read.scores(query);
        let order = match read.form {
            Form::Lists(lists) => lists.items(query, &mut Vec::new()).to_vec(),
            // Skips NaN: counting ranks reports it as an error, perhaps later.
            _ => Peaks::new(&scores).top_k(scores.len(), None),
        };
        Ranking { order, scores }
    }

    /// The ranking of one query among the items of its pool.
    pub fn in_pool(
        model: &Model,
        mask: Option<&CandidateMask>,
        direction: Direction,
        query: usize,
    ) -> Self {
        let mut ranking = Self::for_query(model, direction, query);
        if let Some(mask) = mask {
            ranking.keep(|item| mask.competes(direction, QueryIx::new(query), item));
        }
        ranking
    }

    /// Drops the items that do not compete from `order`.
    pub fn keep(&mut self, competes: impl Fn(ItemIx) -> bool) {
        self.order.retain(|&item| competes(item.into()));
    }
}

/// Checks the scores as counting ranks would: refuses a file with a NaN in any query, and embeddings if products of
/// these queries are no numbers.
///
/// # Errors
/// The first NaN of the file.
pub fn check_scores(model: &Model, direction: Direction, queries: &[usize]) -> Result<()> {
    model.scores.query_nan_error(direction, queries).map_or(Ok(()), Err)
}

/// The ranks of some items of one query, from 1, in the pool; `None` if the item is unranked, or not in the pool. No
/// ranking is sorted.
pub fn item_ranks(
    model: &Model,
    mask: Option<&CandidateMask>,
    direction: Direction,
    query: usize,
    items: &[u32],
) -> Vec<Option<u32>> {
    let competes = |item: usize| {
        let (query, item) = (QueryIx::new(query), ItemIx::new(item));
        mask.is_none_or(|mask| mask.competes(direction, query, item))
    };
    let read = model.scores.by_query(direction);
    if let Form::Lists(lists) = read.form {
        let mut list = lists.items(query, &mut Vec::new()).to_vec();
        list.retain(|&item| competes(item as usize));
        let rank = |item| Some(list.iter().position(|listed| listed == item)? as u32 + 1);
        return items.iter().map(rank).collect();
    }
    let mut scores = read.scores(query);
    if mask.is_some() {
        let outside = scores.iter_mut().enumerate().filter(|(item, _)| !competes(*item));
        outside.for_each(|(_, score)| *score = f64::NAN);
    }
    let rank = |&item: &u32| {
        let score = scores[item as usize];
        let (before, after) = scores.split_at(item as usize);
        let outranking = before.iter().filter(|&&other| other >= score).count()
            + after.iter().filter(|&&other| other > score).count();
        (!score.is_nan()).then_some(outranking as u32 + 1)
    };
    items.iter().map(rank).collect()
}
