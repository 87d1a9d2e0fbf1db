//! `{id: [ids]}` in file order, ids not yet looked up.

mod builder;
mod json;

use std::borrow::Cow;
use std::collections::BTreeMap;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use self::builder::Builder;
use super::relevance::Relevance;
use crate::data::id::{Id, IdList};

/// The grade of a pair that was judged not relevant.
pub const NOT_RELEVANT: i64 = 0;
/// The grade of a pair that was pooled but not judged.
pub const POOLED: i64 = -1;

/// Queries with their items, in file order (the order in which means are summed).
///
/// A pair is a positive, or has a grade: above 0 it is listed, and a positive from [`Pairs::relevant_from`] on;
/// [`NOT_RELEVANT`] and [`POOLED`] differ from pairs that no file mentions.
///
/// An item's id is stored once and referenced by a short code: Plausible Match files list 25,000 ids twenty million
/// times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Id of each query.
    keys: Vec<Id>,
    /// End of each query's items in `codes`.
    ends: Vec<usize>,
    /// Place in `values` of each pair's item.
    codes: Vec<u32>,
    /// Id of each item, once.
    values: Vec<Id>,
    /// `None` if all pairs are positives without grades.
    graded: Option<Graded>,
}

/// The grades of pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Graded {
    /// Grade of each pair.
    grades: Vec<i64>,
    /// The lowest grade of a positive.
    from: u32,
}

/// Grades above 0 by query and item.
pub type GradesById = BTreeMap<Id, BTreeMap<Id, u32>>;

/// Collects each query with its positives.
impl<P: IntoIterator<Item = Id>> FromIterator<(Id, P)> for Pairs {
    fn from_iter<I: IntoIterator<Item = (Id, P)>>(queries: I) -> Self {
        let mut builder = Builder::default();
        for (key, positives) in queries {
            positives.into_iter().for_each(|id| builder.push_item(id));
            builder.end_query(key);
        }
        builder.finish()
    }
}

impl Pairs {
    /// The positives of a truth over a gallery, as ids; `queries` and `items` are those of the gallery.
    pub fn from_relevance(relevance: &Relevance, queries: &IdList, items: &IdList) -> Self {
        let covered = relevance.queries().iter().enumerate();
        let lists = covered.map(|(place, &query)| {
            let positives = relevance.positives(place).iter();
            let ids = positives.map(|item| items[item as usize].clone());
            (queries[query as usize].clone(), ids)
        });
        lists.collect()
    }

    /// Each query with its items and grades; items graded `from` or higher are positives.
    pub fn with_grades<I: IntoIterator<Item = (Id, i64)>>(
        queries: impl IntoIterator<Item = (Id, I)>,
        from: u32,
    ) -> Self {
        let mut builder = Builder::default();
        let mut grades = Vec::new();
        for (key, items) in queries {
            for (id, grade) in items {
                builder.push_item(id);
                grades.push(grade);
            }
            builder.end_query(key);
        }
        let is_plain = from == 1 && grades.iter().all(|grade| *grade == 1);
        Pairs { graded: (!is_plain).then_some(Graded { grades, from }), ..builder.finish() }
    }

    /// The listed pairs and all pairs of `grades`, with their grades; a listed pair that `grades` lacks gets `from`,
    /// the lowest grade of a positive. `ungraded`: further pairs of the same queries, each set with its grade,
    /// [`NOT_RELEVANT`] or [`POOLED`].
    #[must_use]
    pub fn add_grades(&self, grades: &GradesById, from: u32, ungraded: [(&Pairs, i64); 2]) -> Self {
        type Items = IndexMap<Id, i64, FxBuildHasher>;
        let mut lists: IndexMap<Id, Items, FxBuildHasher> = IndexMap::default();
        let grade_of = |key: &Id, id: &Id| grades.get(key)?.get(id).copied();
        for (key, items) in self.iter() {
            let graded = items.map(|id| (id.clone(), grade_of(key, id).unwrap_or(from).into()));
            lists.insert(key.clone(), graded.collect());
        }
        for (key, items) in grades {
            let list = lists.entry(key.clone()).or_default();
            for (id, grade) in items {
                list.entry(id.clone()).or_insert((*grade).into());
            }
        }
        for (pairs, grade) in ungraded {
            for (key, items) in pairs.iter() {
                if let Some(list) = lists.get_mut(key) {
                    items.for_each(|id| _ = list.entry(id.clone()).or_insert(grade));
                }
            }
        }
        Pairs::with_grades(lists, from)
    }

    /// These pairs with the grades of `changed`, a truth over the same gallery, whose ids are `queries` and `items`.
    /// Items outside the gallery are kept, so that R stays the same; new items are appended.
    #[must_use]
    pub fn regraded_by(&self, changed: &Relevance, queries: &IdList, items: &IdList) -> Pairs {
        let found = items.find_all(&self.values);
        let lists = self.iter_coded().map(|(query, pairs)| {
            let place = queries.find(query).and_then(|query| changed.place(query as usize));
            let new_grades: Option<BTreeMap<u32, i64>> = place.map(|place| changed.grades(place));
            let mut seen = FxHashSet::default();
            let mut list = Vec::new();
            for (code, old_grade) in pairs {
                let grade = match (&new_grades, found[code]) {
                    (_, Some(item)) if !seen.insert(item) => None,
                    (Some(new_grades), Some(item)) => new_grades.get(&item).copied(),
                    _ => Some(old_grade),
                };
                list.extend(grade.map(|grade| (self.values[code].clone(), grade)));
            }
            let new = new_grades.into_iter().flatten().filter(|(item, _)| !seen.contains(item));
            list.extend(new.map(|(item, grade)| (items[item as usize].clone(), grade)));
            (query.clone(), list)
        });
        Pairs::with_grades(lists, self.relevant_from())
    }

    /// Whether all pairs are positives without grades.
    pub fn is_plain(&self) -> bool {
        self.graded.is_none()
    }

    /// The highest grade. `None` if there are no grades, or if neither a grade nor the lowest grade of a positive is
    /// above 1.
    pub fn highest_grade(&self) -> Option<u32> {
        let Graded { grades, from } = self.graded.as_ref()?;
        let highest = grades.iter().copied().max().map_or(*from, |grade| grade.max(0) as u32);
        (highest.max(*from) > 1).then_some(highest)
    }

    /// The lowest grade of a positive; 1 without grades.
    pub fn relevant_from(&self) -> u32 {
        self.graded.as_ref().map_or(1, |graded| graded.from)
    }

    /// Sets the lowest grade of a positive; no effect if [`Pairs::highest_grade`] is `None`.
    pub fn set_relevant_from(&mut self, from: u32) {
        if self.highest_grade().is_some()
            && let Some(graded) = &mut self.graded
        {
            graded.from = from;
        }
    }

    /// The pairs with grades above 0.
    pub fn listed(&self) -> Cow<'_, Pairs> {
        self.filter_min_grade(1)
    }

    /// The positives, without grades.
    pub fn positives(&self) -> Cow<'_, Pairs> {
        let positives = self.filter_min_grade(self.relevant_from().into());
        if positives.is_plain() {
            return positives;
        }
        Cow::Owned(Pairs { graded: None, ..positives.into_owned() })
    }

    /// The pairs with this grade or a higher one.
    fn filter_min_grade(&self, lowest: i64) -> Cow<'_, Pairs> {
        match &self.graded {
            Some(graded) if graded.grades.iter().any(|grade| *grade < lowest) => {
                let lists = self.iter_graded().map(|(key, items)| {
                    let items = items.filter(move |(_, grade)| *grade >= lowest);
                    (key.clone(), items.map(|(id, grade)| (id.clone(), grade)))
                });
                Cow::Owned(Pairs::with_grades(lists, graded.from))
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// Pairs with this grade, without empty queries; `None` if there is no such pair.
    pub fn filter_grade(&self, wanted: i64) -> Option<Pairs> {
        self.graded.as_ref()?;
        let lists = self.iter_graded().map(|(key, items)| {
            let items = items.filter(|(_, grade)| *grade == wanted);
            (key.clone(), items.map(|(id, _)| id.clone()).collect::<Vec<Id>>())
        });
        let found: Pairs = lists.filter(|(_, items)| !items.is_empty()).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The grades above 0 by query and item; `None` if [`Pairs::highest_grade`] is `None`.
    pub fn grades_by_id(&self) -> Option<GradesById> {
        self.highest_grade()?;
        let listed = self.listed();
        let lists = listed.iter_graded().map(|(key, items)| {
            (key.clone(), items.map(|(id, grade)| (id.clone(), grade as u32)).collect())
        });
        Some(lists.collect())
    }

    /// The ids of the queries, each once, in file order.
    pub fn keys(&self) -> &[Id] {
        &self.keys
    }

    /// The ids of all items, each once, in the order of their first appearance.
    pub fn values(&self) -> &[Id] {
        &self.values
    }

    /// The items as queries, each with its queries as items. Query ids are distinct, and no pair has a grade.
    #[must_use]
    pub fn transposed(&self) -> Pairs {
        let mut ends = vec![0; self.values.len()];
        for &code in &self.codes {
            ends[code as usize] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        // Each of the ends is a start at first, and moves on with its pairs.
        let mut codes = vec![0; self.codes.len()];
        for (query, (_, items)) in (0..).zip(self.iter_coded()) {
            for (item, _) in items {
                codes[ends[item]] = query;
                ends[item] += 1;
            }
        }
        Pairs { keys: self.values.clone(), ends, codes, values: self.keys.clone(), graded: None }
    }

    /// Number of pairs of all queries.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether no query has a pair.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Each query with the index in [`Pairs::values`] and the grade of each item; positives without a grade have 1.
    pub fn iter_coded(
        &self,
    ) -> impl Iterator<Item = (&Id, impl ExactSizeIterator<Item = (usize, i64)> + Clone)> {
        self.keys.iter().enumerate().map(move |(at, key)| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            let grades = self.graded.as_ref().map(|graded| &graded.grades);
            let coded =
                move |at: usize| (self.codes[at] as usize, grades.map_or(1, |grades| grades[at]));
            (key, (start..self.ends[at]).map(coded))
        })
    }

    /// Each query with its items and grades; positives without a grade have 1.
    pub fn iter_graded(
        &self,
    ) -> impl Iterator<Item = (&Id, impl ExactSizeIterator<Item = (&Id, i64)> + Clone)> {
        let decode = |(code, grade): (usize, i64)| (&self.values[code], grade);
        self.iter_coded().map(move |(key, codes)| (key, codes.map(decode)))
    }

    /// Each query with its items of a grade above 0.
    pub fn iter(&self) -> impl Iterator<Item = (&Id, impl Iterator<Item = &Id> + Clone)> {
        self.iter_graded()
            .map(|(key, items)| (key, items.filter(|(_, grade)| *grade > 0).map(|(id, _)| id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Pairs {
        serde_json::from_str(text).unwrap()
    }

    fn text(pairs: &Pairs) -> String {
        serde_json::to_string(pairs).unwrap()
    }

    /// 4711 is in no gallery.
    fn graded() -> Pairs {
        let id = Id::Number;
        let lists = [
            (id(7), vec![(id(3), 1), (id(4), 3), (id(5), NOT_RELEVANT), (id(4711), NOT_RELEVANT)]),
            (id(9), vec![(id(2), POOLED)]),
            (id(8), vec![(id(4), 2)]),
        ];
        Pairs::with_grades(lists, 2)
    }

    #[test]
    fn order_and_lists_survive_a_round_trip() {
        let written = r#"{"9":[3,1],"2":[],"x":["y",7]}"#;
        let pairs = pairs(written);
        assert_eq!(pairs.keys(), [Id::Number(9), Id::Number(2), Id::Text("x".into())]);
        assert_eq!(pairs.iter().map(|(_, p)| p.count()).collect::<Vec<_>>(), [2, 0, 2]);
        assert_eq!(text(&pairs), written);
        assert!(pairs.is_plain() && pairs.highest_grade().is_none());
    }

    #[test]
    fn formats_without_grades_hold_the_positives() {
        let mut graded = graded();
        assert_eq!(text(&graded), r#"{"7":[4],"9":[],"8":[4]}"#);
        assert_eq!((graded.highest_grade(), graded.relevant_from()), (Some(3), 2));
        assert_eq!(text(&graded.filter_grade(NOT_RELEVANT).unwrap()), r#"{"7":[5,4711]}"#);
        assert_eq!(text(&graded.filter_grade(POOLED).unwrap()), r#"{"9":[2]}"#);
        assert_eq!(graded.listed().values(), [3, 4].map(Id::Number));
        graded.set_relevant_from(1);
        assert_eq!(text(&graded), r#"{"7":[3,4],"9":[],"8":[4]}"#);
    }

    #[test]
    fn what_stands_beside_positives_makes_the_same_pairs() {
        let graded = graded();
        let [zeros, pooled] =
            [NOT_RELEVANT, POOLED].map(|grade| graded.filter_grade(grade).unwrap());
        let by_id = graded.grades_by_id().unwrap();
        let again = graded.positives();
        let again = again.add_grades(&by_id, 2, [(&zeros, NOT_RELEVANT), (&pooled, POOLED)]);
        assert_eq!(again.grades_by_id(), Some(by_id));
        assert_eq!(again.keys(), graded.keys());
        assert_eq!(
            [NOT_RELEVANT, POOLED].map(|grade| again.filter_grade(grade)),
            [Some(zeros), Some(pooled)]
        );
    }

    #[test]
    fn changed_lists_keep_their_order_and_what_the_gallery_lacks() {
        let written = pairs(r#"{"2":[3,99,1],"77":[3,3],"0":[],"1":[0]}"#);
        let (queries, items) = (IdList::for_len(3), IdList::for_len(4));
        let (same, _) = Relevance::resolve(&written, &queries, &items);
        assert_eq!(written.regraded_by(&same, &queries, &items).iter().count(), 4);
        let wanted = pairs(r#"{"2":[0,1,2],"1":[],"0":[1]}"#);
        let (changed, _) = Relevance::resolve(&wanted, &queries, &items);
        let changed = written.regraded_by(&changed, &queries, &items);
        assert_eq!(text(&changed), r#"{"2":[99,1,0,2],"77":[3],"0":[1],"1":[]}"#);
    }

    #[test]
    fn changed_grades_and_judgments_stand_in_the_lists() {
        let (queries, items) = (IdList::for_len(10), IdList::for_len(6));
        let id = Id::Number;
        let lists = vec![(id(4), 1), (id(5), 3), (id(3), NOT_RELEVANT)];
        let changed = Pairs::with_grades([(id(7), lists), (id(9), vec![(id(2), NOT_RELEVANT)])], 2);
        let (changed, _) = Relevance::resolve(&changed, &queries, &items);
        let with = graded().regraded_by(&changed, &queries, &items);
        let of = with.grades_by_id().unwrap();
        assert_eq!(of[&id(7)], BTreeMap::from([(id(4), 1), (id(5), 3)]));
        assert_eq!(of[&id(8)], BTreeMap::from([(id(4), 2)]), "not judged there");
        let zeros = with.filter_grade(NOT_RELEVANT).unwrap();
        assert_eq!(text(&zeros), r#"{"7":[3,4711],"9":[2]}"#);
        assert_eq!(with.filter_grade(POOLED), None);
    }

    #[test]
    fn a_positive_is_not_judged_nonrelevant() {
        let nonrelevant = pairs(r#"{"0":[1,2,77],"5":[3],"9":[0]}"#);
        let judged = pairs(r#"{"0":[1],"9":[]}"#);
        let nothing = Pairs::default();
        let judged = judged.add_grades(
            &GradesById::new(),
            1,
            [(&nonrelevant, NOT_RELEVANT), (&nothing, POOLED)],
        );
        let (relevance, _) = Relevance::resolve(&judged, &IdList::for_len(10), &IdList::for_len(4));
        let is_nonrelevant =
            |query: u32, item: u32| relevance.is_nonrelevant(query.into(), item.into());
        assert!(is_nonrelevant(0, 2) && is_nonrelevant(9, 0));
        assert!(!is_nonrelevant(0, 1) && !is_nonrelevant(0, 3) && !is_nonrelevant(1, 2));
        assert_eq!(relevance.queries(), [0, 9], "judged by their lists alone");
    }

    #[test]
    fn a_repeated_query_and_a_value_that_is_no_list_are_errors() {
        let error = serde_json::from_str::<Pairs>(r#"{"9":[3],"9":[1]}"#).unwrap_err();
        assert!(error.to_string().contains("query 9 stands twice"), "{error}");
        let late = r#"{"1":[],"2":[],"3":[],"2":[]}"#;
        let error = serde_json::from_str::<Pairs>(late).unwrap_err();
        assert!(error.to_string().contains("query 2 stands twice"), "{error}");
        assert!(serde_json::from_str::<Pairs>(r#"{"1":[],"3":[],"2":[]}"#).is_ok());
        let error = serde_json::from_str::<Pairs>(r#"{"9":3.5}"#).unwrap_err();
        assert!(error.to_string().contains("a list of ids"), "{error}");
        let one = serde_json::from_str::<Pairs>(r#"{"9":3}"#).unwrap();
        assert_eq!(one, serde_json::from_str(r#"{"9":[3]}"#).unwrap());
    }
}
