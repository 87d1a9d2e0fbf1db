//! One ground truth of several: what any of them says is right.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::pairs::{Pairs, without_grades};
use crate::data::id::Id;

/// One direction of a union in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnionCounts {
    /// Queries that it covers.
    pub queries: usize,
    /// Positives.
    pub positives: usize,
    /// Positives that each of its parts lists, for these queries.
    pub of_parts: Vec<usize>,
    /// Positives that each part alone lists.
    pub alone: Vec<usize>,
    /// Pairs that one part lists and another judges not relevant: they are positives.
    pub disagreed: usize,
    /// Pairs judged not relevant.
    pub nonrelevant: usize,
    /// Pairs pooled and not judged.
    pub pooled: usize,
}

type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// The positives of each query with the parts that list them, as bits, and their grade where they have one.
type Positives<'a> = Map<&'a Id, Map<&'a Id, (u64, Option<u32>)>>;

/// Unites lists of one direction: of the queries of the first, or of all where `of_all` says so. A positive of any of
/// them is one; where they have grades the greatest counts, and what has none is wholly right. What a part judges not
/// relevant or pooled stays so unless another one lists it.
pub fn united(lists: &[&Pairs], of_all: bool) -> (Pairs, UnionCounts) {
    let mut counts = UnionCounts::default();
    let mut queries = Positives::default();
    let asked = if of_all { lists } else { &lists[..1] };
    for query in asked.iter().flat_map(|list| list.keys()) {
        queries.entry(query).or_default();
    }
    for (part, list) in lists.iter().enumerate() {
        for (at, (query, items)) in list.iter().enumerate() {
            let Some(positives) = queries.get_mut(query) else {
                continue;
            };
            let grades = list.grades(at);
            for (nth, item) in items.enumerate() {
                let grade = grades.map(|grades| grades[nth]);
                if grade.is_some_and(|grade| grade < list.relevant_from()) {
                    continue;
                }
                let (parts, best) = positives.entry(item).or_insert((0, Some(0)));
                *parts |= bit(part);
                *best = best.zip(grade).map(|(best, grade)| best.max(grade));
            }
        }
    }
    let beyond = |of: fn(&Pairs) -> Option<&Pairs>| {
        beyond(lists.iter().filter_map(|list| of(list)), &queries)
    };
    let (nonrelevant, disagreed) = beyond(Pairs::nonrelevant);
    let (pooled, _) = beyond(Pairs::pooled);
    let pooled: Pairs = nonrelevant.left_of(Some(&pooled)).into_iter().collect();
    let all = || queries.values().flat_map(Map::values).map(|(parts, _)| *parts);
    let each = |is: &dyn Fn(u64, u64) -> bool| {
        let count = |part| all().filter(|parts| is(*parts, bit(part))).count();
        (0..lists.len()).map(count).collect()
    };
    counts.queries = queries.len();
    counts.positives = all().count();
    counts.of_parts = each(&|parts, part| parts & part > 0);
    counts.alone = each(&|parts, part| parts == part);
    (counts.disagreed, counts.nonrelevant, counts.pooled) =
        (disagreed, nonrelevant.len(), pooled.len());
    (positives(lists, &queries).beside(nonrelevant).with_pooled(pooled), counts)
}

fn bit(part: usize) -> u64 {
    1 << part.min(63)
}

/// Lists of what is no positive, each item once, and how many of them are positives elsewhere.
fn beyond<'a>(lists: impl Iterator<Item = &'a Pairs>, queries: &Positives<'_>) -> (Pairs, usize) {
    let mut found: Vec<Map<&Id, ()>> = vec![Map::default(); queries.len()];
    let mut disagreed: FxHashSet<(usize, &Id)> = FxHashSet::default();
    for (query, items) in lists.flat_map(Pairs::iter) {
        let Some((place, _, positives)) = queries.get_full(query) else {
            continue;
        };
        for item in items {
            if positives.contains_key(item) {
                disagreed.insert((place, item));
            } else {
                found[place].insert(item, ());
            }
        }
    }
    let lists = queries.keys().zip(found).filter(|(_, items)| !items.is_empty());
    let lists = lists.map(|(query, items)| ((*query).clone(), items.into_keys().cloned()));
    (lists.collect(), disagreed.len())
}

/// The positives, with grades where any part has them.
fn positives(lists: &[&Pairs], queries: &Positives<'_>) -> Pairs {
    let greatest = lists.iter().filter_map(|list| list.greatest()).max();
    let from = lists.iter().map(|list| list.relevant_from()).max().unwrap_or(1);
    let graded = queries.iter().map(|(query, items)| {
        let grade = |grade: Option<u32>| grade.or(greatest).unwrap_or(1).max(from);
        let items = items.iter().map(|(id, (_, of))| ((*id).clone(), grade(*of)));
        ((*query).clone(), items.collect())
    });
    match greatest {
        None => graded.map(|(query, items)| (query, without_grades(items))).collect(),
        Some(_) => Pairs::with_grades(graded, from),
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

    #[test]
    fn what_any_says_is_right_and_the_rest_stays_judged() {
        let human = pairs(r#"{"1":[10,11],"2":[]}"#)
            .beside(pairs(r#"{"1":[12,13],"2":[14]}"#))
            .with_pooled(pairs(r#"{"2":[15,16]}"#));
        let cxc = pairs(r#"{"1":[11,12],"2":[15],"3":[19]}"#).beside(pairs(r#"{"2":[16]}"#));
        let (found, counts) = united(&[&human, &cxc], false);
        assert_eq!(text(&found), r#"{"1":[10,11,12],"2":[15]}"#);
        assert_eq!(text(found.nonrelevant().unwrap()), r#"{"1":[13],"2":[14,16]}"#);
        assert_eq!(found.pooled(), None);
        assert_eq!((counts.queries, counts.positives, counts.disagreed), (2, 4, 1));
        assert_eq!((counts.of_parts, counts.alone), (vec![2, 3], vec![1, 2]));
        let (all, _) = united(&[&human, &cxc], true);
        assert_eq!(text(&all), r#"{"1":[10,11,12],"2":[15],"3":[19]}"#);
    }

    #[test]
    fn the_greatest_grade_counts_and_what_has_none_is_wholly_right() {
        let graded = |grade| {
            Pairs::with_grades(
                [(Id::Number(1), vec![(Id::Number(10), grade), (Id::Number(11), 1)])],
                1,
            )
        };
        let plain = pairs(r#"{"1":[11,12]}"#);
        let (found, _) = united(&[&graded(1), &graded(2), &plain], false);
        assert_eq!(
            (text(&found), found.grades(0)),
            (r#"{"1":[10,11,12]}"#.into(), Some(&[2, 2, 2][..]))
        );
    }
}
