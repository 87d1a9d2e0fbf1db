//! Golden pairs, whose judgment is known before annotation.

use rustc_hash::FxHashSet;

use crate::analysis::draw::shuffle;
use crate::data::Direction;
use crate::data::index::QueryIx;
use crate::data::stream::{Stream, Use};
use crate::rank::top_k::TopK;
use crate::study::Study;

/// Maximum random items tried per query to find sure negatives.
const MAX_TRIES: usize = 1_000;

/// Sources of golden pairs for one query.
pub(super) struct Golden<'a> {
    pub(super) study: &'a Study,
    pub(super) direction: Direction,
    pub(super) query: QueryIx,
    /// Top items of every model, by query.
    pub(super) top_items: &'a [TopK],
    /// Random numbers for this query.
    pub(super) numbers: Stream,
}

impl<'a> Golden<'a> {
    /// Sources for one query; their random numbers depend on `seed` and the query only.
    pub(super) fn new(
        study: &'a Study,
        (direction, query): (Direction, QueryIx),
        top_items: &'a [TopK],
        seed: u64,
    ) -> Self {
        let sizes = study.gallery.sizes();
        let place = match direction {
            Direction::I2t => query.get(),
            Direction::T2i => sizes.i2t + query.get(),
        };
        Golden { study, direction, query, top_items, numbers: Stream::new(seed, Use::Hits, place) }
    }

    /// Sure positives, shuffled: the query's items in the original pairing, else its positives in the richest ground
    /// truth. `pooled` items are excluded if any other remains.
    pub(super) fn positives(&mut self, pooled: &FxHashSet<u32>) -> Vec<u32> {
        let own = self.study.original_items(self.direction, self.query.get());
        let mut all: Vec<u32> = own.iter().collect();
        if all.is_empty() {
            all = self.richest_positives();
        }
        if all.iter().any(|item| !pooled.contains(item)) {
            all.retain(|item| !pooled.contains(item));
        }
        shuffle(&mut all, &mut self.numbers);
        all
    }

    /// Positives of the query in the richest ground truth.
    fn richest_positives(&self) -> Vec<u32> {
        let truth = self.study.richest().map(|truth| &self.study.truths[truth]);
        let relevance = truth.and_then(|truth| truth.relevance[self.direction].as_ref());
        let found = relevance.and_then(|of| Some(of.positives(of.place(self.query.get())?)));
        found.unwrap_or_default().iter().collect()
    }

    /// Up to `wanted` random items that are in no model's top items, no ground truth and not among the `pooled` items.
    pub(super) fn negatives(&mut self, pooled: &FxHashSet<u32>, wanted: usize) -> Vec<u32> {
        let items = self.study.gallery.items(self.direction).len();
        let mut found = Vec::new();
        for _ in 0..MAX_TRIES {
            if found.len() == wanted {
                break;
            }
            let item = self.numbers.index(items) as u32;
            if !pooled.contains(&item) && !found.contains(&item) && self.is_negative(item) {
                found.push(item);
            }
        }
        found
    }

    /// Whether no ground truth and no model's top items have the item.
    fn is_negative(&self, item: u32) -> bool {
        let query = self.query;
        let is_listed = |truth: &crate::truth::Truth| {
            let relevance = truth.relevance[self.direction].as_ref();
            relevance.and_then(|of| of.contains(query, item.into())) == Some(true)
        };
        let is_top_item = |of: &TopK| of[query.get()].contains(&item);
        !self.study.truths.iter().any(is_listed) && !self.top_items.iter().any(is_top_item)
    }
}
