//! The paired randomisation test: what if the models' names were swapped at random?

use rayon::prelude::*;

use super::bootstrap::Draws;
use super::groups::Groups;
use crate::data::stream::{Stream, Use};

/// The outcome of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Randomised {
    /// Two-sided p-value.
    pub p: f64,
    /// Whether all assignments of signs were tried, not a sample of them.
    pub is_exact: bool,
}

/// With up to so many differences all assignments of signs are tried: 65,536.
const FEW: usize = 16;
/// Sums that differ by less than this part of the greatest possible sum are equal but for rounding.
const ROUNDING: f64 = 1e-12;

/// The share of assignments of signs to the groups under which the mean difference is as far from zero
/// as it is, or further; of a sample of N, (count + 1) / (N + 1). Differences of zero change nothing
/// and are left out. `None` without groups, and where a sample is needed and none is asked for.
///
/// Source: Fisher 1935, *The design of experiments*; for retrieval Smucker, Allan and Carterette 2007,
/// doi:10.1145/1321440.1321528; (count + 1) / (N + 1) by Phipson and Smyth 2010, arXiv:1603.05766.
pub fn test(groups: &Groups, draws: Draws) -> Option<Randomised> {
    if groups.is_empty() {
        return None;
    }
    let sums: Vec<f64> = groups
        .sums()
        .iter()
        .copied()
        .filter(|&sum| sum != 0.0)
        .collect();
    let most: f64 = sums.iter().map(|sum| sum.abs()).sum();
    let observed: f64 = sums.iter().sum::<f64>().abs() - ROUNDING * most;
    if sums.len() <= FEW {
        let assignments = 1_u64 << sums.len();
        let extreme = |signs: &u64| signed(&sums, *signs).abs() >= observed;
        let count = (0..assignments).filter(extreme).count();
        return Some(Randomised {
            p: count as f64 / assignments as f64,
            is_exact: true,
        });
    }
    if draws.resamples == 0 {
        return None;
    }
    let is_extreme = |at: &usize| {
        let mut stream = Stream::new(draws.seed, Use::Randomisation, *at);
        let parts = sums.chunks(64).map(|part| signed(part, stream.coins()));
        parts.sum::<f64>().abs() >= observed
    };
    let count = (0..draws.resamples)
        .into_par_iter()
        .filter(is_extreme)
        .count();
    Some(Randomised {
        p: (count + 1) as f64 / (draws.resamples + 1) as f64,
        is_exact: false,
    })
}

/// The sum of up to 64 values, those with a set bit taken negative.
fn signed(values: &[f64], signs: u64) -> f64 {
    let flipped = |(at, value): (usize, &f64)| {
        let sign = (signs >> at) << 63;
        f64::from_bits(value.to_bits() ^ sign)
    };
    values.iter().enumerate().map(flipped).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Option<Randomised> {
        test(&Groups::single(values.to_vec()), Draws::default())
    }

    /// `scipy.stats.permutation_test((d,), numpy.mean, permutation_type='samples',
    /// n_resamples=inf).pvalue` of `SciPy` 1.17.
    #[test]
    fn few_differences_are_tested_exactly_as_the_reference_does() {
        for (values, expected) in REFERENCE {
            let found = of(values).unwrap();
            assert!(
                found.is_exact && (found.p - expected).abs() < 1e-12,
                "{found:?}"
            );
        }
    }

    /// Zeros change nothing, and -0.0 is one.
    #[test]
    fn zeros_are_left_out() {
        let mut values = vec![0.0; 1000];
        values.extend([1.0, 2.0, 3.0, -0.0]);
        let found = of(&values).unwrap();
        assert!(found.is_exact && (found.p - 0.25).abs() < 1e-12);
        assert_eq!(of(&[0.0; 3]).unwrap().p.to_bits(), 1.0_f64.to_bits());
        assert_eq!(of(&[]), None);
        // A mean of zero but for rounding is as near to zero as can be.
        let balanced = of(&[0.1, 0.2, 0.3, -0.1, -0.2, -0.3]).unwrap();
        assert_eq!(balanced.p.to_bits(), 1.0_f64.to_bits());
        assert_eq!(of(&[1.0]).unwrap().p.to_bits(), 1.0_f64.to_bits());
    }

    /// The sampled test of 0s and 1s is the sign test: 2 * P(X >= 60 of 100 coins) = 0.0569.
    #[test]
    fn many_differences_come_near_the_sign_test() {
        let values: Vec<f64> = (0..100)
            .map(|at| if at < 60 { 1.0 } else { -1.0 })
            .collect();
        let found = of(&values).unwrap();
        let exact = crate::analysis::mcnemar::exact(60, 40);
        assert!(!found.is_exact);
        assert!((found.p - exact).abs() < 0.008, "{found:?}, {exact}");
    }

    /// Groups change sign as a whole: three groups have eight assignments, two of them as extreme.
    #[test]
    fn groups_change_sign_together() {
        let differences = [1.0, 1.0, 0.5, 0.5, 0.25, 0.25];
        let groups = Groups::labelled(&differences, &[1, 1, 2, 2, 3, 3]);
        let found = test(&groups, Draws::default()).unwrap();
        assert!((found.p - 0.25).abs() < 1e-12);
        assert!((of(&differences).unwrap().p - 2.0 / 64.0).abs() < 1e-12);
    }

    #[test]
    fn the_least_p_of_a_sample_is_one_in_so_many_and_the_seed_decides() {
        let groups = Groups::single(vec![1.0; 500]);
        let draws = |seed| Draws {
            resamples: 999,
            seed,
        };
        let found = test(&groups, draws(0)).unwrap();
        assert!((found.p - 0.001).abs() < 1e-12);
        let mixed: Vec<f64> = (0..200).map(|at| f64::from(at % 7) - 2.8).collect();
        let mixed = Groups::single(mixed);
        assert_eq!(test(&mixed, draws(5)), test(&mixed, draws(5)));
        assert_ne!(test(&mixed, draws(5)), test(&mixed, draws(6)));
        let none = Draws {
            resamples: 0,
            seed: 0,
        };
        assert_eq!(test(&mixed, none), None);
    }

    const REFERENCE: [(&[f64], f64); 3] = [
        (&[0.3, -0.1, 0.25, 0.4, -0.2], 0.375),
        (&[1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0], 0.125),
        (
            &[0.5, 0.25, 0.125, -0.5, 0.75, 0.1, 0.2, -0.3, 0.9, 0.05],
            0.169921875,
        ),
    ];
}
