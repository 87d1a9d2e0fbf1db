//! Several differences at once: Holm's correction, and intervals that all hold at once and say zero
//! exactly where the correction does.
//!
//! Holm rejects r of m hypotheses. Those that stay get intervals at the level that the last step would
//! need, 5 % over the m - r that are left. Those that are rejected lie on the side of zero that was
//! found, and reach from there to the end of the interval of that level; only where all are rejected,
//! they are intervals of their own at 5 % over m.
//!
//! Sources: Strassburger and Bretz 2008, doi:10.1002/sim.3338; Guilbaud 2008,
//! doi:10.1002/bimj.200710464.

use super::bootstrap::{LEVEL, Studentised};
use super::holm;
use super::paired::Paired;

/// One hypothesis of a family: that a mean difference is zero.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// The values that it is about.
    pub paired: &'a Paired,
    /// The difference and its resamples; `None` where differences do not vary.
    pub of: Option<&'a Studentised>,
    /// Its p-value; `None` where it is not tested.
    pub p: Option<f64>,
}

/// What the correction makes of a hypothesis.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Corrected {
    /// The p-value as Holm adjusts it.
    pub holm: Option<f64>,
    /// The interval that goes with it; an end at zero is part of the interval of a hypothesis that is
    /// not rejected, and no part of that of a rejected one.
    pub simultaneous: Option<[f64; 2]>,
    /// An earlier member with the same values of every query: both are one hypothesis, and count as one.
    pub same_as: Option<usize>,
}

/// Corrects a family. `is_alike` tells which two may be one hypothesis at all.
pub fn corrected(family: &[Member<'_>], is_alike: impl Fn(usize, usize) -> bool) -> Vec<Corrected> {
    let same_as = |at: usize| {
        let paired = family[at].paired;
        let is_same = |&other: &usize| is_alike(other, at) && family[other].paired == paired;
        (0..at).find(is_same).filter(|_| !paired.is_empty())
    };
    let same: Vec<Option<usize>> = (0..family.len()).map(same_as).collect();
    let firsts: Vec<usize> = (0..family.len()).filter(|&at| same[at].is_none()).collect();
    let p: Vec<Option<f64>> = firsts.iter().map(|&at| family[at].p).collect();
    let adjusted = holm::adjusted(&p);
    let of: Vec<_> = firsts
        .iter()
        .map(|&at| family[at].of)
        .zip(adjusted)
        .collect();
    let intervals = intervals(&of);
    let mut found = vec![Corrected::default(); family.len()];
    for ((at, (_, holm)), simultaneous) in firsts.into_iter().zip(of).zip(intervals) {
        (found[at].holm, found[at].simultaneous) = (holm, simultaneous);
    }
    for (at, same_as) in same.into_iter().enumerate() {
        if let Some(first) = same_as {
            found[at] = Corrected {
                same_as,
                ..found[first]
            };
        }
    }
    found
}

/// A hypothesis and its corrected p-value.
type Hypothesis<'a> = (Option<&'a Studentised>, Option<f64>);

fn is_rejected(holm: Option<f64>) -> bool {
    holm.is_some_and(|p| p < LEVEL)
}

/// The interval of each hypothesis, in the order given; `None` where it was not tested or nothing
/// varies.
fn intervals(family: &[Hypothesis<'_>]) -> Vec<Option<[f64; 2]>> {
    let tested = family.iter().filter(|(_, holm)| holm.is_some()).count();
    let rejected = family.iter().filter(|(_, holm)| is_rejected(*holm)).count();
    let left = if rejected < tested {
        tested - rejected
    } else {
        tested
    };
    let interval = |&(of, holm): &Hypothesis<'_>| {
        let of = of.filter(|_| holm.is_some())?;
        let [low, high] = of.interval(LEVEL / left as f64).ends;
        let reaches_to_zero = rejected < tested;
        Some(match (is_rejected(holm), of.mean > 0.0) {
            (false, _) => [low.min(0.0), high.max(0.0)],
            (true, true) if reaches_to_zero => [0.0, high.max(of.mean)],
            (true, false) if reaches_to_zero => [low.min(of.mean), 0.0],
            (true, true) => [low.max(0.0), high],
            (true, false) => [low, high.min(0.0)],
        })
    };
    family.iter().map(interval).collect()
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::{Draws, studentised};
    use super::super::groups::Groups;
    use super::super::ttest;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the differences: starred exactly where zero is outside.
        #[test]
        fn zero_is_outside_exactly_where_holm_rejects(
            shifts in prop::collection::vec(-0.6..0.6f64, 1..8),
        ) {
            let noise = |at: u32| f64::from(at * 7919 % 101) / 101.0 - 0.5;
            let groups: Vec<Groups> = shifts
                .iter()
                .map(|shift| Groups::single((0..40).map(|at| shift + noise(at)).collect()))
                .collect();
            let draws = Draws { resamples: 1000, seed: 0 };
            let of = studentised(&groups.iter().collect::<Vec<_>>(), draws);
            let p: Vec<Option<f64>> = groups.iter().map(|one| Some(ttest::test(one)?.p)).collect();
            let holm = holm::adjusted(&p);
            let family: Vec<Hypothesis<'_>> = of.iter().map(Option::as_ref).zip(holm).collect();
            for ((of, holm), interval) in family.iter().zip(intervals(&family)) {
                let [low, high] = interval.unwrap();
                let mean = of.unwrap().mean;
                prop_assert!(low <= mean && mean <= high);
                if is_rejected(*holm) {
                    prop_assert!(low >= 0.0 || high <= 0.0);
                } else {
                    prop_assert!(low <= 0.0 && high >= 0.0);
                }
            }
        }
    }

    fn paired(values: &[f64]) -> Paired {
        Paired {
            queries: (0..values.len() as u32).collect(),
            values: [values.to_vec(), vec![0.0; values.len()]],
            ends: vec![values.len()],
            ..Paired::default()
        }
    }

    /// R@1 and mAP@R where R = 1: the second is told apart by nothing, and corrects nothing.
    #[test]
    fn one_hypothesis_counts_once() {
        let (one, other) = (paired(&[1.0, 0.0]), paired(&[0.5, 0.0]));
        let member = |paired, p| Member {
            paired,
            of: None,
            p: Some(p),
        };
        let family = [member(&one, 0.01), member(&one, 0.01), member(&other, 0.03)];
        let found = corrected(&family, |_, _| true);
        let holm: Vec<f64> = found.iter().map(|one| one.holm.unwrap()).collect();
        assert_eq!(holm, [0.02, 0.02, 0.03]);
        assert_eq!(found[1].same_as, Some(0));
        let apart = corrected(&family, |_, _| false);
        assert_eq!(apart[0].holm, Some(0.03));
    }

    #[test]
    fn what_was_not_tested_has_none() {
        let none = paired(&[]);
        let untested = Member {
            paired: &none,
            of: None,
            p: None,
        };
        let found = corrected(&[untested, untested], |_, _| true);
        assert_eq!(found, [Corrected::default(); 2]);
        assert_eq!(corrected(&[], |_, _| true), []);
    }
}
