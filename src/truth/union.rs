//! One ground truth of several: what any of them says is right.

use rustc_hash::{FxHashMap, FxHashSet};

use super::pairs::Pairs;
use crate::data::id::Id;

/// What is left out of a union.
#[derive(Debug, Clone, Default)]
pub struct Invalid {
    /// Ids of queries.
    pub queries: FxHashSet<Id>,
    /// Ids of items.
    pub items: FxHashSet<Id>,
}

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
    /// Queries left out as invalid.
    pub invalid_queries: usize,
    /// Positives left out as invalid.
    pub invalid_positives: usize,
}

/// A query while lists are united.
#[derive(Default)]
struct Lists<'a> {
    /// Positives with the parts that list them, as bits, and their grade where it has one.
    positives: Vec<(&'a Id, u64, Option<u32>)>,
    places: FxHashMap<&'a Id, usize>,
}

/// Unites lists of one direction: of the queries of the first, or of all where `of_all` says so. A positive of any of
/// them is one; where they have grades the greatest counts, and what has none is wholly right. What a part judges not
/// relevant or pooled stays so unless another one lists it.
pub fn united(lists: &[&Pairs], of_all: bool, invalid: &Invalid) -> (Pairs, UnionCounts) {
    let mut counts = UnionCounts {
        of_parts: vec![0; lists.len()],
        alone: vec![0; lists.len()],
        ..UnionCounts::default()
    };
    let asked = if of_all { lists.len() } else { 1 };
    let mut queries: Vec<&Id> = Vec::new();
    let mut places: FxHashMap<&Id, usize> = FxHashMap::default();
    for query in lists[..asked].iter().flat_map(|list| list.keys()) {
        if invalid.queries.contains(query) {
            counts.invalid_queries += usize::from(!places.contains_key(query));
        } else {
            places.entry(query).or_insert_with(|| {
                queries.push(query);
                queries.len() - 1
            });
        }
    }
    let mut of_query: Vec<Lists> = queries.iter().map(|_| Lists::default()).collect();
    for (part, list) in lists.iter().enumerate() {
        add(list, part, (&places, &mut of_query), (invalid, &mut counts));
    }
    let beyond = |of: fn(&Pairs) -> Option<&Pairs>| {
        let lists: Vec<&Pairs> = lists.iter().copied().filter_map(of).collect();
        beyond(&lists, &places, (&queries, &of_query), invalid)
    };
    let (nonrelevant, disagreed) = beyond(Pairs::nonrelevant);
    let (pooled, _) = beyond(Pairs::pooled);
    let pooled = without(&pooled, &nonrelevant);
    counts.queries = queries.len();
    counts.positives = of_query.iter().map(|lists| lists.positives.len()).sum();
    (counts.disagreed, counts.nonrelevant, counts.pooled) =
        (disagreed, nonrelevant.len(), pooled.len());
    for (_, parts, _) in of_query.iter().flat_map(|lists| &lists.positives) {
        for part in 0..lists.len() {
            counts.of_parts[part] += usize::from(parts & bit(part) > 0);
            counts.alone[part] += usize::from(*parts == bit(part));
        }
    }
    let positives = positives(lists, &queries, &of_query);
    (positives.beside(nonrelevant).with_pooled(pooled), counts)
}

fn bit(part: usize) -> u64 {
    1 << part.min(63)
}

/// Adds the positives of a part.
fn add<'a>(
    list: &'a Pairs,
    part: usize,
    (places, of_query): (&FxHashMap<&'a Id, usize>, &mut [Lists<'a>]),
    (invalid, counts): (&Invalid, &mut UnionCounts),
) {
    let from = list.relevant_from();
    for (at, (query, items)) in list.iter().enumerate() {
        let Some(&place) = places.get(query) else {
            continue;
        };
        let grades = list.grades(at);
        for (nth, item) in items.enumerate() {
            let grade = grades.map(|grades| grades[nth]);
            if grade.is_some_and(|grade| grade < from) {
                continue;
            }
            if invalid.items.contains(item) {
                counts.invalid_positives += 1;
                continue;
            }
            let lists = &mut of_query[place];
            let known = *lists.places.entry(item).or_insert(lists.positives.len());
            if known == lists.positives.len() {
                lists.positives.push((item, 0, Some(0)));
            }
            let (_, parts, best) = &mut lists.positives[known];
            *parts |= bit(part);
            *best = best.zip(grade).map(|(best, grade)| best.max(grade));
        }
    }
}

/// Lists of what is no positive, each item once, and how many of them are positives elsewhere.
fn beyond<'a>(
    lists: &[&'a Pairs],
    places: &FxHashMap<&'a Id, usize>,
    (queries, of_query): (&[&'a Id], &[Lists<'a>]),
    invalid: &Invalid,
) -> (Pairs, usize) {
    let mut items: Vec<Vec<&Id>> = vec![Vec::new(); queries.len()];
    let mut met = FxHashSet::default();
    let mut disagreed = 0;
    for (query, list) in lists.iter().flat_map(|list| list.iter()) {
        let Some(&place) = places.get(query) else {
            continue;
        };
        for item in list.filter(|item| !invalid.items.contains(*item)) {
            if !met.insert((place, item)) {
                continue;
            }
            if of_query[place].places.contains_key(item) {
                disagreed += 1;
            } else {
                items[place].push(item);
            }
        }
    }
    let lists = queries.iter().zip(items).filter(|(_, items)| !items.is_empty());
    let lists = lists.map(|(query, items)| ((*query).clone(), items.into_iter().cloned()));
    (lists.collect(), disagreed)
}

/// The first lists without the items of the second.
fn without(lists: &Pairs, others: &Pairs) -> Pairs {
    let others: FxHashSet<(&Id, &Id)> =
        others.iter().flat_map(|(query, items)| items.map(move |item| (query, item))).collect();
    let left = lists.iter().map(|(query, items)| {
        let left = items.filter(|item| !others.contains(&(query, item)));
        (query.clone(), left.cloned().collect::<Vec<Id>>())
    });
    left.collect()
}

/// The positives, with grades where any part has them.
fn positives(lists: &[&Pairs], queries: &[&Id], of_query: &[Lists]) -> Pairs {
    let greatest = lists.iter().filter_map(|list| list.greatest()).max();
    let from = lists.iter().map(|list| list.relevant_from()).max().unwrap_or(1);
    let named = queries.iter().zip(of_query);
    match greatest {
        None => named
            .map(|(query, lists)| {
                let ids = lists.positives.iter().map(|(id, ..)| (*id).clone());
                ((*query).clone(), ids.collect::<Vec<Id>>())
            })
            .collect(),
        Some(greatest) => {
            let graded = named.map(|(query, lists)| {
                let grade = |grade: &Option<u32>| grade.unwrap_or(greatest).max(from);
                let items = lists.positives.iter().map(|(id, _, of)| ((*id).clone(), grade(of)));
                ((*query).clone(), items.collect())
            });
            Pairs::with_grades(graded, from)
        }
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
        let (found, counts) = united(&[&human, &cxc], false, &Invalid::default());
        assert_eq!(text(&found), r#"{"1":[10,11,12],"2":[15]}"#);
        assert_eq!(text(found.nonrelevant().unwrap()), r#"{"1":[13],"2":[14,16]}"#);
        assert_eq!(found.pooled(), None);
        assert_eq!((counts.queries, counts.positives, counts.disagreed), (2, 4, 1));
        assert_eq!((counts.of_parts, counts.alone), (vec![2, 3], vec![1, 2]));
        let (all, _) = united(&[&human, &cxc], true, &Invalid::default());
        assert_eq!(text(&all), r#"{"1":[10,11,12],"2":[15],"3":[19]}"#);
    }

    #[test]
    fn what_is_invalid_is_in_no_list() {
        let human = pairs(r#"{"1":[10,11],"2":[11]}"#).beside(pairs(r#"{"1":[12]}"#));
        let invalid = Invalid {
            queries: [Id::Number(2)].into_iter().collect(),
            items: [Id::Number(11), Id::Number(12)].into_iter().collect(),
        };
        let (found, counts) = united(&[&human], false, &invalid);
        assert_eq!(text(&found), r#"{"1":[10]}"#);
        assert_eq!(
            (found.nonrelevant(), counts.invalid_queries, counts.invalid_positives),
            (None, 1, 1)
        );
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
        let (found, _) = united(&[&graded(1), &graded(2), &plain], false, &Invalid::default());
        assert_eq!(
            (text(&found), found.grades(0)),
            (r#"{"1":[10,11,12]}"#.into(), Some(&[2, 2, 2][..]))
        );
    }
}
