//! Values of a metric's line, by query.

use std::ops::Range;
use std::sync::Arc;

use super::clusters::{Groups, labels};
use super::inference::Estimate;
use crate::data::Direction;
use crate::data::gallery::Folds;
use crate::evaluate::plan::Line;
use crate::evaluate::rank_sets::RankSets;
use crate::metric::{Shortage, Spec, Unit, mean};
use crate::rank::QueryRanks;
use crate::study::{Pool, Study};

/// Values of one model under a line, in one direction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values {
    /// Gallery indices, in the truth's order; part after part.
    pub queries: Arc<[u32]>,
    /// Value of each query; `None` if undefined, or if its ranking ends too early.
    pub values: Vec<Option<f64>>,
    /// Ends of parts for means of means, such as folds; one end otherwise.
    pub ends: Vec<usize>,
    /// Why there is no mean, if rankings end too early.
    pub shortage: Option<Shortage>,
}

/// The metric of a line if its value is a mean over queries; `None` for sums of metrics and medians.
pub fn spec(line: &Line) -> Option<Spec> {
    line.spec().filter(|spec| spec.metric.is_mean())
}

impl Values {
    /// From given values, as one part.
    pub fn new(queries: &[u32], values: Vec<Option<f64>>) -> Values {
        Values { queries: queries.into(), ends: vec![values.len()], values, shortage: None }
    }

    /// Values of a line; `None` if it has no value per query, or if the truth lacks the direction. With the pool of all
    /// folds, each query is evaluated in its fold, and the folds are concatenated.
    pub fn for_line(
        study: &Study,
        sets: &RankSets,
        line: &Line,
        direction: Direction,
    ) -> Option<Values> {
        let spec = spec(line)?;
        let pools = match line.rule.pool() {
            Pool::Folds => (0..Folds::for_gallery(&study.gallery)?.count).map(Pool::Fold).collect(),
            pool => vec![pool],
        };
        let mut all = Values::default();
        let mut queries = Vec::new();
        for pool in pools {
            let ranks = sets.get(line.truth, direction, pool)?;
            if pool != line.rule.pool() && ranks.is_empty() {
                continue;
            }
            let part = Values::from_ranks(spec, ranks.queries(), ranks.iter());
            queries.extend_from_slice(&part.queries);
            all.values.extend(part.values);
            all.ends.push(queries.len());
            all.shortage = Shortage::join(all.shortage, part.shortage);
        }
        all.queries = queries.into();
        Some(all)
    }

    /// Values of a metric from the ranks of each of `queries`, as one part.
    pub fn from_ranks<'a>(
        spec: Spec,
        queries: &[u32],
        ranks: impl Iterator<Item = QueryRanks<'a>>,
    ) -> Values {
        let mut shortage = None;
        let value = |query| {
            spec.value(query).unwrap_or_else(|of_query| {
                shortage = Shortage::join(shortage, Some(of_query));
                None
            })
        };
        let values = ranks.map(value).collect();
        Values { shortage, ..Values::new(queries, values) }
    }

    /// The same values, reordered by part: `part_of` gives the part of the query at an index of `queries`.
    #[must_use]
    pub fn in_parts(&self, part_of: impl Fn(usize) -> usize) -> Values {
        let mut places: Vec<usize> = (0..self.values.len()).collect();
        places.sort_by_key(|&place| part_of(place));
        let of_parts = places.chunk_by(|&one, &other| part_of(one) == part_of(other));
        let mut end = 0;
        let ends = of_parts.map(|of_part| {
            end += of_part.len();
            end
        });
        Values {
            ends: ends.collect(),
            queries: places.iter().map(|&place| self.queries[place]).collect(),
            values: places.iter().map(|&place| self.values[place]).collect(),
            shortage: self.shortage,
        }
    }

    /// The values of the queries whose gallery index `keep` accepts.
    #[must_use]
    pub fn filter(&self, keep: impl Fn(u32) -> bool) -> Values {
        let mut found = Values::default();
        let mut queries = Vec::new();
        for part in part_ranges(&self.ends) {
            for at in part.filter(|&at| keep(self.queries[at])) {
                queries.push(self.queries[at]);
                found.values.push(self.values[at]);
            }
            if found.ends.last().copied().unwrap_or(0) < queries.len() {
                found.ends.push(queries.len());
            }
        }
        Values { queries: queries.into(), shortage: self.shortage, ..found }
    }

    /// Mean of several runs' values for each query; undefined for a query if any run's value is. Runs have equal
    /// queries.
    pub fn average_runs(mut runs: Vec<Values>) -> Values {
        if runs.len() < 2 {
            return runs.pop().unwrap_or_default();
        }
        let of_place = |place: usize| -> Option<f64> {
            let of_runs: Option<Vec<f64>> = runs.iter().map(|run| run.values[place]).collect();
            Some(mean::pairwise(&of_runs?))
        };
        let shortages = runs.iter().map(|run| run.shortage);
        Values {
            values: (0..runs[0].values.len()).map(of_place).collect(),
            shortage: shortages.fold(None, Shortage::join),
            ..runs[0].clone()
        }
    }

    /// The queries with a defined value, these values, and the ends of their parts.
    pub fn defined(&self) -> (Vec<u32>, Vec<f64>, Vec<usize>) {
        let (mut queries, mut values, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for part in part_ranges(&self.ends) {
            for at in part {
                if let Some(value) = self.values[at] {
                    queries.push(self.queries[at]);
                    values.push(value);
                }
            }
            ends.push(values.len());
        }
        (queries, values, ends)
    }

    /// Mean as in the evaluation; `None` if rankings end too early for some values, or nothing is defined.
    pub fn mean(&self) -> Option<f64> {
        let (_, values, ends) = self.defined();
        let is_whole = self.shortage.is_none();
        is_whole.then(|| mean_in_parts(&values, &ends)).flatten()
    }

    /// The defined values, grouped into clusters: `cluster_of` has the cluster of each query of the gallery; without it
    /// each query is a cluster.
    pub fn groups(&self, cluster_of: Option<&[u32]>) -> Groups {
        let (queries, values, ends) = self.defined();
        let labels = cluster_of.map(|of| labels(&queries, of));
        Groups::in_parts(&values, labels.as_deref(), &ends)
    }

    /// 95 % CI of the mean, in the metric's unit; `None` if the mean is undefined, or for fewer than two clusters.
    pub fn interval(&self, unit: Unit, cluster_of: Option<&[u32]>) -> Option<[f64; 2]> {
        let estimate = Estimate::of_mean(&self.groups(cluster_of), unit.range());
        Some(estimate.filter(|_| self.shortage.is_none())?.interval())
    }
}

/// Mean of the means of the parts that end at `ends`, equal to the evaluation's to the last bit; `None` without parts,
/// or if a part is empty.
pub fn mean_in_parts(values: &[f64], ends: &[usize]) -> Option<f64> {
    let of_part = |part: Range<usize>| (!part.is_empty()).then(|| mean::pairwise(&values[part]));
    let means: Vec<f64> = part_ranges(ends).map(of_part).collect::<Option<_>>()?;
    (!means.is_empty()).then(|| mean::pairwise(&means))
}

/// Index range of each part.
pub(super) fn part_ranges(ends: &[usize]) -> impl Iterator<Item = Range<usize>> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, &end)| start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(values: &[Option<f64>], ends: &[usize]) -> Values {
        Values {
            queries: (0..values.len() as u32).collect(),
            values: values.to_vec(),
            ends: ends.to_vec(),
            shortage: None,
        }
    }

    #[test]
    fn undefined_values_are_removed_from_their_part() {
        let all = values(&[Some(1.0), None, Some(0.0), Some(0.5)], &[2, 4]);
        let (queries, defined, ends) = all.defined();
        assert_eq!((queries, ends), (vec![0, 2, 3], vec![1, 3]));
        assert_eq!(mean_in_parts(&defined, &[1, 3]), Some(0.625));
        assert_eq!(mean_in_parts(&defined, &[3]), Some(0.5));
        assert_eq!(mean_in_parts(&[1.0], &[1, 1]), None);
        assert_eq!(mean_in_parts(&[], &[]), None);
    }

    #[test]
    fn values_are_reordered_by_part() {
        let mixed = values(&[Some(1.0), Some(2.0), Some(3.0), Some(4.0)], &[4]);
        let parts = mixed.in_parts(|place| place % 2);
        assert_eq!(&*parts.queries, [0, 2, 1, 3]);
        assert_eq!(parts.ends, [2, 4]);
        // A part without found values is dropped.
        let found = parts.filter(|query| query % 2 == 1);
        assert_eq!((&*found.queries, &*found.ends), (&[1, 3][..], &[2][..]));
    }

    #[test]
    fn runs_are_averaged_where_all_are_defined() {
        let runs = [
            values(&[Some(1.0), None, Some(0.0)], &[3]),
            values(&[Some(0.0), Some(1.0), Some(0.0)], &[3]),
        ];
        let mean = Values::average_runs(runs.to_vec());
        assert_eq!(mean.values, [Some(0.5), None, Some(0.0)]);
        assert_eq!(Values::average_runs(runs[..1].to_vec()), runs[0]);
    }
}
