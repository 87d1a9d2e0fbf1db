//! Checks the level of tests and the coverage of intervals: exactly where outcomes can be enumerated, else by small
//! simulations.

use super::clusters::Groups;
use super::inference::{Estimate, LEVEL};
use super::paired_values::Paired;
use super::per_query::Values;
use super::runs::BetweenRuns;
use crate::data::stream::{Stream, Use};
use crate::metric::Unit;

/// Simulated studies of each kind.
const STUDIES: usize = 1_000;

/// Uniform numbers in 0 to 1.
struct Uniform(Stream);

impl Uniform {
    /// A stream for one simulated study; `kind` is the random seed of its kind.
    fn new(study: usize, kind: u64) -> Self {
        Uniform(Stream::new(kind, Use::Draw, study))
    }

    fn next(&mut self) -> f64 {
        (self.0.index(1 << 30) as f64 + 0.5) / f64::from(1 << 30)
    }

    /// A standard normal number (Box and Muller 1958, doi:10.1214/aoms/1177706645).
    fn noise(&mut self) -> f64 {
        (-2.0 * self.next().ln()).sqrt() * (std::f64::consts::TAU * self.next()).cos()
    }
}

/// Share of simulated studies, given by number, for which `is_so` holds.
fn share(is_so: impl Fn(usize) -> bool) -> f64 {
    (0..STUDIES).filter(|&study| is_so(study)).count() as f64 / STUDIES as f64
}

/// Whether the interval of an estimate contains the true value.
fn holds(estimate: Option<Estimate>, truth: f64) -> bool {
    let [low, high] = estimate.unwrap().interval();
    low <= truth && truth <= high
}

/// Pairs the values of two models on the same queries.
fn paired(first: Vec<f64>, second: Vec<f64>) -> Paired {
    let values = |values: Vec<f64>| {
        let queries: Vec<u32> = (0..values.len() as u32).collect();
        Values::new(&queries, values.into_iter().map(Some).collect())
    };
    Paired::from_values([&values(first), &values(second)])
}

/// Probability of each number of successes, from 0 to `count`, with this probability of one.
fn binomial(count: usize, probability: f64) -> Vec<f64> {
    let gamma = |n: usize| libm::lgamma(n as f64 + 1.0);
    let of = |hits: usize| {
        let ways = gamma(count) - gamma(hits) - gamma(count - hits);
        let [hits, misses] = [hits, count - hits].map(|n| n as f64);
        (ways + hits * probability.ln() + misses * (1.0 - probability).ln()).exp()
    };
    (0..=count).map(of).collect()
}

/// Probability that `is_so` holds for `count` values of 1 (with this probability) or 0.
fn exact(count: usize, probability: f64, is_so: impl Fn(Groups) -> bool) -> f64 {
    let all = binomial(count, probability).into_iter().enumerate();
    let is_so = |(hits, of): &(usize, f64)| {
        let values = (0..count).map(|at| f64::from(u8::from(at < *hits)));
        *of > 1e-7 && is_so(Groups::single(values.collect()))
    };
    all.filter(is_so).map(|(_, of)| of).sum()
}

/// Wilson's interval covers 84 to 91 % in the first three.
#[test]
fn intervals_of_shares_cover() {
    for (count, probability) in [
        (20, 0.9912),
        (50, 0.989),
        (100, 0.995),
        (20, 0.9),
        (100, 0.95),
        (100, 0.5),
        (400, 0.99),
        (1000, 0.995),
    ] {
        let holds = |groups| holds(Estimate::of_mean(&groups, [0.0, 1.0]), probability);
        let found = exact(count, probability, holds);
        assert!(found > 0.93, "{probability} of {count}: {found}");
    }
}

/// Few wins and no losses: Student's t alone covers 82 to 85 %.
#[test]
fn intervals_of_rare_differences_cover() {
    for (count, probability) in [(100, 0.03), (300, 0.01), (1000, 0.003)] {
        let holds = |groups| holds(Estimate::of_difference(&groups, Unit::Share), probability);
        let found = exact(count, probability, holds);
        assert!(found > 0.93, "{probability} of {count}: {found}");
    }
}

/// The first model is worse by exactly the margin and wins on no query: Student's t alone finds it non-inferior in 11
/// to 15 % of studies.
#[test]
fn non_inferiority_tests_keep_their_level_if_few_queries_differ() {
    for (count, margin) in [(100, 0.03), (300, 0.01), (1000, 0.005)] {
        let rejects = |losses: Groups| {
            let sums = losses.sums.iter().map(|loss| -loss).collect();
            let found = Estimate::of_difference(&Groups::single(sums), Unit::Share).unwrap();
            found.margin_p_values(margin, Unit::Share)[1] < LEVEL
        };
        let found = exact(count, margin, rejects);
        assert!(found < 0.06, "{margin} of {count}: {found}");
    }
}

/// Reciprocal ranks of two equally good models; they differ for a third of the captions. The five captions of an image
/// have similar ranks.
fn equal_pair(study: usize, images: usize) -> Paired {
    let mut noise = Uniform::new(study, images as u64);
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for _ in 0..images {
        let image = noise.noise();
        for _ in 0..5 {
            let rank = |score: f64| 1.0 / (2.0f64 * score).exp().ceil();
            let score = image + noise.noise();
            first.push(rank(score + 0.1 * noise.noise()));
            second.push(rank(score + 0.1 * noise.noise()));
        }
    }
    paired(first, second)
}

/// Equal models: wins and losses balance. Bootstrap-t covers 90 to 94 % of differences like the first two.
#[test]
fn differences_of_equal_models_cover_and_keep_their_level() {
    let by_image: Vec<u32> = (0..1000).map(|query| query / 5).collect();
    for images in [60, 200] {
        let is_covered =
            |study| holds(equal_pair(study, images).estimate(Unit::Share, Some(&by_image)), 0.0);
        let found = share(is_covered);
        assert!((0.93..0.97).contains(&found), "{images} images: {found}");
    }
    // Captions of an image are not independent.
    let siblings = |study: usize| {
        let mut noise = Uniform::new(study, 1);
        let shared = (0..40).map(|_| noise.noise()).collect::<Vec<f64>>();
        let values: Vec<f64> = (0..200).map(|at| shared[at / 5] + noise.noise()).collect();
        paired(values, vec![0.0; 200])
    };
    let rejected = |clusters: Option<&[u32]>| {
        share(|study| siblings(study).estimate(Unit::Rank, clusters).unwrap().p() < LEVEL)
    };
    let found = rejected(Some(&by_image));
    assert!((0.03..0.07).contains(&found), "by image: {found}");
    assert!(rejected(None) > 0.15, "by query");
    // Binary values, many or few differences.
    for (queries, differing, limits) in [(200, 0.4, 0.03..0.07), (60, 0.06, 0.0..0.05)] {
        let rejects = |study| {
            let mut coins = Uniform::new(study, 2);
            let value = |coins: &mut Uniform| match coins.next() {
                coin if coin < differing / 2.0 => 1.0,
                coin if coin < differing => -1.0,
                _ => 0.0,
            };
            let values = (0..queries).map(|_| value(&mut coins)).collect();
            let found = Estimate::of_difference(&Groups::single(values), Unit::Share);
            found.unwrap().p() < LEVEL
        };
        let found = share(rejects);
        assert!(limits.contains(&found), "{queries} queries: {found}");
    }
}

/// Fifteen images with skewed values: bootstrap percentile intervals cover 89 %.
#[test]
fn means_of_few_lopsided_clusters_cover() {
    let images: Vec<u32> = (0..75).map(|query| query / 5).collect();
    let is_covered = |study| {
        let mut noise = Uniform::new(study, 5);
        let mut values = Vec::new();
        for _ in 0..15 {
            let shared = noise.next().powi(3);
            values.extend((0..5).map(|_| 0.9 * shared + 0.1 * noise.next()));
        }
        let groups = Groups::labelled(&values, &images);
        holds(Estimate::of_mean(&groups, [0.0, 1.0]), 0.9 / 4.0 + 0.05)
    };
    let found = share(is_covered);
    assert!(found > 0.94, "{found}");
}

/// Two equal methods with more random variation between runs than between images: error rates of tests that borrow a
/// single model's run variance from the other. Without it single runs differ in most studies.
#[test]
fn runs_keep_their_level() {
    for (runs, apart, limits) in [
        ([3, 2], 0.0, 0.0..0.06),
        ([3, 2], 1.0, 0.03..0.08),
        ([3, 1], 1.0, 0.03..0.10),
        ([1, 1], 1.0, 0.5..1.0),
    ] {
        let rejects = |study| {
            let mut noise = Uniform::new(study, 6);
            let mut values = vec![0.0; 60];
            let means = [0, 1].map(|model: usize| {
                let count = runs[model];
                let of_run = |_| {
                    let shift = apart * noise.noise();
                    let mut sum = 0.0;
                    for value in &mut values {
                        let one = shift + noise.noise();
                        *value += [one, -one][model] / f64::from(count);
                        sum += one;
                    }
                    sum / 60.0
                };
                (0..count).map(of_run).collect::<Vec<f64>>()
            });
            let found = Estimate::of_difference(&Groups::single(values), Unit::Rank).unwrap();
            let between = BetweenRuns::from_means([&means[0], &means[1]]);
            between.map_or(found, |between| found.with_runs(between)).p() < LEVEL
        };
        let found = share(rejects);
        assert!(limits.contains(&found), "{runs:?} {apart}: {found}");
    }
}
