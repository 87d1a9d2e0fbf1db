//! What a truth says of pairs beside which of them are positives: gains, judged not relevant, pooled and not judged.

use std::collections::BTreeMap;

use super::Relevance;
use crate::data::index::{ItemIx, QueryIx};
use crate::truth::grades::{Grading, WHOLE};
use crate::truth::pairs::{NOT_RELEVANT, POOLED};

/// What is said of items of one query.
#[derive(Debug, Clone, Default)]
pub(in crate::truth) struct QueryJudgments {
    /// Items, ascending, each with its gain in halves of a grade, [`NOT_RELEVANT`] or [`POOLED`]. Where the truth has
    /// no grades, a positive is among them only if a verdict gave it another gain.
    pub items: Vec<(u32, i64)>,
    /// Grades of items that the gallery lacks, from [`NOT_RELEVANT`] on; without grades, of those that are no
    /// positives.
    pub outside: Vec<i64>,
}

impl Relevance {
    /// How grades are read, where the truth has any.
    pub fn grading(&self) -> Option<Grading> {
        self.lists.grading
    }

    pub(in crate::truth) fn judgments(&self, place: usize) -> Option<&QueryJudgments> {
        self.lists.judgments.get(&place)
    }

    fn items(&self, place: usize) -> &[(u32, i64)] {
        self.judgments(place).map_or(&[], |of| &of.items)
    }

    fn judgment(&self, place: usize, item: u32) -> Option<i64> {
        let items = self.items(place);
        let at = items.binary_search_by_key(&item, |one| one.0).ok()?;
        Some(items[at].1)
    }

    fn gained(&self, place: usize) -> impl Iterator<Item = (u32, u32)> + Clone {
        let gained = self.items(place).iter().filter(|(_, said)| *said > NOT_RELEVANT);
        gained.map(|&(item, gain)| (item, gain as u32))
    }

    /// The least grade of a positive.
    fn relevant_from(&self) -> u32 {
        self.grading().map_or(1, |grading| grading.from)
    }

    fn has_any(&self, is: impl Fn(i64) -> bool) -> bool {
        self.lists.judgments.values().any(|of| of.items.iter().any(|(_, said)| is(*said)))
    }

    /// Whether an item that is no positive was judged not relevant, by a grade of 0 or one below that of a positive, or
    /// pooled and not judged; `None` of any other: of an item that is only not listed nobody said so.
    pub fn said(&self, query: QueryIx, item: ItemIx) -> Option<bool> {
        let place = self.place(query.get())?;
        let said = self.judgment(place, item.raw())?;
        (!self.positives(place).contains(item.raw())).then_some(said > POOLED)
    }

    /// Whether somebody judged `item` not relevant for `query`.
    pub fn is_nonrelevant(&self, query: QueryIx, item: ItemIx) -> bool {
        self.said(query, item) == Some(true)
    }

    /// Whether any pair may be judged not relevant, or a person may have said so of one.
    pub fn has_nonrelevant(&self) -> bool {
        self.tells_nonrelevant
            || self.relevant_from() > 1
            || self.has_any(|said| said == NOT_RELEVANT)
    }

    /// The items of the gallery that are no positives of the query at `place` and of which the truth says more,
    /// ascending: whether each was judged not relevant, or pooled and not judged.
    pub fn beyond(&self, place: usize) -> Vec<(u32, bool)> {
        let positives = self.positives(place);
        let others = self.items(place).iter().filter(|(item, _)| !positives.contains(*item));
        others.map(|&(item, said)| (item, said > POOLED)).collect()
    }

    /// How many items that the gallery lacks were judged not relevant for the query at `place`.
    pub fn nonrelevant_outside(&self, place: usize) -> u32 {
        let outside = self.judgments(place).into_iter().flat_map(|of| &of.outside);
        outside.filter(|grade| **grade < self.relevant_from().into()).count() as u32
    }

    /// Whether graded metrics see more of it than positives that are all alike.
    pub fn has_gains(&self) -> bool {
        self.grading().is_some() || self.has_any(|said| said > NOT_RELEVANT)
    }

    /// The gain of an item for the query at `place` in graded metrics, in halves of a grade.
    pub fn gain(&self, place: usize, item: u32) -> u32 {
        match self.judgment(place, item) {
            Some(said) => said.max(NOT_RELEVANT) as u32,
            None if self.positives(place).contains(item) => WHOLE,
            None => 0,
        }
    }

    /// The items of the query at `place` that have a gain, ascending, with it, as [`Relevance::gain`]; `None` where
    /// these are its positives, and all have the same.
    pub fn gains(&self, place: usize) -> Option<Vec<(u32, u32)>> {
        let gained = self.gained(place);
        if self.grading().is_none() && gained.clone().next().is_none() {
            return None;
        }
        let positives = self.positives(place).iter();
        let mut gains: BTreeMap<u32, u32> = positives.map(|item| (item, WHOLE)).collect();
        gains.extend(gained);
        Some(gains.into_iter().collect())
    }

    /// The gains of the items of the query at `place` that the gallery lacks, in halves of a grade.
    pub fn gains_outside(&self, place: usize) -> Vec<u32> {
        if self.grading().is_none() {
            return vec![WHOLE; self.listed(place) as usize - self.positives(place).len()];
        }
        let outside = self.judgments(place).into_iter().flat_map(|of| &of.outside);
        let graded = outside.filter(|grade| **grade > NOT_RELEVANT);
        graded.map(|grade| WHOLE * *grade as u32).collect()
    }

    /// Judged items of the query at `place` with their grades; 1 for a positive without a grade. Of the half of a grade
    /// the whole one is taken, and a positive stays one.
    pub(in crate::truth) fn judged(&self, place: usize) -> BTreeMap<u32, i64> {
        let positives = self.positives(place);
        let mut judged: BTreeMap<u32, i64> = positives.iter().map(|item| (item, 1)).collect();
        let least = |item| if positives.contains(item) { self.relevant_from() } else { 0 };
        let grade = |item, gain: u32| gain.div_ceil(WHOLE).max(least(item)).into();
        judged.extend(self.items(place).iter().copied());
        judged.extend(self.gained(place).map(|(item, gain)| (item, grade(item, gain))));
        judged
    }
}
