//! Two models on the same queries, by one metric and truth.

use super::clusters::{Groups, labels};
use super::inference::Estimate;
use super::per_query::{Values, mean_in_parts, part_ranges};
use crate::metric::{CLOSE, Shortage, Unit};

/// Values of two models, for queries with both defined.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Paired {
    /// Gallery indices of the queries, in the truth's order; part after part.
    pub queries: Vec<u32>,
    /// The values of each model, by query in the same order.
    pub values: [Vec<f64>; 2],
    /// Number of covered queries excluded because their value is undefined for a model.
    pub left_out: usize,
    /// Ends of parts for means of means, such as folds.
    pub ends: Vec<usize>,
    /// Why a model has no mean, if its rankings end too early. Then nothing is paired: the remaining queries would be
    /// biased towards good ones.
    pub shortage: [Option<Shortage>; 2],
}

/// The first model's result against the second by query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Better.
    Win,
    /// Equal, or closer than [`CLOSE`].
    Tie,
    /// Worse.
    Loss,
}

impl Outcome {
    /// All outcomes, best first.
    pub const ALL: [Outcome; 3] = [Outcome::Win, Outcome::Tie, Outcome::Loss];

    /// Outcome of the first model by the difference of values, first minus second.
    pub(super) fn from_difference(difference: f64, unit: Unit) -> Self {
        let better = unit.orient(difference);
        if better.abs() < CLOSE {
            Outcome::Tie
        } else if better > 0.0 {
            Outcome::Win
        } else {
            Outcome::Loss
        }
    }
}

/// All pairs of different indices below `count`, the lower first.
pub fn all_pairs(count: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..count).flat_map(move |first| (first + 1..count).map(move |second| [first, second]))
}

impl Paired {
    /// Pairs the values of two models on the same queries; nothing is paired if the rankings of one end too early.
    pub fn from_values([first, second]: [&Values; 2]) -> Self {
        let shortage = [first.shortage, second.shortage];
        if shortage.iter().any(Option::is_some) {
            return Paired { shortage, ..Paired::default() };
        }
        let mut paired = Paired::default();
        for part in part_ranges(&first.ends) {
            for at in part {
                let (Some(one), Some(other)) = (first.values[at], second.values[at]) else {
                    paired.left_out += 1;
                    continue;
                };
                paired.queries.push(first.queries[at]);
                paired.values[0].push(one);
                paired.values[1].push(other);
            }
            paired.ends.push(paired.queries.len());
        }
        paired
    }

    /// Number of paired queries.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Whether no query has a value under both models.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// The mean of each model, or the mean of the means of several parts; `None` if a part is empty, or there is none.
    pub fn means(&self) -> Option<[f64; 2]> {
        let mean = |model: usize| mean_in_parts(&self.values[model], &self.ends);
        Some([mean(0)?, mean(1)?])
    }

    /// First minus second, by query; 0 if closer than [`CLOSE`].
    pub fn differences(&self) -> Vec<f64> {
        let [first, second] = &self.values;
        let difference = |(a, b): (&f64, &f64)| Some(a - b).filter(|d| d.abs() >= CLOSE);
        first.iter().zip(second).map(|both| difference(both).unwrap_or(0.0)).collect()
    }

    /// Gallery index of each query, and the first model's outcome.
    pub fn outcomes(&self, unit: Unit) -> impl Iterator<Item = (u32, Outcome)> {
        let outcomes =
            self.differences().into_iter().map(move |d| Outcome::from_difference(d, unit));
        self.queries.iter().copied().zip(outcomes)
    }

    /// Numbers of wins, ties and losses of the first model, in this order.
    pub fn counts(&self, unit: Unit) -> [usize; 3] {
        let all: Vec<Outcome> = self.outcomes(unit).map(|(_, outcome)| outcome).collect();
        Outcome::ALL.map(|wanted| all.iter().filter(|&&found| found == wanted).count())
    }

    /// The differences, grouped into clusters: `cluster_of` has the cluster of each query of the gallery; without it
    /// each query is a cluster.
    pub fn groups(&self, cluster_of: Option<&[u32]>) -> Groups {
        let labels = cluster_of.map(|of| labels(&self.queries, of));
        Groups::in_parts(&self.differences(), labels.as_deref(), &self.ends)
    }

    /// Mean difference with interval and p-value; `cluster_of` has the cluster of each query of the gallery. `None`
    /// below two clusters, and if an unbounded metric has no differences.
    pub fn estimate(&self, unit: Unit, cluster_of: Option<&[u32]>) -> Option<Estimate> {
        Estimate::of_difference(&self.groups(cluster_of), unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(values: &[Option<f64>]) -> Values {
        Values {
            queries: [9, 4, 7, 1, 2][..values.len()].into(),
            values: values.to_vec(),
            ends: vec![values.len()],
            shortage: None,
        }
    }

    fn paired() -> Paired {
        let first = values(&[Some(1.0), Some(0.0), None, Some(1.0), Some(1.0)]);
        let second = values(&[Some(0.0), Some(0.0), Some(1.0), None, Some(1.0)]);
        Paired::from_values([&first, &second])
    }

    #[test]
    fn queries_undefined_for_either_model_are_counted_as_left_out() {
        let paired = paired();
        assert_eq!((paired.queries.as_slice(), paired.left_out), (&[9, 4, 2][..], 2));
        assert_eq!(paired.means(), Some([2.0 / 3.0, 1.0 / 3.0]));
        assert_eq!(paired.counts(Unit::Share), [1, 2, 0]);
        let outcomes: Vec<(u32, Outcome)> = paired.outcomes(Unit::Rank).collect();
        assert_eq!(outcomes[0], (9, Outcome::Loss));
    }

    /// Rankings that end too early for some queries: the rest would be biased towards good ones.
    #[test]
    fn nothing_is_paired_where_rankings_end_too_early() {
        let first = values(&[Some(1.0), Some(0.0)]);
        let second = Values {
            shortage: Some(Shortage {
                queries: 1,
                needs: crate::metric::Reads::First,
                min_depth: 10,
            }),
            ..values(&[Some(1.0), None])
        };
        let paired = Paired::from_values([&first, &second]);
        assert_eq!((paired.means(), paired.len()), (None, 0));
        assert_eq!(paired.shortage, [None, second.shortage]);
    }

    /// R = 12, hits at ranks 3 and 6, and at 2 and 12: equal AP@R, summed in different orders.
    #[test]
    fn rounding_decides_no_winner() {
        use crate::metric::{Spec, map_at_r::MapAtR};
        use crate::rank::QueryRanks;
        let of = |ranks: &[u32]| {
            let query = QueryRanks::complete(ranks, 12);
            Values::from_ranks(Spec::new(&MapAtR), &[0], std::iter::once(query))
        };
        let [one, other] = [of(&[3, 6]), of(&[2, 12])];
        assert_ne!(one.values, other.values);
        let paired = Paired::from_values([&one, &other]);
        assert_eq!(paired.counts(Unit::Share), [0, 1, 0]);
        assert_eq!(paired.differences(), [0.0]);
    }

    #[test]
    fn without_common_queries_there_is_no_mean() {
        let none = Paired::from_values([&values(&[None]), &values(&[Some(1.0)])]);
        assert_eq!((none.means(), none.left_out), (None, 1));
    }
}
