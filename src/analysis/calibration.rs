//! Do the tests keep their level, and the intervals theirs? Small simulations where the truth is known.

use super::bootstrap::{Draws, LEVEL, UNBOUNDED, interval};
use super::groups::Groups;
use super::inference::{self, Tests};
use super::paired::Paired;
use super::per_query::Values;
use super::runs::hierarchical;
use crate::data::stream::{Stream, Use};
use crate::metric::Unit;

/// Studies that are simulated of each kind.
const STUDIES: usize = 400;
const DRAWS: Draws = Draws {
    resamples: 199,
    seed: 4,
};

/// Uniform numbers from 0 to 1.
struct Uniform(Stream);

impl Uniform {
    fn new(study: usize, kind: u64) -> Self {
        Uniform(Stream::new(kind, Use::Draw, study))
    }

    fn next(&mut self) -> f64 {
        (self.0.index(1 << 30) as f64 + 0.5) / f64::from(1 << 30)
    }

    /// Mean 0, variance 1, close to normal.
    fn noise(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

fn paired(first: Vec<f64>, second: Vec<f64>) -> Paired {
    let values = |values: Vec<f64>| {
        let queries: Vec<u32> = (0..values.len() as u32).collect();
        Values::new(&queries, values.into_iter().map(Some).collect())
    };
    Paired::of([&values(first), &values(second)])
}

/// Forty images of five captions; what an image adds is shared by its captions.
fn siblings(study: usize) -> Paired {
    let mut noise = Uniform::new(study, 1);
    let mut first = Vec::new();
    for _ in 0..40 {
        let shared = noise.noise();
        first.extend((0..5).map(|_| shared + noise.noise()));
    }
    let zeros = vec![0.0; first.len()];
    paired(first, zeros)
}

/// Two hundred queries by themselves, right or wrong.
fn right_or_wrong(study: usize) -> Paired {
    let mut coins = Uniform::new(study, 2);
    let mut side = || {
        (0..200)
            .map(|_| f64::from(u8::from(coins.next() < 0.3)))
            .collect()
    };
    let (first, second) = (side(), side());
    paired(first, second)
}

/// Sixty queries by themselves, of any value, some far out.
fn apart(study: usize) -> Paired {
    let mut noise = Uniform::new(study, 3);
    let mut side = || (0..60).map(|_| noise.next().powi(3)).collect();
    let (first, second) = (side(), side());
    paired(first, second)
}

/// The share of studies in which `p` rejects.
fn rejected(
    study: impl Fn(usize) -> Paired,
    cluster_of: Option<&[u32]>,
    p: impl Fn(&Tests) -> Option<f64>,
) -> f64 {
    let is_rejected = |at: &usize| {
        let paired = study(*at);
        let tests = inference::tests(&[(&paired, Unit::Rank, cluster_of)], DRAWS).remove(0);
        p(&tests).is_some_and(|p| p <= LEVEL)
    };
    (0..STUDIES).filter(is_rejected).count() as f64 / STUDIES as f64
}

/// Whether a share of the studies is what chance leaves of an expected one: four standard errors.
fn is_near(share: f64, expected: f64) -> bool {
    let error = (expected * (1.0 - expected) / STUDIES as f64).sqrt();
    (share - expected).abs() < 4.0 * error
}

#[test]
fn tests_keep_their_level_under_three_nulls() {
    let images: Vec<u32> = (0..200).map(|query| query / 5).collect();
    let by_image = |p: fn(&Tests) -> Option<f64>| rejected(siblings, Some(&images), p);
    for p in [Tests::p, |of: &Tests| Some(of.student?.p)] {
        let share = by_image(p);
        assert!(is_near(share, LEVEL), "by image {share}");
    }
    // Captions of an image are no independent evidence: 5 % becomes a quarter.
    let share = rejected(siblings, None, Tests::p);
    assert!(share > 0.15, "by query {share}");
    let share = rejected(right_or_wrong, None, |of| of.mcnemar);
    assert!(is_near(share, LEVEL), "mid-p {share}");
    for p in [Tests::p, |of: &Tests| Some(of.student?.p)] {
        let share = rejected(apart, None, p);
        assert!(is_near(share, LEVEL), "apart {share}");
    }
}

/// Fifteen images, lopsided: quantiles of the resampled means themselves cover 89 %.
#[test]
fn intervals_of_few_clusters_cover_what_they_say() {
    let images: Vec<u32> = (0..75).map(|query| query / 5).collect();
    let covers = |study: &usize| {
        let mut noise = Uniform::new(*study, 5);
        let mut values = Vec::new();
        for _ in 0..15 {
            let shared = -noise.next().ln();
            values.extend((0..5).map(|_| shared + 0.3 * noise.noise()));
        }
        let draws = Draws {
            resamples: 999,
            ..DRAWS
        };
        let [low, high] = interval(&Groups::labelled(&values, &images), UNBOUNDED, draws).unwrap();
        low <= 1.0 && 1.0 <= high
    };
    let share = (0..STUDIES).filter(covers).count() as f64 / STUDIES as f64;
    assert!(is_near(share, 1.0 - LEVEL), "{share}");
}

/// The chance of each number of successes.
fn binomial(count: usize, chance: f64) -> Vec<f64> {
    let gamma = |n: usize| libm::lgamma(n as f64 + 1.0);
    let of = |hits: usize| {
        let ways = gamma(count) - gamma(hits) - gamma(count - hits);
        let [hits, misses] = [hits, count - hits].map(|n| n as f64);
        (ways + hits * chance.ln() + misses * (1.0 - chance).ln()).exp()
    };
    (0..=count).map(of).collect()
}

/// The exact coverage of intervals that depend on the number of successes alone.
fn coverage(count: usize, chance: f64, range: [f64; 2]) -> f64 {
    let covers = |(hits, of): (usize, &f64)| {
        // So improbable a count changes nothing.
        if *of < 1e-7 {
            return 0.0;
        }
        let values = (0..count).map(|at| f64::from(u8::from(at < hits)));
        let draws = Draws {
            resamples: 499,
            ..DRAWS
        };
        let [low, high] = interval(&Groups::single(values.collect()), range, draws).unwrap();
        if low <= chance && chance <= high {
            *of
        } else {
            0.0
        }
    };
    binomial(count, chance).iter().enumerate().map(covers).sum()
}

/// Shares near 1, where few queries fail, and differences of few queries: quantiles of Student's t cover 82 to 85 %.
#[test]
fn intervals_of_rare_events_cover_what_they_say() {
    for (count, chance) in [
        (20, 0.9),
        (100, 0.95),
        (100, 0.97),
        (400, 0.99),
        (1000, 0.995),
    ] {
        let share = coverage(count, chance, Unit::Share.range());
        assert!(share > 0.93, "{chance} of {count}: {share}");
    }
    for (count, chance) in [(100, 0.03), (300, 0.01), (1000, 0.003)] {
        let share = coverage(count, chance, Unit::Share.range_of_differences());
        assert!(share > 0.93, "{chance} of {count}: {share}");
    }
}

/// A model that is worse by exactly the margin, as it fails where the other does not in so many of the queries: Student's
/// t alone calls it not worse in 15 % of studies.
#[test]
fn margins_keep_their_level_where_few_differ() {
    let rejects = |count: usize, losses: usize, margin: f64| {
        let second = (0..count).map(|at| f64::from(u8::from(at < losses)));
        let of = paired(vec![0.0; count], second.collect());
        let found = inference::tests(&[(&of, Unit::Share, None)], DRAWS).remove(0);
        let studentised = found.studentised;
        studentised.is_some_and(|of| of.within(margin, Unit::Share).not_worse < LEVEL)
    };
    for (count, margin) in [(100, 0.03), (300, 0.01), (1000, 0.005)] {
        let all = binomial(count, margin).into_iter().enumerate();
        let rejected = all.filter(|(losses, of)| *of > 1e-7 && rejects(count, *losses, margin));
        let share: f64 = rejected.map(|(_, of)| of).sum();
        assert!(share < 0.06, "{margin} of {count}: {share}");
    }
}

/// Three runs of a model against two of another, sixty queries: by chance alone, and where runs differ as much as queries
/// make their means differ.
#[test]
fn intervals_of_runs_cover_what_they_say() {
    for apart in [0.0, 0.2] {
        let covers = |study: &usize| {
            let mut noise = Uniform::new(*study, 6);
            let mut of_run = |_| {
                let shift = apart * noise.noise();
                (0..60).map(|_| shift + noise.noise()).collect()
            };
            let runs: Vec<Vec<f64>> = (0..5).map(&mut of_run).collect();
            let (first, second) = runs.split_at(3);
            let mean = |of: &[Vec<f64>], at: usize| {
                of.iter().map(|run| run[at]).sum::<f64>() / of.len() as f64
            };
            let differences = (0..60).map(|at| mean(first, at) - mean(second, at));
            let difference = Groups::single(differences.collect());
            let [first, second] = [first, second].map(|runs| {
                let each = runs.iter().map(|run| Groups::single(run.clone()));
                each.collect::<Vec<Groups>>()
            });
            let found = hierarchical([&first, &second], (&difference, UNBOUNDED), DRAWS).unwrap();
            found.interval[0] <= 0.0 && 0.0 <= found.interval[1]
        };
        let share = (0..STUDIES).filter(covers).count() as f64 / STUDIES as f64;
        assert!((0.93..0.99).contains(&share), "{apart}: {share}");
    }
}
