//! Queries on which the winner changes with the metric or the truth.

use rustc_hash::FxHashMap;

use super::compare::ModelDifference;
use super::paired::{Outcome, Paired};
use crate::evaluate::plan::Rule;
use crate::metric::Unit;

/// A query on which the first model wins by the one count and loses by the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flip {
    /// Gallery index.
    pub query: u32,
    /// What the first model is by the first count; by the second it is the opposite.
    pub first: Outcome,
}

/// The flips between two counts of the same two models in one direction: two metrics, or two truths.
/// Queries stand in the order of the first; one that either leaves out, or ties, is none.
pub fn flips(one: (&Paired, Unit), other: (&Paired, Unit)) -> Vec<Flip> {
    let others: FxHashMap<u32, Outcome> = other.0.outcomes(other.1).collect();
    let flip = |(query, first): (u32, Outcome)| {
        let is_flip = first != Outcome::Tie && others.get(&query) == Some(&first.turned());
        is_flip.then_some(Flip { query, first })
    };
    one.0.outcomes(one.1).filter_map(flip).collect()
}

/// What the first model is by the means; `None` where there are none.
pub fn leader(paired: &Paired, unit: Unit) -> Option<Outcome> {
    let [first, second] = paired.means()?;
    Some(Outcome::of(first - second, unit))
}

/// Two rows that count differently, and what comes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Between {
    /// Places of the rows.
    pub rows: [usize; 2],
    /// Queries on which the winner flips.
    pub queries: usize,
    /// What the first model is by the mean of each row.
    pub leaders: [Option<Outcome>; 2],
}

/// The metrics between which a flip is looked for: the habit, and what ECCV Caption proposes.
const METRICS: [&str; 2] = ["r1", "map_at_r"];

/// Counts flips between R@1 and mAP@R under each truth, and between each two truths by either, where
/// there are rows of both.
pub fn between(rows: &[ModelDifference]) -> Vec<Between> {
    let metric = |row: &ModelDifference| match row.line.rule {
        Rule::Metric(spec, _) | Rule::FoldMean(spec) => {
            METRICS.iter().position(|key| *key == spec.metric.key())
        }
        _ => None,
    };
    let mut found = Vec::new();
    for (first, one) in rows.iter().enumerate() {
        for (second, other) in rows.iter().enumerate().skip(first + 1) {
            let (Some(by_one), Some(by_other)) = (metric(one), metric(other)) else {
                continue;
            };
            let changes = [by_one != by_other, one.line.truth != other.line.truth];
            let is_same_question = (one.models, one.direction) == (other.models, other.direction);
            let are_known = [one, other].iter().all(|row| row.paired.means().is_some());
            if are_known
                && is_same_question
                && changes.iter().filter(|&&changed| changed).count() == 1
            {
                found.push(counted([first, second], [one, other]));
            }
        }
    }
    found
}

fn counted(places: [usize; 2], rows: [&ModelDifference; 2]) -> Between {
    let [one, other] = rows.map(|row| (&row.paired, row.unit()));
    Between {
        rows: places,
        queries: flips(one, other).len(),
        leaders: [leader(one.0, one.1), leader(other.0, other.1)],
    }
}

#[cfg(test)]
mod tests {
    use super::super::per_query::Values;
    use super::*;

    fn paired(queries: &[u32], values: [&[f64]; 2]) -> Paired {
        let some = values.map(|values| values.iter().copied().map(Some).collect());
        let [first, second] = some.map(|some| Values::new(queries, some));
        Paired::of([&first, &second])
    }

    #[test]
    fn a_flip_needs_a_winner_on_both_sides() {
        let one = paired(&[4, 1, 3, 9], [&[1.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 1.0, 0.0]]);
        let other = paired(&[1, 3, 4, 7], [&[0.9, 0.9, 0.2, 0.0], &[0.5, 0.1, 0.4, 0.3]]);
        let found = flips((&one, Unit::Share), (&other, Unit::Share));
        let expected =
            [Flip { query: 4, first: Outcome::Win }, Flip { query: 1, first: Outcome::Loss }];
        assert_eq!(found, expected);
        // As ranks, lower is better: the second count is turned round and agrees with the first.
        assert_eq!(flips((&one, Unit::Share), (&other, Unit::Rank)), []);
        assert_eq!(leader(&one, Unit::Share), Some(Outcome::Win));
        assert_eq!(leader(&one, Unit::Rank), Some(Outcome::Loss));
        assert_eq!(leader(&Paired::default(), Unit::Rank), None);
    }
}
