//! Golden pairs: their response is known.

use rustc_hash::FxHashSet;

use crate::analysis::draw::shuffle;
use crate::data::Direction;
use crate::data::index::QueryIx;
use crate::data::stream::{Stream, Use};
use crate::rank::top_k::TopK;
use crate::study::Study;

/// Items tried per query to find sure negatives.
const TRIES: usize = 1_000;

/// Sources of golden pairs for one query.
pub(super) struct Golden<'a> {
    pub(super) study: &'a Study,
    pub(super) direction: Direction,
    pub(super) query: QueryIx,
    /// Top items of every model.
    pub(super) firsts: &'a [TopK],
    pub(super) numbers: Stream,
}

impl<'a> Golden<'a> {
    /// For a query; deterministic by seed.
    pub(super) fn new(
        study: &'a Study,
        (direction, query): (Direction, QueryIx),
        firsts: &'a [TopK],
        seed: u64,
    ) -> Self {
        let sizes = study.gallery.sizes();
        let place = match direction {
            Direction::I2t => query.get(),
            Direction::T2i => sizes.i2t + query.get(),
        };
        Golden { study, direction, query, firsts, numbers: Stream::new(seed, Use::Hits, place) }
    }

    /// The query's items in the original pairing, else positives of the richest ground truth: those not in the pool, if
    /// any.
    pub(super) fn positives(&mut self, asked: &FxHashSet<u32>) -> Vec<u32> {
        let own = self.study.original_items(self.direction, self.query.get());
        let mut all: Vec<u32> = own.iter().collect();
        if all.is_empty() {
            all = self.listed();
        }
        if all.iter().any(|item| !asked.contains(item)) {
            all.retain(|item| !asked.contains(item));
        }
        shuffle(&mut all, &mut self.numbers);
        all
    }

    fn listed(&self) -> Vec<u32> {
        let truth = self.study.richest().map(|truth| &self.study.truths[truth]);
        let relevance = truth.and_then(|truth| truth.relevance[self.direction].as_ref());
        let found = relevance.and_then(|of| Some(of.positives(of.place(self.query.get())?)));
        found.unwrap_or_default().iter().collect()
    }

    /// Random items outside every model's top items, all ground truths and the pool, up to the number wanted.
    pub(super) fn negatives(&mut self, asked: &FxHashSet<u32>, wanted: usize) -> Vec<u32> {
        let items = self.study.gallery.items(self.direction).len();
        let mut found = Vec::new();
        for _ in 0..TRIES {
            if found.len() == wanted {
                break;
            }
            let item = self.numbers.index(items) as u32;
            if !asked.contains(&item) && !found.contains(&item) && self.is_negative(item) {
                found.push(item);
            }
        }
        found
    }

    fn is_negative(&self, item: u32) -> bool {
        let query = self.query;
        let is_listed = |truth: &crate::truth::Truth| {
            let relevance = truth.relevance[self.direction].as_ref();
            relevance.and_then(|of| of.contains(query, item.into())) == Some(true)
        };
        let is_first = |of: &TopK| of[query.get()].contains(&item);
        !self.study.truths.iter().any(is_listed) && !self.firsts.iter().any(is_first)
    }
}
