//! Builder of [`Relevance`].

use std::cmp::Reverse;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use super::{Grading, WHOLE};
use super::{Lists, NOT_COVERED, QueryJudgments, Relevance};
use crate::data::id::Id;
use crate::truth::pairs::NOT_RELEVANT;
use crate::truth::similar::SimilarItems;

/// Builds a [`Relevance`], query by query.
pub struct Builder {
    lists: Lists,
    /// What the result has besides lists.
    settings: Relevance,
    /// Places of long lists by the hash of their content.
    long_lists: FxHashMap<u64, Vec<u32>>,
}

/// Minimum length in bytes of lists that are stored once if equal.
const MIN_SHARED_BYTES: usize = 16;

impl Builder {
    /// A builder for this number of queries.
    pub fn new(queries: usize) -> Self {
        let lists = Lists { places: vec![NOT_COVERED; queries], ..Lists::default() };
        Builder { lists, settings: Relevance::default(), long_lists: FxHashMap::default() }
    }

    /// A builder for this number of queries, with the grading and conventions of `relevance`.
    pub(in crate::truth) fn with_settings(relevance: &Relevance, queries: usize) -> Self {
        let settings = Relevance { lists: Arc::default(), ..relevance.clone() };
        Builder { settings, ..Builder::new(queries).with_grading(relevance.grading()) }
    }

    /// Sets the scale of grades.
    pub(super) fn with_grading(mut self, grading: Option<Grading>) -> Self {
        self.lists.grading = grading;
        self
    }

    /// Adds a query with its positives (gallery indices, ascending, each once) and `total`, its R.
    pub fn push(&mut self, query: u32, positives: &[u32], total: u32) {
        self.lists.positives.push(positives);
        self.end_query(query, total);
    }

    /// Adds a query with its positives, in any order, duplicates allowed, and the number of those outside the gallery.
    /// `positives` may be sorted on the way.
    pub(in crate::truth) fn push_unsorted(
        &mut self,
        query: u32,
        positives: &mut Vec<u32>,
        outside: u32,
    ) {
        let sets = &mut self.lists.positives;
        sets.push_unsorted(positives);
        let inside = sets.get(sets.len() - 1).len() as u32;
        self.end_query(query, inside + outside);
    }

    /// Sets the ids of the last query's positives outside the gallery.
    pub(super) fn set_outside_ids(&mut self, ids: impl Iterator<Item = Id>) {
        let ids: Vec<Id> = ids.collect();
        if !ids.is_empty() {
            let place = self.lists.queries.len() - 1;
            self.lists.outside.insert(place, ids);
        }
    }

    /// Sets the judgments on items of the last query, in any order; of duplicates the highest counts.
    pub(in crate::truth) fn set_judgments(&mut self, mut judgments: QueryJudgments) {
        let place = self.lists.queries.len() - 1;
        let positives = self.lists.positives.get(place);
        let is_graded = self.lists.grading.is_some();
        let items = &mut judgments.items;
        items.sort_unstable_by_key(|&(item, gain)| (item, Reverse(gain)));
        items.dedup_by_key(|one| one.0);
        items.retain(|&(item, gain)| match gain {
            ..=NOT_RELEVANT => !positives.contains(item),
            gain => is_graded || gain != i64::from(WHOLE),
        });
        if !items.is_empty() || !judgments.outside.is_empty() {
            self.lists.judgments.insert(place, judgments);
        }
    }

    /// Ends the query whose positives were added last.
    fn end_query(&mut self, query: u32, total: u32) {
        let lists = &mut self.lists;
        let place = lists.queries.len();
        lists.places[query as usize] = place as u32;
        lists.queries.push(query);
        lists.totals.push(total);
        lists.pair_count += lists.positives.get(place).len();
        self.share(place);
    }

    /// Shares the memory of the last list, at place `last`, with an earlier equal list; no effect on a short list.
    fn share(&mut self, last: usize) {
        let positives = &mut self.lists.positives;
        let list = positives.get(last);
        if list.encoding().len() < MIN_SHARED_BYTES {
            return;
        }
        let mut hasher = FxHasher::default();
        list.encoding().hash(&mut hasher);
        let same_hash = self.long_lists.entry(hasher.finish()).or_default();
        let equal = |&&place: &&u32| positives.get(place as usize) == list;
        match same_hash.iter().find(equal) {
            Some(&equal) => positives.share_last(equal as usize),
            None => same_hash.push(last as u32),
        }
    }

    /// The finished lists.
    pub fn finish(mut self) -> Relevance {
        self.lists.positives.shrink_to_fit();
        Relevance { lists: Arc::new(self.lists), ..self.settings }
    }

    /// The finished lists of a truth whose positives are the most similar items.
    pub fn finish_similar(mut self, similar: SimilarItems) -> Relevance {
        self.lists.similar = Some(Arc::new(similar));
        self.finish()
    }
}
