//! Paired tests of several differences, with Holm's correction of p-values.

use super::inference::Estimate;
use super::paired_values::Paired;
use crate::metric::Unit;

/// The paired test of one difference of means.
#[derive(Debug, Clone)]
pub struct HolmTest<K> {
    /// Identifies the comparison within its family.
    pub key: K,
    /// Values of both models by query.
    pub paired: Paired,
    /// Number of clusters.
    pub clusters: usize,
    /// The difference with its interval and p-value; `None` if it cannot be tested.
    pub estimate: Option<Estimate>,
    /// The Holm-adjusted p-value.
    pub corrected: Corrected,
}

/// Tests a family of differences. `test` gives unit and query clusters of each; `is_alike` says which two may be the
/// same hypothesis.
pub fn test_family<'a, K>(
    differences: impl IntoIterator<Item = (K, Paired)>,
    test: impl Fn(&K) -> (Unit, Option<&'a [u32]>),
    is_alike: impl Fn(&K, &K) -> bool,
) -> Vec<HolmTest<K>> {
    let uncorrected = |(key, paired): (K, Paired)| {
        let (unit, cluster_of) = test(&key);
        let groups = paired.groups(cluster_of);
        let estimate = Estimate::of_difference(&groups, unit);
        HolmTest { key, paired, clusters: groups.len(), estimate, corrected: Corrected::default() }
    };
    let mut all: Vec<HolmTest<K>> = differences.into_iter().map(uncorrected).collect();
    let family: Vec<_> = all.iter().map(|of| (&of.paired, of.estimate.map(Estimate::p))).collect();
    let found = correct(&family, |one, other| is_alike(&all[one].key, &all[other].key));
    for (of, corrected) in all.iter_mut().zip(found) {
        of.corrected = corrected;
    }
    all
}

/// Holm's correction of one tested difference.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Corrected {
    /// Holm-adjusted p-value; `None` if not tested.
    pub holm: Option<f64>,
    /// Index of an earlier difference with equal values for every query, if any: the same hypothesis, counted once.
    pub same_as: Option<usize>,
}

/// Applies Holm's correction to the p-values of a family, each given with its paired values. Two differences with equal
/// values are one hypothesis, counted once, if `is_alike` holds for their indices in the family.
pub fn correct(
    family: &[(&Paired, Option<f64>)],
    is_alike: impl Fn(usize, usize) -> bool,
) -> Vec<Corrected> {
    let same_as = |at: usize| {
        let paired = family[at].0;
        let is_same = |&other: &usize| is_alike(other, at) && family[other].0 == paired;
        (0..at).find(is_same).filter(|_| !paired.is_empty())
    };
    let same_as: Vec<Option<usize>> = (0..family.len()).map(same_as).collect();
    let all = family.iter().zip(&same_as);
    let p: Vec<Option<f64>> = all.map(|((_, p), same)| p.filter(|_| same.is_none())).collect();
    let holm = adjust(&p);
    let correction = |(at, same_as): (usize, Option<usize>)| Corrected {
        holm: holm[same_as.unwrap_or(at)],
        same_as,
    };
    same_as.into_iter().enumerate().map(correction).collect()
}

/// Holm-adjusted p-values of a family, in input order: rejecting those up to the level bounds the chance of any false
/// rejection by the level. `None` was not tested, and is not in the family.
///
/// Source: Holm 1979, *A simple sequentially rejective multiple test procedure*,
/// <https://www.jstor.org/stable/4615733>.
pub fn adjust(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut tested: Vec<(f64, usize)> =
        p_values.iter().enumerate().filter_map(|(at, p)| Some(((*p)?, at))).collect();
    tested.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut adjusted = vec![None; p_values.len()];
    let mut lowest = 0.0_f64;
    for (place, &(p, at)) in tested.iter().enumerate() {
        let remaining = (tested.len() - place) as f64;
        lowest = lowest.max((p * remaining).min(1.0));
        adjusted[at] = Some(lowest);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(values: &[f64]) -> Paired {
        Paired {
            queries: (0..values.len() as u32).collect(),
            values: [values.to_vec(), vec![0.0; values.len()]],
            ends: vec![values.len()],
            ..Paired::default()
        }
    }

    /// R@1 and mAP@R with R = 1: one hypothesis.
    #[test]
    fn one_hypothesis_counts_once() {
        let (one, other, none) = (paired(&[1.0, 0.0]), paired(&[0.5, 0.0]), paired(&[]));
        let family = [(&one, Some(0.01)), (&one, Some(0.01)), (&other, Some(0.03))];
        let found = correct(&family, |_, _| true);
        let holm: Vec<f64> = found.iter().map(|one| one.holm.unwrap()).collect();
        assert_eq!(holm, [0.02, 0.02, 0.03]);
        assert_eq!(found[1].same_as, Some(0));
        assert_eq!(correct(&family, |_, _| false)[0].holm, Some(0.03));
        let untested = [(&none, None), (&none, None)];
        assert_eq!(correct(&untested, |_, _| true), [Corrected::default(); 2]);
    }

    /// By hand: 0.01 * 4, 0.02 * 3, 0.03 * 2 below the one before it, 0.5 * 1.
    #[test]
    fn each_step_has_one_test_less_and_never_goes_down() {
        let p = [Some(0.03), Some(0.01), None, Some(0.5), Some(0.02)];
        let expected = [Some(0.06), Some(0.04), None, Some(0.5), Some(0.06)];
        for (found, expected) in adjust(&p).into_iter().zip(expected) {
            match (found, expected) {
                (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-12),
                (found, expected) => assert_eq!(found, expected),
            }
        }
        assert_eq!(adjust(&[Some(0.7), Some(0.8)]), [Some(1.0), Some(1.0)]);
        assert_eq!(adjust(&[]), []);
    }
}
