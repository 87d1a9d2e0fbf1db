//! Pairs that are no positives and of which a truth says more than that: somebody judged them not relevant, or they
//! were in the pool and nobody judged them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Relevance;
use crate::data::index::{ItemIx, QueryIx};
use crate::truth::grades::Grades;
use crate::truth::pairs::{NOT_RELEVANT, POOLED};

/// What is said of items of a query that are no positives.
#[derive(Debug, Clone, Default)]
pub(in crate::truth) struct Others {
    /// Whether each was judged not relevant, or pooled and not judged.
    pub items: BTreeMap<u32, bool>,
    /// Number of those judged not relevant that the gallery lacks.
    pub outside: u32,
}

/// The same by query.
pub(in crate::truth) type ByQuery = BTreeMap<u32, Others>;

impl Others {
    /// Adds an item, `None` where the gallery lacks it; of a pair that is pooled and judged the judgment counts.
    pub fn add(&mut self, item: Option<u32>, is_judged: bool) {
        match item {
            Some(item) => *self.items.entry(item).or_insert(false) |= is_judged,
            None => self.outside += u32::from(is_judged),
        }
    }
}

impl Relevance {
    /// What is said of an item besides its grade: judged not relevant, or pooled.
    fn said(&self, query: QueryIx, item: ItemIx) -> Option<bool> {
        self.beyond.get(&query.raw())?.items.get(&item.raw()).copied()
    }

    /// Whether somebody judged `item` not relevant for `query`: by a grade of 0, or one below that of a
    /// positive. Of an item that is only not listed nobody said so.
    pub fn is_nonrelevant(&self, query: QueryIx, item: ItemIx) -> bool {
        let graded_low = || {
            let (grades, place) = (self.grades()?, self.place(query.get())?);
            Some((1..grades.from()).contains(&grades.of(place, item.raw())))
        };
        self.said(query, item) == Some(true) || graded_low() == Some(true)
    }

    /// Whether `item` was in the pool of `query` and nobody judged it.
    pub fn is_pooled(&self, query: QueryIx, item: ItemIx) -> bool {
        self.said(query, item) == Some(false)
    }

    /// Whether any pair may be judged not relevant, or a person may have said so of one.
    pub fn has_nonrelevant(&self) -> bool {
        let has_low = |grades: &Grades| grades.from() > 1;
        let mut said = self.beyond.values().flat_map(|others| others.items.values());
        self.tells_nonrelevant
            || said.any(|is_judged| *is_judged)
            || self.grades().is_some_and(has_low)
    }

    /// The same, of which it is told what is not relevant: by verdicts that are laid over its ranks.
    #[must_use]
    pub(in crate::truth) fn with_judgements(self) -> Self {
        Relevance { tells_nonrelevant: true, ..self }
    }

    /// The items of the gallery that are no positives of the query at `place` and of which the truth says more,
    /// ascending: whether each was judged not relevant, or pooled and not judged.
    pub fn beyond(&self, place: usize) -> Vec<(u32, bool)> {
        let others = self.beyond.get(&self.queries()[place]);
        let mut items = others.map_or_else(BTreeMap::new, |others| others.items.clone());
        if let Some(grades) = self.grades() {
            let low = grades.of_query(place).filter(|(_, grade)| *grade < grades.from());
            low.for_each(|(item, _)| _ = items.entry(item).or_insert(true));
        }
        items.into_iter().collect()
    }

    /// How many items that the gallery lacks were judged not relevant for the query at `place`.
    pub fn nonrelevant_outside(&self, place: usize) -> u32 {
        let zeros = self.beyond.get(&self.queries()[place]).map_or(0, |others| others.outside);
        let low = self.grades().map_or(0, |grades| {
            let outside = grades.outside(place).iter();
            outside.filter(|grade| **grade < grades.from()).count() as u32
        });
        zeros + low
    }

    /// The same, with this said of pairs that are none of its positives.
    #[must_use]
    pub(in crate::truth) fn with_beyond(self, mut beyond: ByQuery) -> Self {
        beyond.retain(|&query, others| {
            let is_positive = |item: u32| self.contains(query.into(), item.into()) == Some(true);
            others.items.retain(|item, _| !is_positive(*item));
            !others.items.is_empty() || others.outside > 0
        });
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
        for (query, item) in further {
            beyond.entry(query).or_default().items.insert(item, true);
        }
        let tells_nonrelevant = other.tells_nonrelevant;
        Relevance { tells_nonrelevant, ..self.with_beyond(beyond) }
    }

    /// Judged items of the query at `place` with their grades; 1 for a positive without a grade.
    pub(in crate::truth) fn judged(&self, place: usize) -> BTreeMap<u32, i64> {
        let others = self.beyond.get(&self.queries()[place]);
        let others = others.into_iter().flat_map(|others| &others.items);
        let grade = |is_judged: bool| if is_judged { NOT_RELEVANT } else { POOLED };
        let mut judged: BTreeMap<u32, i64> =
            others.map(|(&item, &is_judged)| (item, grade(is_judged))).collect();
        match self.grades() {
            Some(grades) => {
                judged.extend(grades.of_query(place).map(|(item, of)| (item, of.into())));
            }
            None => judged.extend(self.positives(place).iter().map(|item| (item, 1))),
        }
        judged
    }
}
