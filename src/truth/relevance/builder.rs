//! Builds relevance.

use std::cmp::Reverse;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use super::{Grading, WHOLE};
use super::{Lists, NOT_COVERED, QueryJudgments, Relevance};
use crate::data::id::Id;
use crate::truth::pairs::NOT_RELEVANT;
use crate::truth::similar::Similar;

/// Builds a [`Relevance`], query by query.
pub struct Builder {
    lists: Lists,
    /// Has no lists.
    like: Relevance,
    /// Places of long lists by the hash of their content.
    known: FxHashMap<u64, Vec<u32>>,
}

/// Shorter lists are not worth a search for an equal one.
const LONG: usize = 16;

impl Builder {
    /// A builder for this number of queries.
    pub fn new(queries: usize) -> Self {
        let lists = Lists { places: vec![NOT_COVERED; queries], ..Lists::default() };
        Builder { lists, like: Relevance::default(), known: FxHashMap::default() }
    }

    /// A builder with the grading and conventions of `relevance`.
    pub(in crate::truth) fn like(relevance: &Relevance, queries: usize) -> Self {
        let like = Relevance { lists: Arc::default(), ..relevance.clone() };
        Builder { like, ..Builder::new(queries).graded(relevance.grading()) }
    }

    pub(super) fn graded(mut self, grading: Option<Grading>) -> Self {
        self.lists.grading = grading;
        self
    }

    /// Adds a query with its positives (gallery indices, ascending, no repetition) and R.
    pub fn push(&mut self, query: u32, positives: &[u32], listed: u32) {
        self.lists.positives.push(positives);
        self.end(query, listed);
    }

    /// Adds a query with its positives, in any order, duplicates allowed, and the number of those outside the gallery.
    pub(in crate::truth) fn push_any(
        &mut self,
        query: u32,
        positives: &mut Vec<u32>,
        outside: u32,
    ) {
        let sets = &mut self.lists.positives;
        sets.push_any(positives);
        let inside = sets.get(sets.len() - 1).len() as u32;
        self.end(query, inside + outside);
    }

    /// Records ids of the last query's positives outside the gallery.
    pub(super) fn name_outside(&mut self, ids: impl Iterator<Item = Id>) {
        let ids: Vec<Id> = ids.collect();
        if !ids.is_empty() {
            let place = self.lists.queries.len() - 1;
            self.lists.outside.insert(place, ids);
        }
    }

    /// Adds judgments on items of the last query, in any order; of duplicates the highest counts.
    pub(in crate::truth) fn judge(&mut self, mut of: QueryJudgments) {
        let place = self.lists.queries.len() - 1;
        let positives = self.lists.positives.get(place);
        let is_graded = self.lists.grading.is_some();
        of.items.sort_unstable_by_key(|&(item, said)| (item, Reverse(said)));
        of.items.dedup_by_key(|one| one.0);
        of.items.retain(|&(item, said)| match said {
            ..=NOT_RELEVANT => !positives.contains(item),
            gain => is_graded || gain != i64::from(WHOLE),
        });
        if !of.items.is_empty() || !of.outside.is_empty() {
            self.lists.judgments.insert(place, of);
        }
    }

    /// Ends the query whose positives were added last.
    fn end(&mut self, query: u32, listed: u32) {
        let lists = &mut self.lists;
        let place = lists.queries.len();
        lists.places[query as usize] = place as u32;
        lists.queries.push(query);
        lists.listed.push(listed);
        lists.pair_count += lists.positives.get(place).len();
        self.share(place);
    }

    /// Shares the memory of the last list with an earlier equal one, if it is long.
    fn share(&mut self, last: usize) {
        let positives = &mut self.lists.positives;
        let list = positives.get(last);
        if list.encoding().len() < LONG {
            return;
        }
        let mut hasher = FxHasher::default();
        list.encoding().hash(&mut hasher);
        let alike = self.known.entry(hasher.finish()).or_default();
        let equal = |&&place: &&u32| positives.get(place as usize) == list;
        match alike.iter().find(equal) {
            Some(&equal) => positives.share_last(equal as usize),
            None => alike.push(last as u32),
        }
    }

    /// The finished lists.
    pub fn finish(mut self) -> Relevance {
        self.lists.positives.shrink_to_fit();
        Relevance { lists: Arc::new(self.lists), ..self.like }
    }

    /// Returns the finished lists of a truth by similarity.
    pub fn finish_similar(mut self, similar: Similar) -> Relevance {
        self.lists.similar = Some(Arc::new(similar));
        self.finish()
    }
}
