//! Similarities of all items to each query: what a truth has besides positives where these are the most similar
//! items.

use crate::data::scores::Scores;
use crate::data::sets::Sets;

/// How many of the most similar items are kept for each query, and the greatest depth of what asks for them.
pub const DEPTH: usize = 30;

/// A value over all items, and one over those that are no original positives of the query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OfItems<T> {
    /// Over all.
    pub all: T,
    /// Without the original positives.
    pub others: T,
}

/// The similarities phi of one direction.
#[derive(Debug)]
pub struct Similar {
    /// phi of every pair.
    pub phi: Scores,
    /// The original positives of each query.
    pub own: Sets,
    /// The [`DEPTH`] most similar items of each query, the greatest phi first.
    pub items: Vec<Box<[u32]>>,
    /// phi of the [`DEPTH`] most similar items of each query, the greatest first; fewer where there are fewer items.
    pub best: Vec<OfItems<Box<[f64]>>>,
}

impl Similar {
    /// The `m` most similar items of a query with their phi, as far as they have anything in common with it.
    pub fn nearest(&self, query: usize, m: usize) -> impl Iterator<Item = (u32, f64)> {
        let items = self.items[query].iter().copied();
        let pairs = items.zip(self.best[query].all.iter().copied());
        pairs.take(m).filter(|(_, phi)| *phi > 0.0)
    }
}
