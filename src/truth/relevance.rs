//! The positives of one truth in one direction, over the gallery's indices.

mod builder;
mod judgments;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

pub use self::builder::Builder;
pub(in crate::truth) use self::judgments::QueryJudgments;
pub use self::judgments::{Grading, WHOLE};
use super::conventions::Conventions;
use super::pairs::{NOT_RELEVANT, Pairs};
use super::similar::SimilarItems;
use crate::data::id::{Id, IdList};
use crate::data::index::{ItemIx, QueryIx};
use crate::data::sets::{Set, Sets};

/// Place of a query that the truth does not cover.
const NOT_COVERED: u32 = u32::MAX;

/// Positives of every covered query, as [`Sets`] in one flat array.
///
/// A query *not covered* differs from one with *no positives*. Equal long lists are stored once: Plausible Match gives
/// thousands of queries the same thousands of items. Clones share the lists.
#[derive(Debug, Clone, Default)]
pub struct Relevance {
    lists: Arc<Lists>,
    conventions: Conventions,
    /// Whether judgments that are applied to ranks, not to these lists, may say that pairs are not relevant.
    pub(in crate::truth) may_have_nonrelevant: bool,
}

/// The lists of a [`Relevance`], which its clones share.
#[derive(Debug, Default)]
struct Lists {
    /// Gallery index of each covered query, in file order.
    queries: Vec<u32>,
    /// Place in `queries` of each gallery index, or [`NOT_COVERED`].
    places: Vec<u32>,
    /// Gallery indices of the positives of each covered query.
    positives: Sets,
    /// R of each covered query: all listed positives, also those outside the gallery.
    totals: Vec<u32>,
    /// Ids of positives outside the gallery, by place in `queries`, if they were read with the lists.
    outside: FxHashMap<usize, Vec<Id>>,
    /// Number of positives in `positives`.
    pair_count: usize,
    /// The scale of grades; `None` without grades.
    grading: Option<Grading>,
    /// Gains and pairs judged not relevant, by place in `queries`.
    judgments: FxHashMap<usize, QueryJudgments>,
    /// The similarities, if positives are the most similar items.
    similar: Option<Arc<SimilarItems>>,
}

/// Numbers and examples of the ids of a truth that are missing from the gallery.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unresolved {
    /// Number of queries; they cannot be evaluated.
    pub queries: usize,
    /// Number of positives of covered queries; they count in R.
    pub items: usize,
    /// Up to three of the queries' ids.
    pub query_examples: Vec<String>,
    /// Up to three of the positives' ids.
    pub item_examples: Vec<String>,
}

impl Relevance {
    /// Looks up the ids of pairs in those of the gallery; returns also the ids that are missing there. Duplicate ids in
    /// a list count once. With grades, positives are the pairs that reach [`Pairs::relevant_from`].
    pub fn resolve(pairs: &Pairs, queries: &IdList, items: &IdList) -> (Self, Unresolved) {
        let mut unresolved = Unresolved::default();
        let indices = items.find_all(pairs.values());
        let query_indices = queries.find_all(pairs.keys());
        let from = pairs.relevant_from();
        let grading = pairs.highest_grade().map(|highest| Grading { highest, from });
        let mut builder = Builder::new(queries.len()).with_grading(grading);
        let (mut found, mut outside) = (Vec::new(), FxHashSet::default());
        for ((query, judged), index) in pairs.iter_coded().zip(query_indices) {
            let Some(index) = index else {
                unresolved.queries += 1;
                add_example(&mut unresolved.query_examples, query);
                continue;
            };
            found.clear();
            outside.clear();
            let mut judgments = QueryJudgments::default();
            for (code, grade) in judged {
                let is_positive = grade >= i64::from(from);
                match indices[code] {
                    Some(item) if is_positive => found.push(item),
                    None if is_positive && !outside.contains(&code) => {
                        outside.insert(code);
                        add_example(&mut unresolved.item_examples, &pairs.values()[code]);
                    }
                    _ => {}
                }
                let gain = if grade > NOT_RELEVANT { grade * i64::from(WHOLE) } else { grade };
                match indices[code] {
                    _ if is_positive && grading.is_none() => {}
                    Some(item) => judgments.items.push((item, gain)),
                    None if grade >= NOT_RELEVANT => judgments.outside.push(grade),
                    None => {}
                }
            }
            unresolved.items += outside.len();
            builder.push_unsorted(index, &mut found, outside.len() as u32);
            builder.set_outside_ids(outside.iter().map(|&code| pairs.values()[code].clone()));
            builder.set_judgments(judgments);
        }
        (builder.finish(), unresolved)
    }

    /// Restricts the lists to part of the gallery, which has `queries` queries. `new_query` maps the gallery index of a
    /// query to its index in the part. `new_item` does it for an item of a query, and keeps the order. `None` excludes
    /// the query or item. R and grades lose excluded items and, if `keeps_outside` is false, items outside the gallery.
    #[must_use]
    pub fn restrict(
        &self,
        queries: usize,
        new_query: impl Fn(u32) -> Option<u32>,
        new_item: impl Fn(QueryIx, u32) -> Option<u32>,
        keeps_outside: bool,
    ) -> Self {
        let mut builder = Builder::with_settings(self, queries);
        let mut kept = Vec::new();
        for (place, &query) in self.queries().iter().enumerate() {
            let Some(new_index) = new_query(query) else {
                continue;
            };
            let new_item = |item| new_item(query.into(), item);
            let positives = self.positives(place);
            kept.clear();
            kept.extend(positives.iter().filter_map(new_item));
            let outside = self.total_positives(place) - positives.len() as u32;
            let outside = if keeps_outside { outside } else { 0 };
            builder.push(new_index, &kept, kept.len() as u32 + outside);
            if let Some(all) = self.judgments(place) {
                let items = all.items.iter();
                let items = items.filter_map(|&(item, gain)| Some((new_item(item)?, gain)));
                let outside = if keeps_outside { all.outside.clone() } else { Vec::new() };
                builder.set_judgments(QueryJudgments { items: items.collect(), outside });
            }
        }
        builder.finish()
    }

    /// Replaces the positives of each covered query by those that `positives` returns for its place and gallery index,
    /// in any order and with duplicates. Grades, judgments and ids outside the gallery are dropped.
    #[must_use]
    pub fn with_positives(&self, positives: impl Fn(usize, u32) -> Vec<u32>) -> Self {
        let mut builder = Builder::new(self.query_count());
        for (place, &query) in self.queries().iter().enumerate() {
            builder.push_unsorted(query, &mut positives(place, query), 0);
        }
        builder.finish().with_conventions(self.conventions)
    }

    /// The same lists with other edge-case conventions.
    #[must_use]
    pub fn with_conventions(self, conventions: Conventions) -> Self {
        Relevance { conventions, ..self }
    }

    /// Edge-case conventions.
    pub fn conventions(&self) -> Conventions {
        self.conventions
    }

    /// Number of queries of the gallery, covered or not.
    pub fn query_count(&self) -> usize {
        self.lists.places.len()
    }

    /// Number of queries that the truth covers.
    pub fn len(&self) -> usize {
        self.lists.queries.len()
    }

    /// Whether no query is covered.
    pub fn is_empty(&self) -> bool {
        self.lists.queries.is_empty()
    }

    /// Number of (query, positive) pairs inside the gallery.
    pub fn pair_count(&self) -> usize {
        self.lists.pair_count
    }

    /// Gallery indices of the covered queries, in file order.
    pub fn queries(&self) -> &[u32] {
        &self.lists.queries
    }

    /// Place of a query, given by gallery index, in [`Relevance::queries`]; `None` if it is not covered.
    #[inline]
    pub fn place(&self, query: usize) -> Option<usize> {
        let place = self.lists.places.get(query).filter(|&&place| place != NOT_COVERED);
        place.map(|&place| place as usize)
    }

    /// Gallery indices of the positives of the query at `place`, ascending; positives outside the gallery have none.
    #[inline]
    pub fn positives(&self, place: usize) -> Set<'_> {
        self.lists.positives.get(place)
    }

    /// R of a covered query: all its positives, also those outside the gallery. `place` is that of [`Relevance::place`],
    /// no gallery index.
    pub fn total_positives(&self, place: usize) -> u32 {
        self.lists.totals[place]
    }

    /// Whether `item` is a positive of `query`; `None` if the query is not covered.
    pub fn contains(&self, query: QueryIx, item: ItemIx) -> Option<bool> {
        let place = self.place(query.get())?;
        Some(self.positives(place).contains(item.raw()))
    }

    /// Similarities phi of the whole gallery, if the positives are the most similar items; `None` for other truths,
    /// and in a part of the gallery.
    pub fn similar(&self) -> Option<&SimilarItems> {
        self.lists.similar.as_deref()
    }

    /// Ids of the positives outside the gallery, for the query at `place`; empty if only their number is known.
    pub fn outside_ids(&self, place: usize) -> &[Id] {
        self.lists.outside.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether both share the same lists and conventions: one is a clone of the other.
    pub fn is_same(&self, other: &Relevance) -> bool {
        Arc::ptr_eq(&self.lists, &other.lists) && self.conventions == other.conventions
    }
}

impl Unresolved {
    /// Adds the id of a missing item; the same item may be added for several queries.
    pub fn add_item(&mut self, id: &Id) {
        self.items += 1;
        add_example(&mut self.item_examples, id);
    }
}

/// Ids as text: `A, B` if these are all of `count`, else `such as A, B`.
pub fn list_examples(count: usize, examples: &[String]) -> String {
    let such = if count > examples.len() { "such as " } else { "" };
    format!("{such}{}", examples.join(", "))
}

/// Adds an id to the examples; no effect if there are three.
fn add_example(examples: &mut Vec<String>, id: &Id) {
    if examples.len() < 3 {
        examples.push(id.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_positives_count_in_r_and_duplicates_once() {
        let ids = |numbers: &[i64]| numbers.iter().map(|&n| Id::Number(n)).collect::<Vec<_>>();
        let lists: [(i64, &[i64]); 3] = [(1, &[2, 0, 2, 99, 99]), (7, &[0]), (0, &[])];
        let pairs = lists.map(|(query, items)| (Id::Number(query), ids(items)));
        let pairs = Pairs::from_iter(pairs);
        let (relevance, unresolved) =
            Relevance::resolve(&pairs, &IdList::for_len(3), &IdList::for_len(4));
        assert_eq!(relevance.queries(), [1, 0]);
        let list = |place| relevance.positives(place).iter().collect::<Vec<_>>();
        assert_eq!((list(0), relevance.total_positives(0)), (vec![0, 2], 3));
        assert_eq!((list(1), relevance.total_positives(1)), (vec![], 0));
        let contains = |query| relevance.contains(QueryIx::new(query), ItemIx::new(2));
        assert_eq!([1, 0, 2].map(contains), [Some(true), Some(false), None]);
        assert_eq!((unresolved.queries, unresolved.items), (1, 1));
        assert_eq!(unresolved.query_examples, ["7"]);
        assert_eq!(unresolved.item_examples, ["99"]);
    }

    #[test]
    fn equal_long_lists_are_stored_once() {
        let long: Vec<u32> = (0..20).map(|n| 40 * n).collect();
        let mut builder = Builder::new(4);
        builder.push(2, &long, 20);
        builder.push(0, &long[1..], 20);
        builder.push(3, &long, 21);
        let relevance = builder.finish();
        let words = |place| relevance.positives(place).encoding();
        assert_eq!(words(0).as_ptr(), words(2).as_ptr());
        assert_eq!(relevance.pair_count(), 59);
        assert_eq!(words(2), long);
        assert_eq!(words(1), &long[1..]);
        assert!(relevance.is_same(&relevance.clone()));
    }
}
