//! Queries whose winner depends on the metric or truth.

use rustc_hash::FxHashMap;

use super::compare::ModelDifference;
use super::paired_values::{Outcome, Paired};
use crate::metric::Unit;

/// Number of queries whose winner differs between two metrics or truths; without ties and queries undefined under
/// either. Each of `one` and `other` has the values of both models and their unit.
fn count_flips(one: (&Paired, Unit), other: (&Paired, Unit)) -> usize {
    let others: FxHashMap<u32, Outcome> = other.0.outcomes(other.1).collect();
    let is_flip = |(query, first): &(u32, Outcome)| {
        let both = (first, others.get(query));
        matches!(both, (Outcome::Win, Some(Outcome::Loss)) | (Outcome::Loss, Some(Outcome::Win)))
    };
    one.0.outcomes(one.1).filter(is_flip).count()
}

/// The first model's outcome by the difference of both means; `None` if one is undefined.
fn mean_outcome(paired: &Paired, unit: Unit) -> Option<Outcome> {
    let [first, second] = paired.means()?;
    Some(Outcome::from_difference(first - second, unit))
}

/// Flips of the winner between two rows that differ in metric or truth.
#[derive(Debug, Clone, PartialEq)]
pub struct RowFlips {
    /// Indices of the two rows in the argument of [`row_flips`].
    pub rows: [usize; 2],
    /// Number of queries on which the winner flips.
    pub queries: usize,
    /// The first model's outcome by each row's mean.
    pub leaders: [Option<Outcome>; 2],
}

/// Metrics compared: the common one, and that proposed by ECCV Caption.
const METRICS: [&str; 2] = ["r1", "map_at_r"];

/// Counts flips between R@1 and mAP@R under each truth, and between truths by either metric, if both rows exist.
pub fn row_flips(rows: &[ModelDifference]) -> Vec<RowFlips> {
    let metric_index = |row: &ModelDifference| {
        let spec = row.line.spec()?;
        METRICS.iter().position(|key| *key == spec.metric.key())
    };
    let mut found = Vec::new();
    for (first, one) in rows.iter().enumerate() {
        for (second, other) in rows.iter().enumerate().skip(first + 1) {
            let (Some(by_one), Some(by_other)) = (metric_index(one), metric_index(other)) else {
                continue;
            };
            let differ_once = (by_one != by_other) != (one.line.truth != other.line.truth);
            let is_same_question = (one.models, one.direction) == (other.models, other.direction);
            let are_defined = [one, other].iter().all(|row| row.paired.means().is_some());
            if are_defined && is_same_question && differ_once {
                let both = [one, other].map(|row| (&row.paired, row.unit()));
                found.push(RowFlips {
                    rows: [first, second],
                    queries: count_flips(both[0], both[1]),
                    leaders: both.map(|(paired, unit)| mean_outcome(paired, unit)),
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::per_query::Values;
    use super::*;

    fn paired(queries: &[u32], values: [&[f64]; 2]) -> Paired {
        let some = values.map(|values| values.iter().copied().map(Some).collect());
        let [first, second] = some.map(|some| Values::new(queries, some));
        Paired::from_values([&first, &second])
    }

    #[test]
    fn a_flip_needs_a_winner_on_both_sides() {
        let one = paired(&[4, 1, 3, 9], [&[1.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 1.0, 0.0]]);
        let other = paired(&[1, 3, 4, 7], [&[0.9, 0.9, 0.2, 0.0], &[0.5, 0.1, 0.4, 0.3]]);
        let found = count_flips((&one, Unit::Share), (&other, Unit::Share));
        // Query 4 is won then lost, query 1 lost then won.
        assert_eq!(found, 2);
        // As ranks, lower is better: the second is reversed and agrees with the first.
        assert_eq!(count_flips((&one, Unit::Share), (&other, Unit::Rank)), 0);
        assert_eq!(mean_outcome(&one, Unit::Share), Some(Outcome::Win));
        assert_eq!(mean_outcome(&one, Unit::Rank), Some(Outcome::Loss));
        assert_eq!(mean_outcome(&Paired::default(), Unit::Rank), None);
    }
}
