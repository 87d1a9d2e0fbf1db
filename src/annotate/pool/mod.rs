//! The candidates that people are asked about: what several models rank first, each pair once.

mod candidates;
mod file;
mod order;
mod overlap;
mod queue;

pub use candidates::{Candidate, Plan, Proposed, gather};
pub use file::{EarlierAnswer, FORMAT, Pool, PoolHead, PooledPair, Proposal, read, write};
pub use order::{Order, sort};
pub use overlap::{Overlap, Proposer, overlap};
pub use queue::{Others, PoolPairs, Queue};

use rustc_hash::FxHashMap;

use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::Id;

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
    pub fn by_query(&self) -> Vec<(Direction, &Id, Vec<&PooledPair>)> {
        let mut places = FxHashMap::default();
        let mut all: Vec<(Direction, &Id, Vec<&PooledPair>)> = Vec::new();
        for pair in &self.pairs {
            let key = (pair.query_direction, pair.query());
            let place = *places.entry(key).or_insert(all.len());
            match all.get_mut(place) {
                Some((_, _, pairs)) => pairs.push(pair),
                None => all.push((key.0, key.1, vec![pair])),
            }
        }
        all
    }
}
