//! Settings, resamples and intervals of correlation bootstraps.

use std::fmt;

use crate::data::stream::Stream;
use crate::data::text::grouped;

/// Number of resamples, and their random seed.
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
    /// As `10,000 resamples, seed 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resamples = grouped(self.resamples);
        write!(f, "{resamples} resamples, seed {}", self.seed)
    }
}

/// Share of resamples outside a 95 % interval, both tails together.
const OUTSIDE: f64 = 0.05;

/// How often each value is drawn in one bootstrap resample of groups. `labels`: group of each value, contiguous from 0.
///
/// Source: Davison and Hinkley 1997, *Bootstrap methods and their application*, 3.8, on groups.
pub(super) fn resample(labels: &[usize], mut stream: Stream) -> Vec<u32> {
    let groups = group_count(labels);
    let mut times = vec![0; groups];
    for _ in 0..groups {
        times[stream.index(groups)] += 1;
    }
    labels.iter().map(|&group| times[group]).collect()
}

/// Number of groups, given the group of each value, contiguous from 0.
pub(super) fn group_count(labels: &[usize]) -> usize {
    labels.iter().max().map_or(0, |last| last + 1)
}

/// Ends of the central 95 % of resampled values; `None` if empty.
pub(super) fn central_95(mut values: Vec<f64>) -> Option<[f64; 2]> {
    values.sort_unstable_by(f64::total_cmp);
    let ends = [OUTSIDE / 2.0, 1.0 - OUTSIDE / 2.0];
    (!values.is_empty()).then(|| ends.map(|share| quantile(&values, share)))
}

/// The quantile below which `share` (0 to 1) of ascending values lie, by linear interpolation, like `numpy.quantile`.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let index = share * (sorted.len() - 1) as f64;
    let [low, high] = [index.floor(), index.ceil()].map(|index| sorted[index as usize]);
    low + (high - low) * index.fract()
}
