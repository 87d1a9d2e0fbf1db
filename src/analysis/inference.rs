//! Confidence intervals and p-values of means and of paired differences: Student's t over clusters.
//!
//! Inference is about the population that the queries are sampled from. The gallery and the trained models are fixed,
//! except for models with several runs ([`super::runs`]).
//!
//! With few clusters near the best or worst value, Student's t alone covers far less than 95 %. Therefore a best and a
//! worst cluster are added to a mean, and a win and a loss to a difference if few clusters differ.
//!
//! Sources: cluster-robust standard error: Liang and Zeger 1986, doi:10.1093/biomet/73.1.13. Added clusters: Agresti
//! and Caffo 2000, doi:10.1080/00031305.2000.10474560; Bonett and Price 2012, doi:10.3102/1076998611411915; whole
//! clusters and graded values are an extension, checked by simulation (`calibration`). Effective number of clusters:
//! Kish 1965, *Survey sampling*; as degrees of freedom Carter, Schnepel and Steigerwald 2017,
//! `doi:10.1162/REST_a_00639`. Runs: Satterthwaite 1946, doi:10.2307/3002019.

use super::clusters::Groups;
use super::runs::BetweenRuns;
use super::student::{two_sided, upper_quantile, upper_tail};
use crate::metric::{CLOSE, Unit};

/// Significance level; intervals are 95 % CIs.
pub const LEVEL: f64 = 0.05;
/// Method of intervals of means, for notes below tables.
pub const MEAN_METHOD: &str = "Student's t with a best and a worst cluster added";
/// Method of intervals and p-values of differences, for notes below tables.
pub const DIFFERENCE_METHOD: &str =
    "Student's t, with a win and a loss added where fewer than 10 clusters differ";
/// A win and a loss are added to a difference if fewer clusters than this differ.
pub(super) const MIN_DIFFERING: usize = 10;
/// Sums of squared residuals below this share of the values' own squares are rounding errors.
const ROUNDING: f64 = 1e-24;

/// A mean or mean difference for Student's t, including added clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean, with the added clusters.
    center: f64,
    /// Standard error.
    error: f64,
    /// Degrees of freedom.
    df: f64,
    /// Lowest and highest possible value, to which intervals are clamped.
    range: [f64; 2],
}

impl Estimate {
    /// A mean of values within `range`. A best and a worst cluster are added if the range is bounded. `None` below two
    /// clusters, and if nothing varies.
    pub fn of_mean(groups: &Groups, range: [f64; 2]) -> Option<Self> {
        let is_bounded = range.iter().all(|end| end.is_finite());
        let added = range.map(|end| groups.average_size() * end);
        Self::new(groups, is_bounded.then_some(added), range)
    }

    /// A mean difference of two models in a unit. `None` below two clusters, and if an unbounded metric has no
    /// differences.
    pub fn of_difference(groups: &Groups, unit: Unit) -> Option<Self> {
        let range = unit.range_of_differences();
        let distances = groups.sums.iter().map(|sum| sum.abs());
        let differing: Vec<f64> = distances.filter(|&distance| distance >= CLOSE).collect();
        let distance = match differing.len() {
            0 => range[1] * groups.average_size(),
            count => differing.iter().sum::<f64>() / count as f64,
        };
        let is_unmodified = differing.len() >= MIN_DIFFERING;
        let unmodified = is_unmodified.then(|| Self::new(groups, None, range)).flatten();
        let added = || Some([-distance, distance]).filter(|_| distance.is_finite());
        // Equal differences have no standard error.
        unmodified.or_else(|| Self::new(groups, Some(added()?), range))
    }

    /// From clusters of values, and the sums of two clusters to add (if any), each of average size. `range` has the
    /// lowest and the highest possible value. `None` below two clusters, and if nothing varies.
    fn new(groups: &Groups, added: Option<[f64; 2]>, range: [f64; 2]) -> Option<Self> {
        if groups.len() < 2 {
            return None;
        }
        let (mut sums, mut sizes) = (groups.sums.clone(), groups.sizes.clone());
        sums.extend(added.into_iter().flatten());
        sizes.resize(sums.len(), groups.average_size());
        let count: f64 = sizes.iter().sum();
        let center = sums.iter().sum::<f64>() / count;
        let residuals = sums.iter().zip(&sizes).map(|(sum, size)| sum - size * center);
        let squares: f64 = residuals.map(|residual| residual * residual).sum();
        let clusters = count * count / sizes.iter().map(|size| size * size).sum::<f64>();
        let varies = squares > ROUNDING * sums.iter().map(|sum| sum * sum).sum::<f64>();
        varies.then(|| Estimate {
            center,
            error: (clusters / (clusters - 1.0) * squares).sqrt() / count,
            df: clusters - 1.0,
            range,
        })
    }

    /// Adds the variance between training runs, with Satterthwaite's degrees of freedom.
    #[must_use]
    pub fn with_runs(self, between: BetweenRuns) -> Self {
        let within = self.error * self.error;
        let variance = within + between.variance;
        let parts = within.powi(2) / self.df + between.variance.powi(2) / between.df;
        Estimate { error: variance.sqrt(), df: variance.powi(2) / parts, ..self }
    }

    /// The 95 % CI, clamped to the valid range. It contains the mean.
    pub fn interval(self) -> [f64; 2] {
        let half = upper_quantile(LEVEL / 2.0, self.df) * self.error;
        let [lowest, highest] = self.range;
        [self.center - half, self.center + half].map(|end| end.clamp(lowest, highest))
    }

    /// Student's t of a test against zero.
    pub fn t(self) -> f64 {
        self.center / self.error
    }

    /// Degrees of freedom.
    pub fn df(self) -> f64 {
        self.df
    }

    /// Two-sided p-value against zero, not corrected: below 5 % if and only if the interval excludes zero.
    pub fn p(self) -> f64 {
        two_sided(self.t(), self.df)
    }

    /// p-values of two tests against a margin in the metric's unit: first of equivalence, the higher of two one-sided
    /// tests; then of non-inferiority of the first model.
    ///
    /// Source: Schuirmann 1987, doi:10.1007/BF01068419.
    pub fn margin_p_values(self, margin: f64, unit: Unit) -> [f64; 2] {
        let merit = unit.orient(self.center);
        let p_above = |distance: f64| upper_tail(distance / self.error, self.df);
        let not_worse = p_above(merit + margin);
        [not_worse.max(p_above(margin - merit)), not_worse]
    }
}

#[cfg(test)]
mod tests;
