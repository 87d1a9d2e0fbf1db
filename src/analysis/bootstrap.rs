//! How sure a mean difference is: a bootstrap interval.

use rayon::prelude::*;

use super::groups::Groups;
use crate::data::stream::{Stream, Use};

/// How many resamples, and the seed that they are drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draws {
    /// Number of resamples.
    pub resamples: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for Draws {
    fn default() -> Self {
        Draws {
            resamples: 10_000,
            seed: 0,
        }
    }
}

/// The two-sided share of resamples outside of an interval.
const OUTSIDE: f64 = 0.05;

/// The 95 % percentile interval of the mean difference: as many groups as there are, drawn with
/// replacement, again and again. `None` for fewer than two groups, and without resamples.
///
/// Source: Efron 1979, *Bootstrap methods: another look at the jackknife*, doi:10.1214/aos/1176344552;
/// whole groups as in Davison and Hinkley 1997, *Bootstrap methods and their application*, 3.8.
pub fn interval(groups: &Groups, draws: Draws) -> Option<[f64; 2]> {
    if groups.len() < 2 || draws.resamples == 0 {
        return None;
    }
    let resamples = (0..draws.resamples).into_par_iter();
    let mut means: Vec<f64> = resamples
        .map(|at| resampled(groups, Stream::new(draws.seed, Use::Bootstrap, at)))
        .collect();
    means.par_sort_unstable_by(f64::total_cmp);
    Some([OUTSIDE / 2.0, 1.0 - OUTSIDE / 2.0].map(|share| quantile(&means, share)))
}

/// The mean of as many groups as there are, drawn with replacement.
fn resampled(groups: &Groups, mut stream: Stream) -> f64 {
    let (sums, sizes) = (groups.sums(), groups.sizes());
    let mut sum = 0.0;
    if let Some(size) = groups.common_size() {
        for _ in 0..sums.len() {
            sum += sums[stream.index(sums.len())];
        }
        return sum / (sums.len() as f64 * f64::from(size));
    }
    let mut count = 0.0;
    for _ in 0..sums.len() {
        let drawn = stream.index(sums.len());
        sum += sums[drawn];
        count += f64::from(sizes[drawn]);
    }
    sum / count
}

/// The value below which a share of the sorted values lies, between two of them in proportion, as
/// `numpy.quantile` has it.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.quantile` of the same values.
    #[test]
    fn quantiles_lie_between_two_values() {
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
        assert!((quantile(&sorted, 0.025) - 1.1).abs() < 1e-12);
        assert!((quantile(&sorted, 0.975) - 15.2).abs() < 1e-12);
        assert!((quantile(&[3.0], 0.975) - 3.0).abs() < 1e-12);
    }

    fn differences() -> Vec<f64> {
        (0..400)
            .map(|at| f64::from(at * 37 % 101) / 100.0 - 0.4)
            .collect()
    }

    /// The interval of a mean over many values is that of the normal distribution: mean +- 1.96
    /// standard errors, up to the noise of 10,000 resamples.
    #[test]
    fn many_values_come_near_the_normal_interval() {
        let values = differences();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let deviation = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
        let error = deviation / n.sqrt();
        let [low, high] = interval(&Groups::single(values), Draws::default()).unwrap();
        assert!((low - (mean - 1.96 * error)).abs() < 0.1 * error, "{low}");
        assert!((high - (mean + 1.96 * error)).abs() < 0.1 * error, "{high}");
    }

    /// Each value five times over is no further evidence when the five are drawn together, whether
    /// groups are of one size or, by one more value that hardly counts, of two.
    #[test]
    fn repeated_values_drawn_together_do_not_narrow_the_interval() {
        let values = differences();
        let width = |groups: &Groups| {
            let [low, high] = interval(groups, Draws::default()).unwrap();
            high - low
        };
        let once = width(&Groups::single(values.clone()));
        let mut fivefold: Vec<f64> = values.iter().flat_map(|&v| [v; 5]).collect();
        let mut labels: Vec<u32> = (0..2000).map(|at| at / 5).collect();
        let apart = width(&Groups::single(fivefold.clone()));
        assert!((apart / once - 1.0 / 5.0_f64.sqrt()).abs() < 0.02);
        assert!((width(&Groups::labelled(&fivefold, &labels)) / once - 1.0).abs() < 1e-9);
        fivefold.push(0.0);
        labels.push(400);
        assert!((width(&Groups::labelled(&fivefold, &labels)) / once - 1.0).abs() < 0.05);
    }

    #[test]
    fn the_seed_decides_and_not_the_threads() {
        let groups = Groups::single(differences());
        let of = |seed, threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let draws = Draws {
                resamples: 500,
                seed,
            };
            pool.build().unwrap().install(|| interval(&groups, draws))
        };
        assert_eq!(of(1, 1), of(1, 3));
        assert_ne!(of(1, 1), of(2, 1));
    }

    #[test]
    fn degenerate_samples() {
        let of = |values: &[f64]| interval(&Groups::single(values.to_vec()), Draws::default());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[0.5]), None);
        assert_eq!(of(&[0.5, 0.5, 0.5, 0.5]), Some([0.5, 0.5]));
        let none = Draws {
            resamples: 0,
            seed: 0,
        };
        assert_eq!(interval(&Groups::single(vec![1.0, 2.0]), none), None);
    }
}
