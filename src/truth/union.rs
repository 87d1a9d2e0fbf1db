//! The union of several ground truths.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::pairs::{NOT_RELEVANT, POOLED, Pairs};
use crate::data::id::Id;

/// Counts of one direction of a union, whose parts are the united truths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnionCounts {
    /// Queries that the union covers.
    pub queries: usize,
    /// Positives of the union.
    pub positives: usize,
    /// For each part: its positives, for the covered queries.
    pub of_parts: Vec<usize>,
    /// For each part: positives that no other part lists.
    pub alone: Vec<usize>,
    /// Positives of the union that another part judged not relevant.
    pub disagreed: usize,
    /// Pairs of the union judged not relevant.
    pub nonrelevant: usize,
    /// Pairs of the union pooled but not judged.
    pub pooled: usize,
}

type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Judgments of the united truths on a pair.
struct PairJudgments {
    /// Parts that list it as a positive, as bits.
    parts: u64,
    /// The highest grade; `None` if a part lists it without one.
    grade: Option<i64>,
    /// Whether a part judged it not relevant.
    is_refused: bool,
}

/// Unites at least one list of a direction, for the queries of the first list or, with `covers_all`, of all lists. A
/// pair is a positive if any list has it as one; its highest grade counts, and no grade means fully relevant. Other
/// pairs are judged not relevant if any list judges them so, else pooled.
pub fn unite_lists(lists: &[&Pairs], covers_all: bool) -> (Pairs, UnionCounts) {
    let mut queries: Map<&Id, Map<&Id, PairJudgments>> = Map::default();
    let covering = if covers_all { lists } else { &lists[..1] };
    for query in covering.iter().flat_map(|list| list.keys()) {
        queries.entry(query).or_default();
    }
    for (part, list) in lists.iter().enumerate() {
        let (from, is_graded) = (i64::from(list.relevant_from()), list.highest_grade().is_some());
        for (query, items) in list.iter_graded() {
            let Some(judged) = queries.get_mut(query) else {
                continue;
            };
            for (item, grade) in items.filter(|(_, grade)| *grade >= from || *grade <= NOT_RELEVANT)
            {
                let unjudged = PairJudgments { parts: 0, grade: Some(POOLED), is_refused: false };
                let pair = judged.entry(item).or_insert(unjudged);
                if grade > NOT_RELEVANT {
                    pair.parts |= bit(part);
                    pair.grade = pair.grade.filter(|_| is_graded);
                }
                pair.grade = pair.grade.map(|highest| highest.max(grade));
                pair.is_refused |= grade == NOT_RELEVANT;
            }
        }
    }
    let count = |counts: &dyn Fn(&PairJudgments) -> bool| {
        queries.values().flat_map(Map::values).filter(|pair| counts(pair)).count()
    };
    let per_part = |counts: &dyn Fn(u64, u64) -> bool| {
        (0..lists.len()).map(|part| count(&|pair| counts(pair.parts, bit(part)))).collect()
    };
    let counts = UnionCounts {
        queries: queries.len(),
        positives: count(&|pair| pair.parts > 0),
        of_parts: per_part(&|parts, part| parts & part > 0),
        alone: per_part(&|parts, part| parts == part),
        disagreed: count(&|pair| pair.parts > 0 && pair.is_refused),
        nonrelevant: count(&|pair| pair.parts == 0 && pair.is_refused),
        pooled: count(&|pair| pair.parts == 0 && !pair.is_refused),
    };
    let highest = lists.iter().filter_map(|list| list.highest_grade()).max();
    let from = lists.iter().map(|list| list.relevant_from()).max().unwrap_or(1);
    let lists = queries.iter().map(|(query, judged)| {
        let grade = |pair: &PairJudgments| match pair.grade {
            Some(grade) if pair.parts == 0 => grade,
            grade => grade.unwrap_or(highest.unwrap_or(1).into()).max(from.into()),
        };
        let items = judged.iter().map(|(id, pair)| ((*id).clone(), grade(pair)));
        ((*query).clone(), items.collect::<Vec<_>>())
    });
    (Pairs::with_grades(lists, from), counts)
}

/// The bit of a part in [`PairJudgments::parts`]; parts from the 64th on share one.
fn bit(part: usize) -> u64 {
    1 << part.min(63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::pairs::GradesById;

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
            pairs(positives).add_grades(&GradesById::new(), 1, beyond)
        };
        let zeros = r#"{"1":[12,13],"2":[14]}"#;
        let human = judged(r#"{"1":[10,11],"2":[]}"#, zeros, r#"{"2":[15,16]}"#);
        let cxc = judged(r#"{"1":[11,12],"2":[15],"3":[19]}"#, r#"{"2":[16]}"#, "{}");
        let (found, counts) = unite_lists(&[&human, &cxc], false);
        assert_eq!(text(&found), r#"{"1":[10,11,12],"2":[15]}"#);
        assert_eq!(text(&found.filter_grade(NOT_RELEVANT).unwrap()), r#"{"1":[13],"2":[14,16]}"#);
        assert_eq!(found.filter_grade(POOLED), None);
        assert_eq!((counts.queries, counts.positives, counts.disagreed), (2, 4, 1));
        assert_eq!((counts.of_parts, counts.alone), (vec![2, 3], vec![1, 2]));
        let (all, _) = unite_lists(&[&human, &cxc], true);
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
        let (found, _) = unite_lists(&[&graded(1), &graded(2), &plain], false);
        assert_eq!(text(&found), r#"{"1":[10,11,12]}"#);
        assert!(found.iter_graded().all(|(_, mut items)| items.all(|(_, grade)| grade == 2)));
    }
}
