//! Several training runs of a model, one per seed, combined into one model.
//!
//! Runs are named `ours@1`, `ours@2`, after the files `ours@1.npy`, `ours@2.npy`, or by `seeds` in `study.toml`. A
//! model with several runs has the mean of their values, by query.

use crate::data::index::ModelIx;
use crate::data::scores::Model;

/// A model with one or more runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runs {
    /// Model name, without seeds if there are several: `ours`, but `ours@1..ours@3` if another model is named `ours`.
    pub name: String,
    /// Indices of the runs in the study.
    pub models: Vec<ModelIx>,
}

/// Part of a run's name before `@SEED`; `None` without a seed, as for `ViT-L-14@336px`. A seed has digits and hyphens:
/// a second model named `ours@2` becomes `ours@2-2`.
pub(super) fn stem(name: &str) -> Option<&str> {
    let (stem, seed) = name.rsplit_once('@')?;
    let is_number = seed.starts_with(|first: char| first.is_ascii_digit())
        && seed.bytes().all(|one| one.is_ascii_digit() || one == b'-');
    (!stem.is_empty() && is_number).then_some(stem)
}

impl Runs {
    /// One model of the study by itself, under its own name, even if it is one of several runs.
    pub fn single(models: &[Model], model: ModelIx) -> Self {
        Runs { name: models[model].name.clone(), models: vec![model] }
    }

    /// All models, runs combined, in the order of their first run.
    pub fn from_models(models: &[Model]) -> Vec<Runs> {
        let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        Runs::from_names(&names)
    }

    /// All models by their names, in index order, runs combined as in [`Runs::from_models`].
    pub fn from_names(names: &[&str]) -> Vec<Runs> {
        let mut all: Vec<Runs> = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let has_stem = |one: &&mut Runs| {
                let stem = stem(name);
                stem.is_some() && self::stem(names[one.models[0].get()]) == stem
            };
            match all.iter_mut().find(has_stem) {
                Some(runs) => {
                    stem(name).unwrap_or(name).clone_into(&mut runs.name);
                    runs.models.push(ModelIx::new(at));
                }
                None => all.push(Runs { name: (*name).to_owned(), models: vec![ModelIx::new(at)] }),
            }
        }
        for runs in all.iter_mut().filter(|runs| runs.has_several()) {
            if names.contains(&runs.name.as_str()) {
                let end = |at: Option<&ModelIx>| at.map_or("", |at| names[at.get()]);
                runs.name = format!("{}..{}", end(runs.models.first()), end(runs.models.last()));
            }
        }
        all
    }

    /// Whether the model has two or more runs.
    pub fn has_several(&self) -> bool {
        self.models.len() > 1
    }
}

/// Mean, standard deviation and extremes over the training runs of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Mean of the runs' means.
    pub mean: f64,
    /// Standard deviation between runs (n - 1); `None` for one run.
    pub deviation: Option<f64>,
    /// Lowest and highest mean of a run.
    pub extent: [f64; 2],
}

impl Spread {
    /// From the means of the runs; `None` if empty.
    pub fn from_means(means: &[f64]) -> Option<Self> {
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

/// Variance that training runs add to a difference of two models.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetweenRuns {
    /// Variance of the difference.
    pub variance: f64,
    /// Degrees of freedom of the variance.
    pub df: f64,
}

impl BetweenRuns {
    /// From the run means of both models, pooled: a model with a single run is assumed to vary like the other. `None`
    /// if both have one run.
    pub fn from_means(means: [&[f64]; 2]) -> Option<Self> {
        let counts = means.map(|means| means.len() as f64);
        let squares = |means: &[f64]| {
            let mean = means.iter().sum::<f64>() / means.len() as f64;
            means.iter().map(|one| (one - mean).powi(2)).sum::<f64>()
        };
        let df = counts[0] + counts[1] - 2.0;
        let variance = means.map(squares).iter().sum::<f64>() / df;
        (df > 0.0)
            .then(|| BetweenRuns { variance: variance * (1.0 / counts[0] + 1.0 / counts[1]), df })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_combined_by_name() {
        let all = Runs::from_names(&[
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
        let spread = Spread::from_means(&[0.2, 0.4, 0.6]).unwrap();
        assert!((spread.mean - 0.4).abs() < 1e-12);
        assert!((spread.deviation.unwrap() - 0.2).abs() < 1e-12);
        assert!((spread.extent[0] - 0.2).abs() < 1e-12 && (spread.extent[1] - 0.6).abs() < 1e-12);
        assert_eq!(Spread::from_means(&[0.2]).unwrap().deviation, None);
        assert_eq!(Spread::from_means(&[]), None);
    }

    /// Squares (0.04 + 0 + 0.04) + (0.01 + 0.01) over 3 degrees of freedom, times 1/3 + 1/2.
    #[test]
    fn runs_of_both_models_are_pooled() {
        let found = BetweenRuns::from_means([&[0.2, 0.4, 0.6], &[0.1, 0.3]]).unwrap();
        assert!((found.variance - 0.1 / 3.0 * (1.0 / 3.0 + 1.0 / 2.0)).abs() < 1e-12);
        assert!((found.df - 3.0).abs() < 1e-12);
        let beside_one = BetweenRuns::from_means([&[0.2, 0.4, 0.6], &[0.1]]).unwrap();
        assert!((beside_one.variance - 0.04 * (1.0 / 3.0 + 1.0)).abs() < 1e-12);
        assert_eq!(BetweenRuns::from_means([&[0.2], &[0.1]]), None);
    }
}
