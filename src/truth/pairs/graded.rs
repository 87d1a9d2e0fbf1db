//! Pairs with grades: those of a file whose relevance is more than yes or no.
//!
//! They list every item with a grade above 0, those that are no positives too.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Builder, Pairs};
use crate::data::id::Id;

/// A grade for each pair of a list, and the least grade of a positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Graded {
    /// Above 0, one for each pair.
    grades: Vec<u32>,
    greatest: u32,
    /// The least grade of a positive.
    from: u32,
}

/// Grades by query and item.
pub type ById = BTreeMap<Id, BTreeMap<Id, u32>>;

impl Pairs {
    /// Each query with its items and their grades, all above 0; positives are from the grade `from` on.
    pub fn with_grades(queries: impl IntoIterator<Item = (Id, Vec<(Id, u32)>)>, from: u32) -> Self {
        let mut builder = Builder::default();
        let mut grades = Vec::new();
        for (key, items) in queries {
            for (id, grade) in items {
                builder.positive(id);
                grades.push(grade);
            }
            builder.end(key);
        }
        let greatest = grades.iter().copied().max().unwrap_or(from);
        Pairs { graded: Some(Box::new(Graded { grades, greatest, from })), ..builder.finish() }
    }

    /// These lists with grades that stand beside them, those of further items too. A listed item without a
    /// grade has the least of a positive.
    #[must_use]
    pub fn graded_by(&self, mut grades: ById, from: u32) -> Self {
        let lists = self.iter().map(|(key, items)| {
            let mut others = grades.remove(key).unwrap_or_default();
            let graded = items.map(|id| (id.clone(), others.remove(id).unwrap_or(from)));
            let mut list: Vec<(Id, u32)> = graded.collect();
            list.extend(others);
            (key.clone(), list)
        });
        let mut lists: Vec<(Id, Vec<(Id, u32)>)> = lists.collect();
        lists.extend(grades.into_iter().map(|(key, items)| (key, items.into_iter().collect())));
        let zeros = lists.iter_mut().map(|(key, list)| {
            let zeros: Vec<_> = list.extract_if(.., |(_, grade)| *grade == 0).collect();
            (key.clone(), without_grades(zeros))
        });
        let zeros: Pairs = zeros.collect();
        Pairs::with_grades(lists, from).beside(zeros)
    }

    /// The greatest grade; `None` where pairs have none.
    pub fn greatest(&self) -> Option<u32> {
        self.graded.as_ref().map(|graded| graded.greatest)
    }

    /// The least grade of a positive; 1 where pairs have none.
    pub fn relevant_from(&self) -> u32 {
        self.graded.as_ref().map_or(1, |graded| graded.from)
    }

    /// Lets positives begin at this grade, where pairs have grades.
    pub fn set_relevant_from(&mut self, from: u32) {
        if let Some(graded) = &mut self.graded {
            graded.from = from;
        }
    }

    /// The grades of the query at a place, in the order of its items; `None` where pairs have none.
    pub fn grades(&self, query: usize) -> Option<&[u32]> {
        let graded = self.graded.as_ref()?;
        let start = query.checked_sub(1).map_or(0, |before| self.ends[before]);
        graded.grades.get(start..self.ends[query])
    }

    /// The positives alone, as formats without grades hold them.
    pub fn positives(&self) -> Cow<'_, Pairs> {
        if self.graded.is_none() {
            return Cow::Borrowed(self);
        }
        let from = self.relevant_from();
        let queries = self.iter().enumerate().map(|(at, (key, items))| {
            let grades = self.grades(at).unwrap_or_default();
            let items = items.zip(grades).filter(move |(_, grade)| **grade >= from);
            (key.clone(), items.map(|(id, _)| id.clone()))
        });
        Cow::Owned(queries.collect())
    }

    /// The grades by query and item; `None` where pairs have none.
    pub fn by_id(&self) -> Option<ById> {
        self.graded.as_ref()?;
        let mut by_id = ById::new();
        for (at, (key, items)) in self.iter().enumerate() {
            let grades = self.grades(at).unwrap_or_default().iter().copied();
            by_id.insert(key.clone(), items.cloned().zip(grades).collect());
        }
        Some(by_id)
    }
}

/// Items without their grades.
pub fn without_grades(items: Vec<(Id, u32)>) -> impl Iterator<Item = Id> {
    items.into_iter().map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::IdList;
    use crate::truth::relevance::Relevance;

    fn pairs() -> Pairs {
        let id = Id::Number;
        let lists =
            [(id(7), vec![(id(3), 1), (id(4), 3)]), (id(9), vec![]), (id(8), vec![(id(4), 2)])];
        Pairs::with_grades(lists, 2)
    }

    #[test]
    fn formats_without_grades_hold_the_positives() {
        assert_eq!(serde_json::to_string(&pairs()).unwrap(), r#"{"7":[4],"9":[],"8":[4]}"#);
        assert_eq!((pairs().greatest(), pairs().relevant_from()), (Some(3), 2));
        assert_eq!(pairs().grades(0), Some(&[1, 3][..]));
    }

    #[test]
    fn lists_with_grades_beside_them_are_the_same_pairs() {
        let by_id = pairs().by_id().unwrap();
        let mut again = pairs().positives().graded_by(by_id, 2);
        assert_eq!(again.by_id(), pairs().by_id());
        assert_eq!(again.keys(), pairs().keys());
        again.set_relevant_from(1);
        assert_eq!(serde_json::to_string(&again).unwrap(), r#"{"7":[4,3],"9":[],"8":[4]}"#);
    }

    #[test]
    fn changed_grades_stand_in_the_lists() {
        let (queries, items) = (IdList::counted(10), IdList::counted(6));
        let changed =
            Pairs::with_grades([(Id::Number(7), vec![(Id::Number(4), 1), (Id::Number(5), 3)])], 2);
        let (changed, _) = Relevance::resolve(&changed, &queries, &items);
        let with = pairs().with(&changed, &queries, &items);
        let of = with.by_id().unwrap();
        let id = Id::Number;
        assert_eq!(of[&id(7)], BTreeMap::from([(id(4), 1), (id(5), 3)]));
        assert_eq!(of[&id(8)], BTreeMap::from([(id(4), 2)]), "not judged there");
    }
}
