//! Puts lists together.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use super::{Lists, NOT_COVERED, Relevance};
use crate::data::id::Id;
use crate::truth::grades::Grades;
use crate::truth::similar::Similar;

/// Puts a [`Relevance`] together, query by query.
pub struct Builder {
    lists: Lists,
    /// Places of long lists by the hash of their content.
    known: FxHashMap<u64, Vec<u32>>,
}

/// Lists that take fewer words are not worth a search for an equal one.
const LONG: usize = 16;

impl Builder {
    /// Over a gallery side of so many queries.
    pub fn new(queries: usize) -> Self {
        let lists = Lists { places: vec![NOT_COVERED; queries], ..Lists::default() };
        Builder { lists, known: FxHashMap::default() }
    }

    /// Adds a query with its positives (gallery indices, ascending, no repetition) and R.
    pub fn push(&mut self, query: u32, positives: &[u32], listed: u32) {
        self.lists.positives.push(positives);
        self.end(query, listed);
    }

    /// Adds a query with its positives in any order, repeated or not, and with so many further ones
    /// outside the gallery.
    pub(super) fn push_any(&mut self, query: u32, positives: &mut Vec<u32>, outside: u32) {
        let sets = &mut self.lists.positives;
        sets.push_any(positives);
        let inside = sets.get(sets.len() - 1).len() as u32;
        self.end(query, inside + outside);
    }

    /// Tells the ids of the last query's positives that are outside the gallery.
    pub(super) fn name_outside(&mut self, ids: impl Iterator<Item = Id>) {
        let ids: Vec<Id> = ids.collect();
        if !ids.is_empty() {
            let place = self.lists.queries.len() - 1;
            self.lists.outside.insert(place, ids);
        }
    }

    /// Gives items of the last query, ascending, other gains than their grades or their being positives do.
    pub(in crate::truth) fn regain(&mut self, gains: impl Iterator<Item = (u32, u32)>) {
        let gains: Vec<(u32, u32)> = gains.collect();
        if !gains.is_empty() {
            let place = self.lists.queries.len() - 1;
            self.lists.regained.insert(place, gains);
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

    /// Lets the last list, if it is long, share the memory of an equal one before it.
    fn share(&mut self, last: usize) {
        let positives = &mut self.lists.positives;
        let list = positives.get(last);
        if list.words().len() < LONG {
            return;
        }
        let mut hasher = FxHasher::default();
        list.words().hash(&mut hasher);
        let alike = self.known.entry(hasher.finish()).or_default();
        let equal = |&&place: &&u32| positives.get(place as usize) == list;
        match alike.iter().find(equal) {
            Some(&equal) => positives.share_last(equal as usize),
            None => alike.push(last as u32),
        }
    }

    /// The finished lists, without grades.
    pub fn finish(self) -> Relevance {
        self.finish_with(None)
    }

    /// The finished lists of a truth whose positives are the most similar items.
    pub fn finish_similar(mut self, similar: Similar) -> Relevance {
        self.lists.similar = Some(Arc::new(similar));
        self.finish()
    }

    /// The finished lists with the grades of their queries, in the same order.
    pub fn finish_with(mut self, grades: Option<Grades>) -> Relevance {
        self.lists.grades = grades;
        self.lists.positives.shrink_to_fit();
        Relevance { lists: Arc::new(self.lists), ..Relevance::default() }
    }
}
