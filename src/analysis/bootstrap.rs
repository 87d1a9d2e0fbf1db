//! How sure a mean is: intervals by the bootstrap-t.
//!
//! Clusters are drawn with replacement, as many as there are, within each part. Of each resample the
//! distance of its mean from the mean is taken over its own standard error; quantiles of this ratio take
//! the place of Student's. Where clusters are few or lopsided this keeps its level, where quantiles of
//! the resampled means themselves do not.
//!
//! Where so few clusters differ from the others that resamples often have none of them, neither these nor
//! Student's t keep their level. Shares then have the interval of [`shares`]; for differences
//! a win and a loss are added, as Bonett and Price do (2012, doi:10.3102/1076998611411915).
//!
//! Sources: Efron 1979, doi:10.1214/aos/1176344552; Hall 1988, *Theoretical comparison of bootstrap
//! confidence intervals*, doi:10.1214/aos/1176350933; whole clusters as in Davison and Hinkley 1997,
//! *Bootstrap methods and their application*, 3.8.

use std::fmt;

use super::groups::Groups;
use super::resample;
use super::shares;
use super::ttest;
use crate::data::text::grouped;
use crate::metric::Unit;

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

impl fmt::Display for Draws {
    /// Such as `10,000 resamples, seed 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} resamples, seed {}",
            grouped(self.resamples),
            self.seed
        )
    }
}

impl Draws {
    /// How 95 % CIs of differences come of them, in words: by the methods that these were made with.
    pub fn of_differences(self, made_with: impl IntoIterator<Item = Width>) -> String {
        let used: Vec<Width> = made_with.into_iter().collect();
        // How many there are is told once.
        let drawn = if used.contains(&Width::BootstrapT) {
            String::new()
        } else {
            format!(" ({self})")
        };
        let all = [
            (Width::BootstrapT, format!("bootstrap-t, {self}")),
            (
                Width::StudentT,
                format!("Student's t where fewer than ten resamples lie beyond an end{drawn}"),
            ),
            (
                Width::Extended,
                "where few differ, and resamples often have none of them, Student's t with a win and a loss added (Bonett and \
                 Price 2012)"
                    .to_owned(),
            ),
        ];
        let told = all.into_iter().filter(|(width, _)| used.contains(width));
        told.map(|(_, words)| words).collect::<Vec<_>>().join("; ")
    }
}

/// The share of intervals that miss, where nothing else is said: they are 95 % CIs.
pub const LEVEL: f64 = 0.05;
/// So many resamples lie beyond a quantile that is told by them.
const LEAST_BEYOND: f64 = 10.0;
/// Where a greater share of the resamples does not vary, their ratios tell nothing.
const MOST_DEGENERATE: f64 = 0.001;
/// With fewer clusters that are not zero, among more that are, the interval of differences is extended.
const LEAST_DIFFERING: usize = 20;
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
    /// What takes the place of mean, error and degrees of freedom where few clusters differ.
    extended: Option<[f64; 3]>,
    resamples: usize,
}

/// Where the width of an interval is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Quantiles of the resampled ratios.
    BootstrapT,
    /// Quantiles of Student's t: too few resamples lie beyond.
    StudentT,
    /// The same with a win and a loss added: too few clusters differ.
    Extended,
}

impl Width {
    /// Every method.
    pub const ALL: [Width; 3] = [Width::BootstrapT, Width::StudentT, Width::Extended];
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
            extended: None,
            resamples: draws.resamples,
        })
    });
    told.collect()
}

/// The 95 % CI of a mean, of which there is no lesser and no greater one than `range` says; `None` for fewer than two
/// clusters that are no shares.
pub fn interval(groups: &Groups, range: [f64; 2], draws: Draws) -> Option<[f64; 2]> {
    intervals(&[(groups, range)], draws).remove(0)
}

/// The same of several means, those of equally many clusters by the same draws.
pub fn intervals(all: &[(&Groups, [f64; 2])], draws: Draws) -> Vec<Option<[f64; 2]>> {
    let is_drawn = |&&(groups, range): &&(&Groups, [f64; 2])| !is_share(groups, range);
    let drawn: Vec<&Groups> = all
        .iter()
        .filter(is_drawn)
        .map(|(groups, _)| *groups)
        .collect();
    let mut told = studentised(&drawn, draws).into_iter();
    let of = |one: &(&Groups, [f64; 2])| {
        let (groups, range) = *one;
        let drawn = is_drawn(&one).then(|| told.next()?);
        match drawn.flatten() {
            Some(of) if of.tails.is_none() && is_of_shares(range) => shares::interval(groups),
            Some(of) => Some(of.bounded_by(range, groups).interval(LEVEL).ends),
            None => undrawn(groups, range),
        }
    };
    all.iter().map(of).collect()
}

/// Whether a mean is that of values of 0 and 1, which could all be 0 and all be 1.
fn is_share(groups: &Groups, range: [f64; 2]) -> bool {
    groups.are_binary() && is_of_shares(range)
}

fn is_of_shares(range: [f64; 2]) -> bool {
    range.map(f64::to_bits) == Unit::Share.range().map(f64::to_bits)
}

/// The 95 % CI that takes no resamples: of a share, and of values that do not vary; `None` for fewer than two clusters
/// that are no share, and where the range has no end.
pub fn undrawn(groups: &Groups, range: [f64; 2]) -> Option<[f64; 2]> {
    if is_share(groups, range) {
        return shares::interval(groups);
    }
    match extended(groups, range).filter(|_| groups.len() > 1) {
        Some([mean, error, df]) => {
            let plain = Studentised::plain(mean, error, df);
            Some(Studentised { range, ..plain }.interval(LEVEL).ends)
        }
        None => constant(groups, range),
    }
}

/// Mean, error and degrees of freedom of differences with a win and a loss added; `None` for what is no difference: its
/// range is not about zero.
fn extended(groups: &Groups, range: [f64; 2]) -> Option<[f64; 3]> {
    let [least, most] = range;
    let are_differences = most.is_finite() && (least + most).abs() < f64::EPSILON;
    let groups = groups.with_two_more(most).filter(|_| are_differences)?;
    Some([groups.mean()?, groups.error()?, groups.df()])
}

/// The 95 % CI of a mean that is the same in every cluster, whatever its values: others, of which none is among n
/// clusters, are a share of at most 1 - 0.025^(1/n) (Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404), and may
/// have any value in the range. `None` for fewer than two clusters, where their means vary, and where the range has no
/// end.
fn constant(groups: &Groups, range: [f64; 2]) -> Option<[f64; 2]> {
    let mean = groups.mean().filter(|_| groups.is_constant())?;
    let unseen = 1.0 - TAIL.powf(1.0 / groups.len() as f64);
    let ends = range.map(|end| mean + unseen * (end - mean));
    (groups.len() > 1 && ends.iter().all(|end| end.is_finite())).then_some(ends)
}

/// The range of a mean that can be any number.
pub const UNBOUNDED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// What of an interval lies in the range of what it is about: with few clusters an end may lie beyond.
pub fn bounded(ends: [f64; 2], [least, most]: [f64; 2]) -> [f64; 2] {
    ends.map(|end| end.clamp(least, most))
}

/// Whether so few clusters differ, among others that do not, that resamples tell too little of how rare they are.
fn few_differ(groups: &Groups) -> bool {
    let differing = groups.differing();
    differing < LEAST_DIFFERING && 2 * differing < groups.len()
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
            extended: None,
            resamples: 0,
        }
    }

    /// The same of a mean that has a least and a greatest value: no interval goes beyond. Of differences that are told
    /// by resamples, and few of which are not zero, a win and a loss more are taken into account.
    #[must_use]
    pub fn bounded_by(self, range: [f64; 2], groups: &Groups) -> Self {
        let is_rare = self.tails.is_none() || few_differ(groups);
        let extended = (is_rare && self.resamples > 0)
            .then(|| extended(groups, range))
            .flatten();
        Studentised {
            range,
            tails: self.tails.filter(|_| extended.is_none()),
            extended,
            ..self
        }
    }

    /// Mean, standard error and degrees of freedom that Student's t is about: where few clusters differ, with a win and
    /// a loss added.
    pub fn students(&self) -> [f64; 3] {
        self.extended.unwrap_or([self.mean, self.error, self.df])
    }

    /// The interval that misses with this chance, at most [`LEVEL`]; half of it on either side.
    pub fn interval(&self, miss: f64) -> Interval {
        let beyond = miss / 2.0;
        let [mean, error, df] = self.students();
        let student = || {
            let t = ttest::upper_quantile(beyond, df);
            let is_plain = self.extended.is_none();
            let width = if is_plain {
                Width::StudentT
            } else {
                Width::Extended
            };
            ([-t, t], width)
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
        let ends = [mean - high * error, mean - low * error];
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
