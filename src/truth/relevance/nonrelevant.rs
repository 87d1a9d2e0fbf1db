//! Pairs that are no positives and of which a truth says more than that: somebody judged them not relevant, or they
//! were in the pool and nobody judged them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Relevance;
use crate::data::index::{ItemIx, QueryIx};
use crate::truth::grades::Grades;

/// Items by query that are no positives, over the gallery's indices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::truth) struct Beyond {
    /// Query, item, and whether it was judged not relevant; ascending, each pair once.
    pairs: Vec<(u32, u32, bool)>,
    /// How many items that the gallery lacks were judged not relevant, by query.
    outside: FxHashMap<u32, u32>,
    /// Whether what is not relevant is told, though perhaps of no item yet.
    is_told: bool,
}

impl Beyond {
    /// Adds an item: judged not relevant, or pooled and not judged.
    pub(in crate::truth) fn add(&mut self, query: u32, item: u32, is_judged: bool) {
        self.pairs.push((query, item, is_judged));
    }

    /// Adds an item judged not relevant that the gallery lacks.
    pub(in crate::truth) fn add_outside(&mut self, query: u32) {
        *self.outside.entry(query).or_default() += 1;
    }

    /// The same in order: of a pair that was added twice the judgement counts.
    #[must_use]
    pub(in crate::truth) fn finish(mut self) -> Self {
        self.pairs.sort_unstable_by_key(|&(query, item, is_judged)| (query, item, !is_judged));
        self.pairs.dedup_by_key(|(query, item, _)| (*query, *item));
        self
    }

    /// The same over part of the gallery, as [`Relevance::within`].
    pub(super) fn within(
        &self,
        query_name: impl Fn(u32) -> Option<u32>,
        item_name: impl Fn(QueryIx, u32) -> Option<u32>,
    ) -> Self {
        let name = |&(query, item, is_judged): &(u32, u32, bool)| {
            Some((query_name(query)?, item_name(query.into(), item)?, is_judged))
        };
        let outside = self.outside.iter();
        Beyond {
            pairs: self.pairs.iter().filter_map(name).collect(),
            outside: outside
                .filter_map(|(&query, &count)| Some((query_name(query)?, count)))
                .collect(),
            is_told: self.is_told,
        }
        .finish()
    }

    fn of_query(&self, query: u32) -> &[(u32, u32, bool)] {
        let from = self.pairs.partition_point(|pair| pair.0 < query);
        let to = self.pairs.partition_point(|pair| pair.0 <= query);
        &self.pairs[from..to]
    }

    /// Whether an item was judged not relevant, or pooled and not judged; `None` where it was neither.
    pub(in crate::truth) fn of(&self, query: u32, item: u32) -> Option<bool> {
        let at = self.pairs.binary_search_by_key(&(query, item), |pair| (pair.0, pair.1));
        at.ok().map(|at| self.pairs[at].2)
    }
}

impl Relevance {
    /// Whether somebody judged `item` not relevant for `query`: by a grade of 0, or one below that of a
    /// positive. Of an item that is only not listed nobody said so.
    pub fn is_nonrelevant(&self, query: QueryIx, item: ItemIx) -> bool {
        let graded_low = || {
            let (grades, place) = (self.grades()?, self.place(query.get())?);
            Some((1..grades.from()).contains(&grades.of(place, item.raw())))
        };
        self.beyond.of(query.raw(), item.raw()) == Some(true) || graded_low() == Some(true)
    }

    /// Whether `item` was in the pool of `query` and nobody judged it.
    pub fn is_pooled(&self, query: QueryIx, item: ItemIx) -> bool {
        self.beyond.of(query.raw(), item.raw()) == Some(false)
    }

    /// Whether any pair may be judged not relevant, or a person may have said so of one.
    pub fn has_nonrelevant(&self) -> bool {
        let has_low = |grades: &Grades| grades.from() > 1;
        let is_judged = |pair: &(u32, u32, bool)| pair.2;
        self.beyond.is_told
            || self.beyond.pairs.iter().any(is_judged)
            || self.grades().is_some_and(has_low)
    }

    /// The same, of which it is told what is not relevant: by verdicts that are laid over its ranks.
    #[must_use]
    pub(in crate::truth) fn with_judgements(self) -> Self {
        let mut beyond = (*self.beyond).clone();
        beyond.is_told = true;
        self.with_beyond(beyond)
    }

    /// The items of the gallery that are no positives of the query at `place` and of which the truth says more,
    /// ascending: whether each was judged not relevant, or pooled and not judged.
    pub fn beyond(&self, place: usize) -> Vec<(u32, bool)> {
        let pairs = self.beyond.of_query(self.queries()[place]).iter();
        let mut items: Vec<(u32, bool)> = pairs.map(|pair| (pair.1, pair.2)).collect();
        if let Some(grades) = self.grades() {
            let low = grades.of_query(place);
            items.extend(
                low.filter(|(_, grade)| *grade < grades.from()).map(|(item, _)| (item, true)),
            );
            items.sort_unstable();
            items.dedup_by_key(|(item, _)| *item);
        }
        items
    }

    /// How many items that the gallery lacks were judged not relevant for the query at `place`.
    pub fn nonrelevant_outside(&self, place: usize) -> u32 {
        let zeros = self.beyond.outside.get(&self.queries()[place]);
        let low = self.grades().map_or(0, |grades| {
            let outside = grades.outside(place).iter();
            outside.filter(|grade| **grade < grades.from()).count() as u32
        });
        zeros.copied().unwrap_or(0) + low
    }

    /// The same, with these pairs beyond its positives.
    pub(in crate::truth) fn with_beyond(self, beyond: Beyond) -> Self {
        Relevance { beyond: Arc::new(beyond), ..self }
    }

    /// The same, of which the pairs of another one over the same gallery are judged not relevant or pooled, and
    /// further ones, query before item, judged not relevant, but for those that are positives here.
    #[must_use]
    pub(in crate::truth) fn with_beyond_of(
        self,
        other: &Relevance,
        further: impl Iterator<Item = (u32, u32)>,
    ) -> Self {
        let mut beyond = (*other.beyond).clone();
        further.for_each(|(query, item)| beyond.add(query, item, true));
        let is_left = |&(query, item, _): &(u32, u32, bool)| {
            self.contains(query.into(), item.into()) != Some(true)
        };
        beyond.pairs.retain(is_left);
        self.with_beyond(beyond.finish())
    }

    /// Query and item of every pair that is judged not relevant by itself, not by a low grade, in order.
    pub(in crate::truth) fn nonrelevant_pairs(&self) -> Vec<(u32, u32)> {
        let judged = self.beyond.pairs.iter().filter(|pair| pair.2);
        judged.map(|&(query, item, _)| (query, item)).collect()
    }
}
