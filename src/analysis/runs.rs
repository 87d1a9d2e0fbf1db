//! Models that were trained several times: their runs, one for each seed, as one model.
//!
//! Runs are named `ours@1`, `ours@2`, after the files `ours@1.npy`, `ours@2.npy`, or by `seeds` in
//! `study.toml`. A model of several runs has the mean of their values, query by query. Its interval
//! draws runs as well as images.

use super::bootstrap::{Draws, LEVEL, Studentised, quantile};
use super::groups::Groups;
use super::resample;
use super::ttest;
use crate::data::index::ModelIx;
use crate::data::scores::Model;
use crate::data::stream::{Stream, Use};

/// A model, as one run or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runs {
    /// The model's name, without that of the seed where there are several: `ours`, but `ours@1..ours@3` where another
    /// model is named `ours`.
    pub name: String,
    /// Indices of the runs in the study.
    pub models: Vec<ModelIx>,
}

/// The name of a run before `@`, where it has a seed: a number, as `ViT-L-14@336px` has none. The second model of the name
/// `ours@2` is `ours@2-2`.
pub(super) fn stem(name: &str) -> Option<&str> {
    let (stem, seed) = name.rsplit_once('@')?;
    let is_number = seed.starts_with(|first: char| first.is_ascii_digit())
        && seed.bytes().all(|one| one.is_ascii_digit() || one == b'-');
    (!stem.is_empty() && is_number).then_some(stem)
}

impl Runs {
    /// A model of the study as its only run, under its own name.
    pub fn one(models: &[Model], model: ModelIx) -> Self {
        Runs {
            name: models[model].name.clone(),
            models: vec![model],
        }
    }

    /// All models, runs of one brought together, in the order of their first run.
    pub fn of(models: &[Model]) -> Vec<Runs> {
        let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        Runs::of_names(&names)
    }

    /// The same by the names of the models.
    pub fn of_names(names: &[&str]) -> Vec<Runs> {
        let mut all: Vec<Runs> = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let same = |one: &&mut Runs| {
                let stem = stem(name);
                stem.is_some() && self::stem(names[one.models[0].get()]) == stem
            };
            match all.iter_mut().find(same) {
                Some(runs) => {
                    stem(name).unwrap_or(name).clone_into(&mut runs.name);
                    runs.models.push(ModelIx::new(at));
                }
                None => all.push(Runs {
                    name: (*name).to_owned(),
                    models: vec![ModelIx::new(at)],
                }),
            }
        }
        for runs in all.iter_mut().filter(|runs| runs.are_several()) {
            if names.contains(&runs.name.as_str()) {
                let end = |at: Option<&ModelIx>| at.map_or("", |at| names[at.get()]);
                runs.name = format!("{}..{}", end(runs.models.first()), end(runs.models.last()));
            }
        }
        all
    }

    /// Whether the model has two or more runs.
    pub fn are_several(&self) -> bool {
        self.models.len() > 1
    }
}

/// The mean over runs and how far they are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Mean of the runs' means.
    pub mean: f64,
    /// Standard deviation between runs (n - 1); `None` for one run.
    pub deviation: Option<f64>,
    /// Least and greatest mean of a run.
    pub extent: [f64; 2],
}

impl Spread {
    /// Of the means of the runs; `None` without any.
    pub fn of(means: &[f64]) -> Option<Self> {
        let count = means.len() as f64;
        let mean = means.iter().sum::<f64>() / count;
        let squares: f64 = means.iter().map(|one| (one - mean).powi(2)).sum();
        let end = |pick: fn(f64, f64) -> f64| means.iter().copied().reduce(pick);
        Some(Spread {
            mean,
            deviation: (means.len() > 1).then(|| (squares / (count - 1.0)).sqrt()),
            extent: [end(f64::min)?, end(f64::max)?],
        })
    }
}

/// Inference about models of several runs: images and runs are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Hierarchical {
    /// 95 % CI of the difference: that of [`Hierarchical::studentised`].
    pub interval: [f64; 2],
    /// The difference, with the error of images and of runs together, and the degrees of freedom of
    /// Satterthwaite. Where quantiles of the resamples reach further than Student's t, the error is as much greater: no
    /// interval and no p-value says more than they do.
    pub studentised: Studentised,
    /// Two-sided p-value of Student's t.
    pub p: f64,
}

/// The difference of two models, the values of each run in clusters that are drawn together. Each resample
/// draws images, and runs of either model; as so few runs vary too little when drawn with replacement,
/// their distances are widened by sqrt(n / (n - 1)). `mean` has the differences of the runs' means, `range` the least
/// and the greatest that there is. `None` where an error is not defined.
///
/// What chance does to one image of one run is part of both errors, so that the sum is rather too great than too small.
/// Distances of runs are those of all images, not of the resample: else that chance would count three times (Owen 2007).
///
/// Sources: Davison and Hinkley 1997, *Bootstrap methods and their application*, 3.8; Satterthwaite
/// 1946, doi:10.2307/3002019; Owen 2007, *The pigeonhole bootstrap*, doi:10.1214/07-AOAS122.
pub fn hierarchical(
    runs: [&[Groups]; 2],
    (mean, range): (&Groups, [f64; 2]),
    draws: Draws,
) -> Option<Hierarchical> {
    let difference = mean.mean()?;
    let means = |runs: &[Groups]| runs.iter().map(Groups::mean).collect::<Option<Vec<f64>>>();
    let means = [means(runs[0])?, means(runs[1])?];
    let mut parts = vec![(mean.error()?.powi(2), mean.df())];
    for means in &means {
        let deviation = Spread::of(means)?.deviation.unwrap_or(0.0);
        let count = means.len() as f64;
        parts.push((deviation.powi(2) / count, (count - 1.0).max(1.0)));
    }
    let variance: f64 = parts.iter().map(|(part, _)| part).sum();
    let df = variance.powi(2)
        / parts
            .iter()
            .map(|(part, df)| part.powi(2) / df)
            .sum::<f64>();
    let plain = Studentised::plain(difference, variance.sqrt(), df);
    let reach = |[low, high]: [f64; 2]| (difference - low).max(high - difference);
    // Few runs say little of how far others would be: never narrower than Student's t.
    let wider = reach(interval(&means, mean, draws)?) / reach(plain.interval(LEVEL).ends);
    let error = variance.sqrt() * wider.max(1.0);
    let studentised = Studentised::plain(difference, error, df).bounded_by(range, mean);
    Some(Hierarchical {
        interval: studentised.interval(LEVEL).ends,
        studentised,
        p: ttest::two_sided(difference / error, df),
    })
}

/// Quantiles of the resampled differences.
fn interval(means: &[Vec<f64>; 2], mean: &Groups, draws: Draws) -> Option<[f64; 2]> {
    let resampled = resample::means(&[mean], draws).pop()?;
    let of_draw = |(at, of_images): (usize, &f64)| {
        let mut stream = Stream::new(draws.seed, Use::Runs, at);
        let [first, second] = means.each_ref().map(|means| drawn(means, &mut stream));
        of_images + first - second
    };
    let mut found: Vec<f64> = resampled.iter().enumerate().map(of_draw).collect();
    found.sort_unstable_by(f64::total_cmp);
    (!found.is_empty()).then(|| [LEVEL / 2.0, 1.0 - LEVEL / 2.0].map(|at| quantile(&found, at)))
}

/// How far the mean of as many runs, drawn with replacement, is from that of all.
fn drawn(means: &[f64], stream: &mut Stream) -> f64 {
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let distance = |_| means[stream.index(means.len())] - mean;
    let sum: f64 = (0..means.len()).map(distance).sum();
    sum / count * (count / (count - 1.0).max(1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::{self, UNBOUNDED};
    use super::*;

    fn groups(values: &[f64]) -> Groups {
        Groups::single(values.to_vec())
    }

    #[test]
    fn runs_are_brought_together_by_name() {
        let all = Runs::of_names(&[
            "ours@1",
            "base",
            "ours@2",
            "@3",
            "base@",
            "vit@224px",
            "vit@336px",
        ]);
        let found = all.iter().map(|one| {
            let models: Vec<usize> = one.models.iter().map(|model| model.get()).collect();
            (one.name.as_str(), models)
        });
        let expected = [
            ("ours", vec![0, 2]),
            ("base", vec![1]),
            ("@3", vec![3]),
            ("base@", vec![4]),
            ("vit@224px", vec![5]),
            ("vit@336px", vec![6]),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn spread_is_that_of_the_means() {
        let spread = Spread::of(&[0.2, 0.4, 0.6]).unwrap();
        assert!((spread.mean - 0.4).abs() < 1e-12);
        assert!((spread.deviation.unwrap() - 0.2).abs() < 1e-12);
        assert!((spread.extent[0] - 0.2).abs() < 1e-12 && (spread.extent[1] - 0.6).abs() < 1e-12);
        assert_eq!(Spread::of(&[0.2]).unwrap().deviation, None);
        assert_eq!(Spread::of(&[]), None);
    }

    /// Runs that differ make a difference less sure, equal ones do not.
    #[test]
    fn runs_that_differ_widen_the_interval() {
        let noise = |at: i32, seed: i32| f64::from((at * 37 + seed * 11) % 101) / 101.0 - 0.5;
        let values = |shift: f64| (0..400).map(|at| shift + noise(at, 0)).collect::<Vec<_>>();
        let base = [groups(&vec![0.0; 400])];
        let of = |shifts: [f64; 3]| {
            let runs = shifts.map(|shift| groups(&values(shift)));
            let mean = groups(&values(0.1));
            hierarchical([&runs, &base], (&mean, UNBOUNDED), Draws::default()).unwrap()
        };
        let width = |of: &Hierarchical| of.interval[1] - of.interval[0];
        let (same, apart) = (of([0.1; 3]), of([0.0, 0.1, 0.2]));
        let plain = bootstrap::interval(&groups(&values(0.1)), UNBOUNDED, Draws::default());
        let [low, high] = plain.unwrap();
        assert!((width(&same) / (high - low) - 1.0).abs() < 0.05);
        assert!(width(&apart) > 2.0 * width(&same));
        // An interval that excludes zero where p is not small would contradict it.
        assert!(apart.interval[0] < 0.0, "{apart:?}");
        assert!(apart.p > 10.0 * same.p);
        // 0.1 over sqrt(error^2 + 0.1^2 / 3), about two degrees of freedom.
        assert!(apart.p > 0.1 && apart.p < 0.4, "{apart:?}");
    }

    /// Two runs far apart: Student's t with one degree of freedom reaches far beyond.
    #[test]
    fn no_interval_goes_beyond_what_a_difference_can_be() {
        let runs = [0.1, 0.9].map(|value| groups(&[value, value - 0.1, value + 0.1]));
        let base = [groups(&[0.2, 0.3, 0.1])];
        let mean = groups(&[0.3, 0.1, 0.5]);
        let of = |range| {
            let found = hierarchical([&runs, &base], (&mean, range), Draws::default()).unwrap();
            [found.interval, found.studentised.interval(LEVEL).ends]
        };
        assert_eq!(of([-1.0, 1.0]), [[-1.0, 1.0]; 2]);
        assert!(of(UNBOUNDED)[0][1] > 1.0);
    }

    /// Many clusters with a long tail: quantiles of the resamples reach further than Student's t on one side.
    #[test]
    fn the_interval_excludes_zero_exactly_where_p_is_small() {
        for (shift, seed) in
            (0..40).flat_map(|at| [(f64::from(at) / 100.0, 1), (f64::from(at) / 50.0, 2)])
        {
            let noise = |at: i32| f64::from((at * 37 + seed * 11) % 23 == 0) * 4.0;
            let of_run = |run: i32| {
                groups(
                    &(0..60)
                        .map(|at| shift - noise(at + run))
                        .collect::<Vec<_>>(),
                )
            };
            let runs = [of_run(0), of_run(1), of_run(2)];
            let base = [groups(&[0.0; 60])];
            let mean: Vec<f64> = (0..60)
                .map(|at| shift - (noise(at) + noise(at + 1) + noise(at + 2)) / 3.0)
                .collect();
            let of = hierarchical(
                [&runs, &base],
                (&groups(&mean), UNBOUNDED),
                Draws::default(),
            )
            .unwrap();
            let excludes = of.interval[0] > 0.0 || of.interval[1] < 0.0;
            assert_eq!(excludes, of.p < LEVEL, "{of:?}");
        }
    }
}
