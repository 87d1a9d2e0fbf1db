//! The union of several ground truths.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::pairs::{NOT_RELEVANT, POOLED, Pairs};
use crate::data::id::Id;

/// Counts of one direction of a union.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnionCounts {
    /// Covered queries.
    pub queries: usize,
    /// Positives.
    pub positives: usize,
    /// Positives of each part, for these queries.
    pub of_parts: Vec<usize>,
    /// Positives that only this part lists.
    pub alone: Vec<usize>,
    /// Positives of one part judged not relevant in another; kept.
    pub disagreed: usize,
    /// Pairs judged not relevant.
    pub nonrelevant: usize,
    /// Pairs pooled but not judged.
    pub pooled: usize,
}

type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Judgments of a pair.
struct PairJudgments {
    /// Parts that list it as a positive, as bits.
    parts: u64,
    /// The highest grade; `None` if a part lists it without one.
    grade: Option<i64>,
    is_refused: bool,
}

/// Unites lists of one direction, for queries of the first or, with `of_all`, of all. A pair is a positive if any part
/// lists it; the highest grade counts, and no grade means fully relevant. Pairs judged not relevant or pooled stay so
/// unless another part lists them.
pub fn united(lists: &[&Pairs], of_all: bool) -> (Pairs, UnionCounts) {
    let mut queries: Map<&Id, Map<&Id, PairJudgments>> = Map::default();
    let asked = if of_all { lists } else { &lists[..1] };
    for query in asked.iter().flat_map(|list| list.keys()) {
        queries.entry(query).or_default();
    }
    for (part, list) in lists.iter().enumerate() {
        let (from, is_graded) = (i64::from(list.relevant_from()), list.highest_grade().is_some());
        for (query, items) in list.judged() {
            let Some(judged) = queries.get_mut(query) else {
                continue;
            };
            for (item, grade) in items.filter(|(_, grade)| *grade >= from || *grade <= NOT_RELEVANT)
            {
                let nothing = PairJudgments { parts: 0, grade: Some(POOLED), is_refused: false };
                let said = judged.entry(item).or_insert(nothing);
                if grade > NOT_RELEVANT {
                    said.parts |= bit(part);
                    said.grade = said.grade.filter(|_| is_graded);
                }
                said.grade = said.grade.map(|greatest| greatest.max(grade));
                said.is_refused |= grade == NOT_RELEVANT;
            }
        }
    }
    let count = |is: &dyn Fn(&PairJudgments) -> bool| {
        queries.values().flat_map(Map::values).filter(|said| is(said)).count()
    };
    let each = |is: &dyn Fn(u64, u64) -> bool| {
        (0..lists.len()).map(|part| count(&|said| is(said.parts, bit(part)))).collect()
    };
    let counts = UnionCounts {
        queries: queries.len(),
        positives: count(&|said| said.parts > 0),
        of_parts: each(&|parts, part| parts & part > 0),
        alone: each(&|parts, part| parts == part),
        disagreed: count(&|said| said.parts > 0 && said.is_refused),
        nonrelevant: count(&|said| said.parts == 0 && said.is_refused),
        pooled: count(&|said| said.parts == 0 && !said.is_refused),
    };
    let greatest = lists.iter().filter_map(|list| list.highest_grade()).max();
    let from = lists.iter().map(|list| list.relevant_from()).max().unwrap_or(1);
    let united = queries.iter().map(|(query, judged)| {
        let grade = |said: &PairJudgments| match said.grade {
            Some(grade) if said.parts == 0 => grade,
            grade => grade.unwrap_or(greatest.unwrap_or(1).into()).max(from.into()),
        };
        let items = judged.iter().map(|(id, said)| ((*id).clone(), grade(said)));
        ((*query).clone(), items.collect::<Vec<_>>())
    });
    (Pairs::with_grades(united, from), counts)
}

fn bit(part: usize) -> u64 {
    1 << part.min(63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::pairs::ById;

    fn pairs(text: &str) -> Pairs {
        serde_json::from_str(text).unwrap()
    }

    fn text(pairs: &Pairs) -> String {
        serde_json::to_string(pairs).unwrap()
    }

    #[test]
    fn what_any_says_is_right_and_the_rest_stays_judged() {
        let judged = |positives, zeros, pooled| {
            let beyond = [(&pairs(zeros), NOT_RELEVANT), (&pairs(pooled), POOLED)];
            pairs(positives).beside(&ById::new(), 1, beyond)
        };
        let zeros = r#"{"1":[12,13],"2":[14]}"#;
        let human = judged(r#"{"1":[10,11],"2":[]}"#, zeros, r#"{"2":[15,16]}"#);
        let cxc = judged(r#"{"1":[11,12],"2":[15],"3":[19]}"#, r#"{"2":[16]}"#, "{}");
        let (found, counts) = united(&[&human, &cxc], false);
        assert_eq!(text(&found), r#"{"1":[10,11,12],"2":[15]}"#);
        assert_eq!(text(&found.of_grade(NOT_RELEVANT).unwrap()), r#"{"1":[13],"2":[14,16]}"#);
        assert_eq!(found.of_grade(POOLED), None);
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
        assert_eq!(text(&found), r#"{"1":[10,11,12]}"#);
        assert!(found.judged().all(|(_, mut items)| items.all(|(_, grade)| grade == 2)));
    }
}
