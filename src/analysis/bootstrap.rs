//! Settings and quantiles that bootstraps of correlations share.

use std::fmt;

use crate::data::text::grouped;

/// How many resamples to draw, and their random seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draws {
    /// Number of resamples.
    pub resamples: usize,
    /// The random seed.
    pub seed: u64,
}

impl Default for Draws {
    fn default() -> Self {
        Draws { resamples: 10_000, seed: 0 }
    }
}

impl fmt::Display for Draws {
    /// Such as `10,000 resamples, seed 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resamples = grouped(self.resamples);
        write!(f, "{resamples} resamples, seed {}", self.seed)
    }
}

/// The quantile of sorted values by linear interpolation, as `numpy.quantile` computes it.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let at = |place: f64| sorted[place as usize];
    at(place.floor()) + (at(place.ceil()) - at(place.floor())) * place.fract()
}
