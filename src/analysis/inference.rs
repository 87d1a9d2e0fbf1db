//! How sure the difference of two models is: interval, tests, effect.
//!
//! Inference is about queries: those of the study stand for others of their kind, and are drawn, or
//! change sign, by whole images where several share one. The gallery and the trained models are held
//! fixed, except where a model has several runs ([`super::runs`]).

use super::bootstrap::{self, Draws, Interval, LEVEL, Studentised, Width, studentised};
use super::groups::Groups;
use super::mcnemar;
use super::paired::Paired;
use super::randomisation::{self, Randomised};
use super::ttest::{self, Student};
use crate::metric::Unit;

/// What all tests of a difference say.
#[derive(Debug, Clone, PartialEq)]
pub struct Tests {
    /// Clusters that are drawn together: images, or queries by themselves.
    pub clusters: usize,
    /// The mean difference and its resamples; `None` below two clusters, and where differences do not
    /// vary.
    pub studentised: Option<Studentised>,
    /// 95 % CI of the mean difference, not corrected for several.
    pub interval: Option<Interval>,
    /// Paired randomisation.
    pub randomised: Option<Randomised>,
    /// Student's t, robust to clusters.
    pub student: Option<Student>,
    /// `McNemar`'s mid-p, where every value is 0 or 1 and every query is a cluster of its own.
    pub mcnemar: Option<f64>,
}

/// The test whose p-value decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decider {
    /// `McNemar`'s mid-p.
    McNemar,
    /// The randomisation test.
    Randomisation,
    /// Student's t: the randomisation's p is too near to the least that its draws can tell.
    Student,
}

impl Decider {
    /// The test's name in JSON and CSV, such as `mcnemar_mid_p`.
    pub fn key(self) -> &'static str {
        match self {
            Decider::McNemar => "mcnemar_mid_p",
            Decider::Randomisation => "randomisation",
            Decider::Student => "t",
        }
    }
}

/// With fewer extreme draws than that a sampled p-value says little more than that it is small; the
/// least of them cannot reach a corrected level in a large family.
pub const LEAST_EXTREME: usize = 10;

/// Which tests' p-values decide, in words: those that do, see [`Tests::decides`].
pub fn deciders(used: impl IntoIterator<Item = Decider>) -> String {
    let used: Vec<Decider> = used.into_iter().collect();
    let all = [
        (
            Decider::McNemar,
            "McNemar's mid-p (values of 0 and 1, each query a cluster)".to_owned(),
        ),
        (
            Decider::Randomisation,
            "paired randomisation of the mean".to_owned(),
        ),
        (
            Decider::Student,
            format!(
                "Student's t where fewer than {LEAST_EXTREME} draws of the paired randomisation are as extreme"
            ),
        ),
    ];
    let told = all
        .into_iter()
        .filter(|(decider, _)| used.contains(decider));
    told.map(|(_, words)| words)
        .collect::<Vec<_>>()
        .join(", else ")
}

impl Tests {
    /// The p-value that decides, and whose it is: `McNemar`'s where there is one; else that of the
    /// randomisation, unless fewer than [`LEAST_EXTREME`] of its draws are as extreme: then Student's.
    pub fn decides(&self) -> Option<(f64, Decider)> {
        let randomised = self.randomised.map(|test| (test.p, Decider::Randomisation));
        let is_sure = |test: &Randomised| test.is_exact || test.extreme >= LEAST_EXTREME;
        let mcnemar = self.mcnemar.map(|p| (p, Decider::McNemar));
        let student = self.student.map(|test| (test.p, Decider::Student));
        mcnemar
            .or(randomised.filter(|_| self.randomised.as_ref().is_some_and(is_sure)))
            .or(student)
            .or(randomised)
    }

    /// The test that decides.
    pub fn decider(&self) -> Option<Decider> {
        self.decides().map(|(_, decider)| decider)
    }

    /// What the interval was made with.
    pub fn width(&self) -> Option<Width> {
        Some(self.interval?.width)
    }

    /// The p-value of the test that decides, two-sided and not corrected; `None` where nothing was tested.
    pub fn p(&self) -> Option<f64> {
        self.decides().map(|(p, _)| p)
    }
}

/// The chance with which the least detectable difference is found.
const POWER: f64 = 0.8;

impl Studentised {
    /// The least difference in the mean that this many clusters, varying as they do, show at the 5 %
    /// level with a chance of 80 %; not corrected for several tests.
    ///
    /// Source: Bloom 1995, *Minimum detectable effects*, doi:10.1177/0193841X9501900504.
    pub fn detectable(&self) -> f64 {
        let [_, error, df] = self.students();
        let quantile = |chance| ttest::upper_quantile(chance, df);
        (quantile(LEVEL / 2.0) + quantile(1.0 - POWER)) * error
    }

    /// Whether the models are the same within a margin (two one-sided tests), and whether the first is
    /// not worse by the margin or more; the margin is in the metric's unit. Where few clusters differ, they have a win
    /// and a loss more, as intervals have: else a true difference of the margin is rejected in 11 to 15 % at 5 %.
    ///
    /// Source: Schuirmann 1987, doi:10.1007/BF01068419.
    pub fn within(&self, margin: f64, unit: Unit) -> Margin {
        let [mean, error, df] = self.students();
        let better = unit.better(mean);
        let above = |distance: f64| ttest::above(distance / error, df);
        let not_worse = above(better + margin);
        Margin {
            equivalent: not_worse.max(above(margin - better)),
            not_worse,
        }
    }
}

/// p-values of tests against a margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// Of equivalence: the greater of both one-sided tests'.
    pub equivalent: f64,
    /// Of non-inferiority of the first model.
    pub not_worse: f64,
}

/// A pair of models to test: their values, what these are, and the cluster of each query of the gallery; without it
/// each query is one.
pub type Asked<'a> = (&'a Paired, Unit, Option<&'a [u32]>);

/// Tests the mean difference of each pair of models, by the same draws.
pub fn tests(all: &[Asked<'_>], draws: Draws) -> Vec<Tests> {
    let groups = all.iter().map(|(paired, _, of)| paired.groups(*of));
    let groups: Vec<Groups> = groups.collect();
    let studentised = studentised(&groups.iter().collect::<Vec<_>>(), draws);
    let each = all.iter().zip(&groups).zip(studentised);
    let each = each.map(|((&(paired, unit, _), groups), studentised)| {
        let range = unit.range_of_differences();
        let studentised = studentised.map(|of| of.bounded_by(range, groups));
        let [wins, _, losses] = paired.counts(Unit::Share);
        let is_mcnemars = !groups.is_empty() && groups.are_single() && paired.is_binary();
        let undrawn = || {
            let ends = bootstrap::undrawn(groups, range);
            ends.map(|ends| Interval {
                ends,
                width: Width::Extended,
            })
        };
        Tests {
            clusters: groups.len(),
            interval: studentised
                .as_ref()
                .map(|of| of.interval(LEVEL))
                .or_else(undrawn),
            studentised,
            randomised: randomisation::test(groups, draws),
            student: ttest::test(groups),
            // In parts of different sizes queries count differently.
            mcnemar: (is_mcnemars && groups.ends().len() == 1)
                .then(|| mcnemar::mid_p(wins, losses)),
        }
    });
    each.collect()
}

/// How large a difference is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Effect {
    /// First less second, over the second; `None` where that is 0.
    pub relative: Option<f64>,
    /// The mean difference over the standard deviation of the differences, query by query (Cohen's d of
    /// paired values); `None` where they do not vary.
    ///
    /// Source: Cohen 1988, *Statistical power analysis for the behavioral sciences*, 2.3.5.
    pub standardised: Option<f64>,
    /// Queries that only the first has right over those that only the second has, of values of 0 and 1;
    /// infinite where the second has none, `None` where neither has any.
    ///
    /// Source: Agresti 2013, *Categorical data analysis*, 11.2.
    pub odds_ratio: Option<f64>,
}

impl Effect {
    /// The size of a difference.
    pub fn of(paired: &Paired) -> Self {
        let Some([first, second]) = paired.means() else {
            return Effect::default();
        };
        let each = Groups::single(paired.differences());
        let deviation = each.error().map(|error| error * (each.len() as f64).sqrt());
        let [wins, _, losses] = paired.counts(Unit::Share);
        let is_odds = paired.is_binary() && wins + losses > 0;
        Effect {
            relative: (second != 0.0).then(|| (first - second) / second),
            standardised: deviation.map(|deviation| (first - second) / deviation),
            odds_ratio: is_odds.then(|| wins as f64 / losses as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::per_query::Values;
    use super::*;

    fn paired(first: &[f64], second: &[f64]) -> Paired {
        let values = |values: &[f64]| Values {
            queries: (0..values.len() as u32).collect(),
            values: values.iter().copied().map(Some).collect(),
            ends: vec![values.len()],
            shortage: None,
        };
        Paired::of([&values(first), &values(second)])
    }

    fn tested(paired: &Paired, cluster_of: Option<&[u32]>) -> Tests {
        tests(&[(paired, Unit::Share, cluster_of)], Draws::default()).remove(0)
    }

    /// Two queries, one of them won: Student's t with one degree of freedom reaches far beyond.
    #[test]
    fn no_interval_goes_beyond_what_a_difference_can_be() {
        let of = paired(&[1.0, 0.4], &[0.0, 0.3]);
        let ends = |unit| {
            let tests = tests(&[(&of, unit, None)], Draws::default()).remove(0);
            let within = tests.studentised.unwrap().interval(LEVEL / 4.0).ends;
            (tests.interval.unwrap().ends, within)
        };
        let (plain, corrected) = ends(Unit::Share);
        assert!(
            plain[0] > -1.0 && plain[1].to_bits() == 1.0f64.to_bits(),
            "{plain:?}"
        );
        assert_eq!(
            corrected.map(f64::to_bits),
            [-1.0f64, 1.0].map(f64::to_bits)
        );
        let (plain, corrected) = ends(Unit::Rank);
        assert!(plain[1] > 1.0, "{plain:?}");
        assert!(corrected[1] > plain[1], "{corrected:?}");
    }

    #[test]
    fn mcnemar_decides_zeros_and_ones_unless_queries_are_drawn_together() {
        let of = paired(&[1.0, 0.0, 1.0], &[0.0, 0.0, 1.0]);
        let alone = tested(&of, None);
        assert_eq!(alone.decides(), Some((0.5, Decider::McNemar)));
        let together = tested(&of, Some(&[0, 0, 1]));
        assert_eq!((together.mcnemar, together.clusters), (None, 2));
        assert_eq!(together.decides(), Some((1.0, Decider::Randomisation)));
        let graded = paired(&[0.5, 0.0, 1.0], &[0.0, 0.0, 1.0]);
        assert_eq!(tested(&graded, None).mcnemar, None);
        let none = tested(&Paired::default(), None);
        assert_eq!((none.p(), none.interval), (None, None));
    }

    /// 684 rows at 5 %: the least p-value of 10,000 draws is 1.4 times what Holm asks for first.
    #[test]
    fn below_the_least_p_of_the_draws_students_decides() {
        let first: Vec<f64> = (0..400).map(|at| 0.2 + f64::from(at % 7) / 10.0).collect();
        let found = tested(&paired(&first, &vec![0.1; 400]), None);
        let randomised = found.randomised.unwrap();
        assert_eq!(randomised.extreme, 0);
        let (p, decider) = found.decides().unwrap();
        assert_eq!(decider, Decider::Student);
        assert!(p < 0.05 / 684.0 && p < randomised.p);
    }

    /// `statsmodels` 0.15, `DescrStatsW(d).ttost_mean(-0.5, 0.5)`; the sum of two quantiles by `scipy.stats.t.ppf`.
    #[test]
    fn margins_equal_the_reference() {
        let differences = [0.3, -0.1, 0.25, 0.4, -0.2];
        let found = tested(&paired(&differences, &[0.0; 5]), None);
        let of = found.studentised.unwrap();
        // With five values resamples are degenerate, and a win and a loss would be added.
        let of = Studentised::plain(of.mean, of.error, of.df);
        let margin = of.within(0.5, Unit::Share);
        assert!((margin.equivalent - 0.017452439075244224).abs() < 1e-12);
        assert!((margin.not_worse - 0.002955508466776113).abs() < 1e-12);
        let lower_is_better = of.within(0.5, Unit::Rank);
        assert!((lower_is_better.not_worse - margin.equivalent).abs() < 1e-12);
        // (t(0.975, 4) + t(0.8, 4)) standard errors, by `scipy.stats.t.ppf`.
        let expected = (2.7764451051977943 + 0.940964577184) * of.error;
        assert!((of.detectable() - expected).abs() < 1e-9);
    }

    #[test]
    fn effects_by_hand() {
        let of = Effect::of(&paired(&[1.0, 1.0, 1.0, 0.0], &[0.0, 0.0, 1.0, 1.0]));
        assert_eq!(of.relative, Some(0.5));
        assert_eq!(of.odds_ratio, Some(2.0));
        // Differences 1, 1, 0, -1: mean 0.25, standard deviation sqrt(11 / 12).
        let expected = 0.25 / (11.0f64 / 12.0).sqrt();
        assert!((of.standardised.unwrap() - expected).abs() < 1e-12);
        let only = Effect::of(&paired(&[1.0, 0.0], &[0.0, 0.0]));
        assert_eq!(
            (only.relative, only.odds_ratio),
            (None, Some(f64::INFINITY))
        );
        let same = Effect::of(&paired(&[0.5, 0.5], &[0.5, 0.5]));
        assert_eq!((same.standardised, same.odds_ratio), (None, None));
        assert_eq!(Effect::of(&Paired::default()), Effect::default());
    }
}
