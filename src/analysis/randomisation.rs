//! The paired randomisation test: what if the models' names were swapped at random?

use std::collections::BTreeMap;

use super::bootstrap::Draws;
use super::groups::Groups;
use crate::data::parallel;
use crate::data::stream::{Stream, Use};

/// The outcome of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Randomised {
    /// Two-sided p-value.
    pub p: f64,
    /// Whether all assignments of signs were tried, not a sample of them.
    pub is_exact: bool,
    /// Assignments under which the mean difference is as far from zero as it is, or further.
    pub extreme: usize,
}

/// With up to so many differences all assignments of signs are tried: 65,536.
const FEW: usize = 16;
/// Sums that differ by less than this part of the greatest possible sum are equal but for rounding.
const ROUNDING: f64 = 1e-12;
/// Draws that one task makes.
const TASK: usize = 100;

/// The share of assignments of signs to the clusters under which the mean difference is as far from zero
/// as it is, or further; of a sample of N, (count + 1) / (N + 1). Differences of zero change nothing
/// and are left out. `None` without clusters, and where a sample is needed and none is asked for.
///
/// Source: Fisher 1935, *The design of experiments*; for retrieval Smucker, Allan and Carterette 2007,
/// doi:10.1145/1321440.1321528; (count + 1) / (N + 1) by Phipson and Smyth 2010, arXiv:1603.05766.
pub fn test(groups: &Groups, draws: Draws) -> Option<Randomised> {
    if groups.is_empty() {
        return None;
    }
    let mut sums = groups.contributions();
    sums.retain(|&sum| sum != 0.0);
    let most: f64 = sums.iter().map(|sum| sum.abs()).sum();
    let observed: f64 = sums.iter().sum::<f64>().abs() - ROUNDING * most;
    if sums.len() <= FEW {
        let assignments = 1_usize << sums.len();
        let is_extreme = |signs: &usize| signed(&sums, *signs as u64).abs() >= observed;
        let extreme = (0..assignments).filter(is_extreme).count();
        return Some(Randomised {
            p: extreme as f64 / assignments as f64,
            is_exact: true,
            extreme,
        });
    }
    (draws.resamples > 0).then(|| {
        let distances = if let Some(classes) = classes(&sums) {
            sampled(draws, |streams| {
                let of = |stream: &mut Stream| of_classes(&classes, stream);
                streams.iter_mut().map(of).collect()
            })
        } else {
            let tables: Vec<Table> = sums.chunks(BITS).map(table).collect();
            sampled(draws, |streams| of_tables(&tables, streams))
        };
        let is_extreme = |distance: &&f64| **distance >= observed;
        let extreme = distances.iter().filter(is_extreme).count();
        Randomised {
            p: (extreme + 1) as f64 / (draws.resamples + 1) as f64,
            is_exact: false,
            extreme,
        }
    })
}

/// What `distances` makes of the stream of each draw, in the order of the draws.
fn sampled(draws: Draws, distances: impl Fn(&mut [Stream]) -> Vec<f64> + Sync) -> Vec<f64> {
    parallel::flat_map_ranges(draws.resamples, TASK, |draws_of_task| {
        let stream = |at| Stream::new(draws.seed, Use::Randomisation, at);
        distances(&mut draws_of_task.map(stream).collect::<Vec<Stream>>())
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

/// More sizes of differences than that are not counted by size.
const MOST_CLASSES: usize = 64;

/// The sizes of differences, each with how often it stands there; `None` where they are many. Values of
/// 0 and 1 have few, clusters of them too.
fn classes(sums: &[f64]) -> Option<Vec<(f64, usize)>> {
    let mut classes: BTreeMap<u64, usize> = BTreeMap::new();
    for sum in sums {
        *classes.entry(sum.abs().to_bits()).or_default() += 1;
        if classes.len() > MOST_CLASSES {
            return None;
        }
    }
    let sized = |(bits, count)| (f64::from_bits(bits), count);
    Some(classes.into_iter().map(sized).collect())
}

/// How far from zero the sum is when every difference gets a random sign: of equal ones it is enough to
/// count the coins that fall heads.
fn of_classes(classes: &[(f64, usize)], stream: &mut Stream) -> f64 {
    let of_class = |&(size, count): &(f64, usize)| {
        let whole: u32 = (0..count / 64).map(|_| stream.coins().count_ones()).sum();
        let rest = match count % 64 {
            0 => 0,
            rest => (stream.coins() >> (64 - rest)).count_ones(),
        };
        size * (2.0 * f64::from(whole + rest) - count as f64)
    };
    classes.iter().map(of_class).sum::<f64>().abs()
}

/// Differences that are looked up together.
const BITS: usize = 4;
/// The sum of [`BITS`] differences under each assignment of signs.
type Table = [f64; 1 << BITS];

fn table(values: &[f64]) -> Table {
    std::array::from_fn(|signs| signed(values, signs as u64))
}

/// How far from zero the sum is under the random signs of each stream. A few tables serve all streams
/// before the next few: they stay in the first-level cache.
fn of_tables(tables: &[Table], streams: &mut [Stream]) -> Vec<f64> {
    let mut all = vec![[0.0; 4]; streams.len()];
    for together in tables.chunks(64 / BITS) {
        for (sums, stream) in all.iter_mut().zip(&mut *streams) {
            let mut coins = stream.coins();
            for (at, table) in together.iter().enumerate() {
                sums[at % 4] += table[(coins & 15) as usize];
                coins >>= BITS;
            }
        }
    }
    let distance = |sums: [f64; 4]| sums.iter().sum::<f64>().abs();
    all.into_iter().map(distance).collect()
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
        let exact = 0.05688793364098089;
        assert!(!found.is_exact);
        assert!((found.p - exact).abs() < 0.008, "{found:?}, {exact}");
    }

    /// By size of difference or by tables: the same distribution, so that p-values of as many draws are
    /// within four standard errors of each other.
    #[test]
    fn both_ways_of_drawing_agree() {
        let few: Vec<f64> = (0..300).map(|at| f64::from(at * 7 % 11) - 4.6).collect();
        // The same but for what no mean sees.
        let many: Vec<f64> = (0..300)
            .map(|at| few[at] + (at as f64 - 150.0) * 1e-7)
            .collect();
        assert!(classes(&few).is_some() && classes(&many).is_none());
        let [one, other] = [of(&few).unwrap().p, of(&many).unwrap().p];
        let error = (2.0 * one * (1.0 - one) / 10_000.0).sqrt();
        assert!((one - other).abs() < 4.0 * error, "{one} {other}");
        assert!(one > 0.01 && one < 0.9, "{one}");
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
