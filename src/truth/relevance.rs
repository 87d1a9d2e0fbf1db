//! The positives of one truth in one direction, over the gallery's indices.

use rustc_hash::FxHashSet;

use super::pairs::Pairs;
use crate::data::id::IdList;

const NOT_COVERED: u32 = u32::MAX;

/// Positives of every covered query, as one flat array (compressed sparse rows).
///
/// A query that the truth does not cover is *not judged*, which is not *no positives*.
#[derive(Debug, Clone, Default)]
pub struct Relevance {
    /// Gallery index of each covered query, in file order.
    queries: Vec<u32>,
    /// Place in `queries` of each gallery index, or [`NOT_COVERED`].
    places: Vec<u32>,
    starts: Vec<u32>,
    /// Gallery indices of the positives, ascending within a query.
    items: Vec<u32>,
    /// R of each covered query: positives listed, those outside the gallery included.
    listed: Vec<u32>,
}

/// Ids of a truth that the gallery does not have. They are counted, never dropped in silence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unresolved {
    /// Queries; they cannot be evaluated.
    pub queries: usize,
    /// Positives of covered queries; they count in R.
    pub items: usize,
    /// Up to three of these ids.
    pub examples: Vec<String>,
}

impl Relevance {
    /// Looks up ids. Ids that stand twice in one list count once.
    pub fn resolve(pairs: &Pairs, queries: &IdList, items: &IdList) -> (Self, Unresolved) {
        let mut unresolved = Unresolved::default();
        let mut relevance = Relevance {
            places: vec![NOT_COVERED; queries.len()],
            starts: vec![0],
            ..Relevance::default()
        };
        let mut found = Vec::new();
        let mut outside = FxHashSet::default();
        for (query, positives) in pairs.iter() {
            let Some(index) = queries.find(query) else {
                unresolved.queries += 1;
                unresolved.remember(query);
                continue;
            };
            found.clear();
            outside.clear();
            for id in positives {
                match items.find(id) {
                    Some(item) => found.push(item),
                    None if outside.insert(id) => unresolved.remember(id),
                    None => {}
                }
            }
            found.sort_unstable();
            found.dedup();
            unresolved.items += outside.len();
            relevance.push(index, &found, (found.len() + outside.len()) as u32);
        }
        (relevance, unresolved)
    }

    fn push(&mut self, query: u32, positives: &[u32], listed: u32) {
        self.places[query as usize] = self.queries.len() as u32;
        self.queries.push(query);
        self.items.extend_from_slice(positives);
        self.starts.push(self.items.len() as u32);
        self.listed.push(listed);
    }

    /// Number of covered queries.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Whether no query is covered.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// Number of (query, positive) pairs inside the gallery.
    pub fn pair_count(&self) -> usize {
        self.items.len()
    }

    /// Gallery indices of the covered queries, in file order.
    pub fn queries(&self) -> &[u32] {
        &self.queries
    }

    /// Place of a query among the covered ones.
    pub fn place(&self, query: usize) -> Option<usize> {
        self.places
            .get(query)
            .filter(|&&place| place != NOT_COVERED)
            .map(|&place| place as usize)
    }

    /// Positives inside the gallery of the query at `place`, ascending.
    pub fn positives(&self, place: usize) -> &[u32] {
        &self.items[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// R of the query at `place`.
    pub fn listed(&self, place: usize) -> u32 {
        self.listed[place]
    }

    /// Whether `item` is a positive of `query`; `None` where the query is not covered.
    pub fn contains(&self, query: usize, item: usize) -> Option<bool> {
        let place = self.place(query)?;
        Some(self.positives(place).binary_search(&(item as u32)).is_ok())
    }
}

impl Unresolved {
    fn remember(&mut self, id: &crate::data::id::Id) {
        if self.examples.len() < 3 {
            self.examples.push(id.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::Id;

    #[test]
    fn outside_positives_count_in_r_and_duplicates_once() {
        let mut pairs = Pairs::default();
        let ids = |numbers: &[i64]| numbers.iter().map(|&n| Id::Number(n)).collect::<Vec<_>>();
        pairs.push(Id::Number(1), ids(&[2, 0, 2, 99, 99]));
        pairs.push(Id::Number(7), ids(&[0]));
        pairs.push(Id::Number(0), ids(&[]));
        let (relevance, unresolved) =
            Relevance::resolve(&pairs, &IdList::counted(3), &IdList::counted(4));
        assert_eq!(relevance.queries(), [1, 0]);
        assert_eq!(
            (relevance.positives(0), relevance.listed(0)),
            (&[0, 2][..], 3)
        );
        assert_eq!((relevance.positives(1), relevance.listed(1)), (&[][..], 0));
        assert_eq!(relevance.contains(1, 2), Some(true));
        assert_eq!(relevance.contains(0, 2), Some(false));
        assert_eq!(relevance.contains(2, 2), None);
        assert_eq!((unresolved.queries, unresolved.items), (1, 1));
        assert_eq!(unresolved.examples, ["99", "7"]);
    }
}
