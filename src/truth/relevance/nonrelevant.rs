//! Pairs that somebody judged not relevant: more than that a list does not have them.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Relevance;
use crate::data::index::{ItemIx, QueryIx};
use crate::truth::grades::Grades;

impl Relevance {
    /// Whether somebody judged `item` not relevant for `query`: by a grade of 0, or one below that of a
    /// positive. Of an item that is only not listed nobody said so.
    pub fn is_nonrelevant(&self, query: QueryIx, item: ItemIx) -> bool {
        let graded_low = || {
            let (grades, place) = (self.grades()?, self.place(query.get())?);
            Some((1..grades.from()).contains(&grades.of(place, item.raw())))
        };
        self.nonrelevant.contains(&(query.raw(), item.raw())) || graded_low() == Some(true)
    }

    /// Whether any pair may be judged not relevant.
    pub fn has_nonrelevant(&self) -> bool {
        let has_low = |grades: &Grades| grades.from() > 1;
        !self.nonrelevant.is_empty() || self.grades().is_some_and(has_low)
    }

    /// The same, of which these pairs of query and item are judged not relevant.
    pub(super) fn with_nonrelevant(self, nonrelevant: FxHashSet<(u32, u32)>) -> Self {
        Relevance {
            nonrelevant: Arc::new(nonrelevant),
            ..self
        }
    }

    /// The same, of which the pairs of another one over the same gallery and further ones, query before item,
    /// are judged not relevant, but for those that are positives here.
    #[must_use]
    pub(in crate::truth) fn with_nonrelevant_of(
        self,
        other: &Relevance,
        further: impl Iterator<Item = (u32, u32)>,
    ) -> Self {
        let is_left =
            |&(query, item): &(u32, u32)| self.contains(query.into(), item.into()) != Some(true);
        let all = other.nonrelevant.iter().copied().chain(further);
        let left = all.filter(is_left).collect();
        self.with_nonrelevant(left)
    }

    /// Query and item of every pair that is judged not relevant by itself, not by a low grade, in order.
    pub(in crate::truth) fn nonrelevant_pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> = self.nonrelevant.iter().copied().collect();
        pairs.sort_unstable();
        pairs
    }
}
