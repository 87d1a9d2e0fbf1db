//! How sure a mean is: intervals by the bootstrap-t.
//!
//! Clusters are drawn with replacement, as many as there are, within each part. Of each resample the
//! distance of its mean from the mean is taken over its own standard error; quantiles of this ratio take
//! the place of Student's. Where clusters are few or lopsided this keeps its level, where quantiles of
//! the resampled means themselves do not.
//!
//! Sources: Efron 1979, doi:10.1214/aos/1176344552; Hall 1988, *Theoretical comparison of bootstrap
//! confidence intervals*, doi:10.1214/aos/1176350933; whole clusters as in Davison and Hinkley 1997,
//! *Bootstrap methods and their application*, 3.8.

use super::groups::Groups;
use super::resample;
use super::ttest;

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

/// The share of intervals that miss, where nothing else is said: they are 95 % CIs.
pub const LEVEL: f64 = 0.05;
/// So many resamples lie beyond a quantile that is told by them.
const LEAST_BEYOND: f64 = 10.0;
/// Where a greater share of the resamples does not vary, their ratios tell nothing.
const MOST_DEGENERATE: f64 = 0.001;
/// The share of the ratios that is kept at either end.
const TAIL: f64 = LEVEL / 2.0;

/// A mean, its standard error and what resamples make of their ratio.
#[derive(Debug, Clone, PartialEq)]
pub struct Studentised {
    /// The mean.
    pub mean: f64,
    /// Its standard error, robust to clusters.
    pub error: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// The least and the greatest mean that there is, which no interval goes beyond.
    range: [f64; 2],
    /// The least and the greatest ratios, ascending; nothing where resamples do not say.
    tails: Option<[Vec<f64>; 2]>,
    resamples: usize,
}

/// Where the width of an interval is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Quantiles of the resampled ratios.
    BootstrapT,
    /// Quantiles of Student's t: too few resamples lie beyond, or too few clusters differ.
    StudentT,
    /// Values that do not vary: [`constant`].
    Constant,
}

/// An interval of a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower and upper end.
    pub ends: [f64; 2],
    /// Where its width is from.
    pub width: Width,
}

/// Resamples means, those of equally many clusters by the same draws; `None` where a mean has no
/// standard error.
pub fn studentised(all: &[&Groups], draws: Draws) -> Vec<Option<Studentised>> {
    let ratios = resample::ratios(all, draws);
    let told = all.iter().zip(ratios).map(|(groups, ratios)| {
        Some(Studentised {
            mean: groups.mean()?,
            error: groups.error()?,
            df: groups.df(),
            range: UNBOUNDED,
            tails: tails(ratios),
            resamples: draws.resamples,
        })
    });
    told.collect()
}

/// The 95 % CI of a mean, of which there is no lesser and no greater one than `range` says; `None` for fewer than two
/// clusters. Where values do not vary it is [`constant`].
pub fn interval(groups: &Groups, range: [f64; 2], draws: Draws) -> Option<[f64; 2]> {
    let told = studentised(&[groups], draws).pop().flatten();
    let of_told = |told: Studentised| Some(told.bounded_by(range).interval(LEVEL).ends);
    told.map_or_else(|| constant(groups, range), of_told)
}

/// The range of a mean that can be any number.
pub const UNBOUNDED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// What of an interval lies in the range of what it is about: with few clusters an end may lie beyond.
pub fn bounded(ends: [f64; 2], [least, most]: [f64; 2]) -> [f64; 2] {
    ends.map(|end| end.clamp(least, most))
}

/// The 95 % CI of a mean that is the same in every cluster: others, of which none is among n clusters, are a share of
/// at most 1 - 0.025^(1/n), and may have any value in the range. Of values of 0 and 1 it is Clopper and Pearson's
/// interval (1934, doi:10.1093/biomet/26.4.404). `None` for fewer than two clusters, where their means vary, and where
/// the range has no end.
pub fn constant(groups: &Groups, range: [f64; 2]) -> Option<[f64; 2]> {
    let mean = groups.mean().filter(|_| groups.is_constant())?;
    let unseen = 1.0 - TAIL.powf(1.0 / groups.len() as f64);
    let ends = range.map(|end| mean + unseen * (end - mean));
    (groups.len() > 1 && ends.iter().all(|end| end.is_finite())).then_some(ends)
}

/// The ratios at either end; `None` where too many resamples do not vary.
fn tails(mut ratios: Vec<f64>) -> Option<[Vec<f64>; 2]> {
    let degenerate = ratios.iter().filter(|ratio| ratio.is_nan()).count();
    if ratios.is_empty() || degenerate as f64 > MOST_DEGENERATE * ratios.len() as f64 {
        return None;
    }
    ratios.retain(|ratio| !ratio.is_nan());
    ratios.sort_unstable_by(f64::total_cmp);
    let kept = (TAIL * ratios.len() as f64) as usize + 2;
    let kept = kept.min(ratios.len());
    let high = ratios.split_off(ratios.len() - kept);
    ratios.truncate(kept);
    // What both ends share, where there are few.
    let low = if ratios.len() < kept {
        high.clone()
    } else {
        ratios
    };
    Some([low, high])
}

impl Studentised {
    /// A mean and its error, without resamples.
    pub fn plain(mean: f64, error: f64, df: f64) -> Self {
        Studentised {
            mean,
            error,
            df,
            range: UNBOUNDED,
            tails: None,
            resamples: 0,
        }
    }

    /// The same of a mean that has a least and a greatest value: no interval goes beyond.
    #[must_use]
    pub fn bounded_by(self, range: [f64; 2]) -> Self {
        Studentised { range, ..self }
    }

    /// The interval that misses with this chance, at most [`LEVEL`]; half of it on either side.
    pub fn interval(&self, miss: f64) -> Interval {
        let beyond = miss / 2.0;
        let student = || {
            let t = ttest::upper_quantile(beyond, self.df);
            ([-t, t], Width::StudentT)
        };
        let of_resamples = |[low, high]: &[Vec<f64>; 2]| {
            let place = beyond * (self.resamples - 1) as f64;
            let ends = [
                from_end(low.iter(), place),
                from_end(high.iter().rev(), place),
            ];
            (ends, Width::BootstrapT)
        };
        let told = self.tails.as_ref();
        let told = told.filter(|_| beyond * self.resamples as f64 >= LEAST_BEYOND);
        let ([low, high], width) = told.map_or_else(student, of_resamples);
        let ends = [self.mean - high * self.error, self.mean - low * self.error];
        Interval {
            ends: bounded(ends, self.range),
            width,
        }
    }
}

/// The value below which a share of the sorted values lies, as `numpy.quantile` has it.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    from_end(sorted.iter(), share * (sorted.len() - 1) as f64)
}

/// The value at a place from one end, between two of them in proportion, as `numpy.quantile` has it.
fn from_end<'a>(mut values: impl Iterator<Item = &'a f64>, place: f64) -> f64 {
    let at = values.nth(place as usize).copied().unwrap_or(f64::NAN);
    let next = values.next().copied().unwrap_or(at);
    at + (next - at) * place.fract()
}

#[cfg(test)]
mod tests;
