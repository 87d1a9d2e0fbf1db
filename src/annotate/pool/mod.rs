//! The candidates that people are asked about: what several models rank first, each pair once.

mod candidates;
mod file;
mod order;
mod queue;
#[cfg(test)]
mod tests;

pub use candidates::{Candidate, Plan, Proposed, gather};
pub use file::{EarlierAnswer, FORMAT, Pool, PoolHead, PooledPair, Proposal, read, write};
pub use order::{Order, sort};
pub use queue::{Others, PoolPairs, Queue};

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::{Direction, PerDirection};

impl Pool {
    /// The pool of candidates, under the names of those who proposed them.
    pub fn of(head: PoolHead, candidates: &[Candidate], gallery: &Gallery) -> Self {
        let names: Vec<&String> = head.models.iter().chain(&head.truths).collect();
        let proposal = |of: &Proposed| Proposal {
            model: names[of.by].clone(),
            direction: of.direction,
            rank: of.rank,
        };
        let pair = |one: &Candidate| PooledPair {
            query_direction: one.direction,
            image: gallery.images[one.pair.image.get()].clone(),
            caption: gallery.captions[one.pair.caption.get()].clone(),
            proposals: one.proposals.iter().map(proposal).collect(),
            answers: Vec::new(),
        };
        let pairs = candidates.iter().map(pair).collect();
        Pool { head, pairs }
    }

    /// The pairs of each query, in the order of the pool; queries stand as their first pairs do.
    pub fn by_query(&self) -> IndexMap<(Direction, &Id), Vec<&PooledPair>> {
        let mut all: IndexMap<_, Vec<&PooledPair>> = IndexMap::new();
        for pair in &self.pairs {
            all.entry((pair.query_direction, pair.query())).or_default().push(pair);
        }
        all
    }
}

/// What one of them proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposer<'a> {
    /// Its name.
    pub name: &'a str,
    /// Pairs that it proposed.
    pub pairs: usize,
    /// Of these, how many for a query of each direction; a pair may count in both.
    pub by_direction: PerDirection<usize>,
    /// Of these, how many nobody else proposed.
    pub alone: usize,
    /// Of these, how many each of all proposers proposed, itself included.
    pub shared: Vec<usize>,
}

/// Counts who proposed what.
pub fn overlap(pool: &Pool) -> Vec<Proposer<'_>> {
    let names: Vec<&str> =
        (pool.head.models.iter().chain(&pool.head.truths)).map(String::as_str).collect();
    let places: FxHashMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let new = |name| Proposer {
        name,
        pairs: 0,
        by_direction: PerDirection::default(),
        alone: 0,
        shared: vec![0; names.len()],
    };
    let mut proposers: Vec<Proposer<'_>> = names.iter().copied().map(new).collect();
    for pair in &pool.pairs {
        for of in &pair.proposals {
            if let Some(&place) = places.get(of.model.as_str()) {
                proposers[place].by_direction[of.direction] += 1;
            }
        }
        let own = pair.proposers();
        let own: Vec<usize> = own.iter().filter_map(|name| places.get(name).copied()).collect();
        for &place in &own {
            proposers[place].pairs += 1;
            proposers[place].alone += usize::from(own.len() == 1);
            for &other in &own {
                proposers[place].shared[other] += 1;
            }
        }
    }
    proposers
}
