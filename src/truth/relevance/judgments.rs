//! Judgments besides positives: gains, judged not relevant, pooled but not judged.

use std::collections::BTreeMap;

use super::Relevance;
use crate::data::index::{ItemIx, QueryIx};
use crate::truth::pairs::{NOT_RELEVANT, POOLED};

/// Gain of a positive without a grade. Gains are in halves of a grade, because a judgment may halve a grade.
pub const WHOLE: u32 = 2;

/// The scale of a truth with grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grading {
    /// The highest grade of the file.
    pub highest: u32,
    /// The lowest grade of a positive.
    pub from: u32,
}

/// Judgments on items of one query.
#[derive(Debug, Clone, Default)]
pub(in crate::truth) struct QueryJudgments {
    /// Items, ascending, each with its gain in halves of a grade, [`NOT_RELEVANT`] or [`POOLED`]. Without grades, a
    /// positive is included only if a judgment changed its gain.
    pub items: Vec<(u32, i64)>,
    /// Grades of items outside the gallery, from [`NOT_RELEVANT`] up; without grades, only of non-positives.
    pub outside: Vec<i64>,
}

impl Relevance {
    /// The grade scale; `None` without grades.
    pub fn grading(&self) -> Option<Grading> {
        self.lists.grading
    }

    /// Judgments on items of the query at `place`; `None` without any.
    pub(in crate::truth) fn judgments(&self, place: usize) -> Option<&QueryJudgments> {
        self.lists.judgments.get(&place)
    }

    /// [`QueryJudgments::items`] of the query at `place`.
    fn judged_items(&self, place: usize) -> &[(u32, i64)] {
        self.judgments(place).map_or(&[], |judgments| &judgments.items)
    }

    /// Number of an item in [`QueryJudgments::items`] of the query at `place`; `None` if the item is not there.
    fn judgment(&self, place: usize, item: u32) -> Option<i64> {
        let items = self.judged_items(place);
        let at = items.binary_search_by_key(&item, |one| one.0).ok()?;
        Some(items[at].1)
    }

    /// Items of the query at `place` with a gain of their own, and this gain in halves of a grade.
    fn own_gains(&self, place: usize) -> impl Iterator<Item = (u32, u32)> + Clone {
        let with_gain = self.judged_items(place).iter().filter(|(_, gain)| *gain > NOT_RELEVANT);
        with_gain.map(|&(item, gain)| (item, gain as u32))
    }

    /// The lowest grade of a positive.
    fn relevant_from(&self) -> u32 {
        self.grading().map_or(1, |grading| grading.from)
    }

    /// Whether the number of any judged item in [`QueryJudgments::items`] meets a condition.
    fn has_judgment(&self, meets: impl Fn(i64) -> bool) -> bool {
        self.lists.judgments.values().any(|of| of.items.iter().any(|(_, gain)| meets(*gain)))
    }

    /// For a non-positive, `true` if it was judged not relevant (a grade from 0 on, below that of a positive), `false`
    /// if pooled but not judged. `None` for positives, unjudged items and queries not covered.
    pub fn nonpositive_judgment(&self, query: QueryIx, item: ItemIx) -> Option<bool> {
        let place = self.place(query.get())?;
        let judgment = self.judgment(place, item.raw())?;
        (!self.positives(place).contains(item.raw())).then_some(judgment > POOLED)
    }

    /// Whether `item` was judged not relevant for `query`.
    pub fn is_nonrelevant(&self, query: QueryIx, item: ItemIx) -> bool {
        self.nonpositive_judgment(query, item) == Some(true)
    }

    /// Whether any pair may be judged not relevant, also by a person.
    pub fn has_nonrelevant(&self) -> bool {
        self.may_have_nonrelevant
            || self.relevant_from() > 1
            || self.has_judgment(|judgment| judgment == NOT_RELEVANT)
    }

    /// Non-positives in the gallery with judgments for the query at `place`, ascending: `true` if judged not relevant,
    /// `false` if pooled but not judged.
    pub fn judged_nonpositives(&self, place: usize) -> Vec<(u32, bool)> {
        let positives = self.positives(place);
        let others = self.judged_items(place).iter().filter(|(item, _)| !positives.contains(*item));
        others.map(|&(item, judgment)| (item, judgment > POOLED)).collect()
    }

    /// Number of items outside the gallery judged not relevant for the query at `place`.
    pub fn nonrelevant_outside(&self, place: usize) -> u32 {
        let outside = self.judgments(place).into_iter().flat_map(|of| &of.outside);
        outside.filter(|grade| **grade < self.relevant_from().into()).count() as u32
    }

    /// Whether gains differ from those of plain positives.
    pub fn has_gains(&self) -> bool {
        self.grading().is_some() || self.has_judgment(|gain| gain > NOT_RELEVANT)
    }

    /// The gain of an item for the query at `place` in graded metrics, in halves of a grade.
    pub fn gain(&self, place: usize, item: u32) -> u32 {
        match self.judgment(place, item) {
            Some(gain) => gain.max(NOT_RELEVANT) as u32,
            None if self.positives(place).contains(item) => WHOLE,
            None => 0,
        }
    }

    /// Items of the query at `place` with a gain, ascending, each with its [`Relevance::gain`]. `None` if there are no
    /// grades and all these items are positives with the gain [`WHOLE`].
    pub fn gains(&self, place: usize) -> Option<Vec<(u32, u32)>> {
        let own_gains = self.own_gains(place);
        if self.grading().is_none() && own_gains.clone().next().is_none() {
            return None;
        }
        let positives = self.positives(place).iter();
        let mut gains: BTreeMap<u32, u32> = positives.map(|item| (item, WHOLE)).collect();
        gains.extend(own_gains);
        Some(gains.into_iter().collect())
    }

    /// Gains of items outside the gallery for the query at `place`, in halves of a grade.
    pub fn gains_outside(&self, place: usize) -> Vec<u32> {
        if self.grading().is_none() {
            return vec![WHOLE; self.total_positives(place) as usize - self.positives(place).len()];
        }
        let outside = self.judgments(place).into_iter().flat_map(|of| &of.outside);
        let graded = outside.filter(|grade| **grade > NOT_RELEVANT);
        graded.map(|grade| WHOLE * *grade as u32).collect()
    }

    /// Judged items of the query at `place` with their grades; 1 for a positive without a grade. Half grades are
    /// rounded up, and positives stay positive.
    pub(in crate::truth) fn grades(&self, place: usize) -> BTreeMap<u32, i64> {
        let positives = self.positives(place);
        let mut grades: BTreeMap<u32, i64> = positives.iter().map(|item| (item, 1)).collect();
        let min_grade = |item| if positives.contains(item) { self.relevant_from() } else { 0 };
        let grade = |item, gain: u32| gain.div_ceil(WHOLE).max(min_grade(item)).into();
        grades.extend(self.judged_items(place).iter().copied());
        grades.extend(self.own_gains(place).map(|(item, gain)| (item, grade(item, gain))));
        grades
    }
}
