//! Agreement of metrics: Kendall's tau-b between pairs of metrics, over models.
//!
//! Source: Chun et al. 2022 (ECCV Caption), arXiv:2204.03359, table 5.
//!
//! Models are a sample of possible models: intervals resample models, while queries and gallery are fixed. Models of
//! one family (variants of one method, or seeds) are similar, and count as one if resampled together.

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::association::Series;
use super::bootstrap::{self, Draws};
use super::published_models::published;
use super::results::ModelValues;
use crate::data::parallel;
use crate::data::stream::{Stream, Use};
use crate::error::{Error, Result};
use crate::metric::{CLOSE, METRICS};

/// Minimum models for tau-b.
pub const MIN_MODELS: usize = 3;
/// Minimum models, or families, for an interval.
const MIN_RESAMPLED: usize = 4;

/// Kendall's tau-b between pairs of metrics.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlation {
    /// Names of the models, in the order given.
    pub models: Vec<String>,
    /// Family of each model.
    pub families: Vec<String>,
    /// Keys of the metrics.
    pub metrics: Vec<String>,
    /// Agreement of every two metrics: a row and a column for each, in the order of `metrics`.
    pub cells: Vec<Vec<MetricAgreement>>,
    /// Keys of metrics that fewer than [`MIN_MODELS`] models have; empty if metrics were requested by name.
    pub left_out: Vec<String>,
}

/// Agreement of two metrics over models: Kendall's tau-b with intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricAgreement {
    /// Tau-b; `None` if a metric ties all models, and for two models, where it says only which is better.
    pub tau: Option<f64>,
    /// Models with both values.
    pub models: usize,
    /// 95 % percentile interval over these models; `None` for fewer than four, and if all resamples have the same
    /// tau-b, as with equal orders.
    pub interval: Option<[f64; 2]>,
    /// 95 % percentile interval with the models of each family resampled together; `None` for fewer than four families,
    /// and if all resamples have the same tau-b.
    pub by_family: Option<[f64; 2]>,
}

/// Two metrics over the models that have both.
struct MetricPair {
    /// Indices of the models.
    models: Vec<usize>,
    /// Values of each metric by model, higher is better.
    values: [Vec<f64>; 2],
}

/// Multiplicity of each model in each resample, with models resampled one by one, then whole families.
type Resamples = [Vec<Vec<u32>>; 2];

/// Correlates the `wanted` metrics, by key, over models. Without any, all metrics that at least [`MIN_MODELS`] models
/// have: published ones in the order of the paper's table, then others in order of appearance.
///
/// # Errors
/// Fewer than [`MIN_MODELS`] models, unknown metrics, or too few models per metric.
pub fn correlate(models: &[ModelValues], wanted: &[String], draws: Draws) -> Result<Correlation> {
    if models.len() < MIN_MODELS {
        let plural = if models.len() == 1 { "" } else { "s" };
        let found = format!("{} model{plural} in all", models.len());
        return Err(Error::new("inputs", found)
            .expected("three models or more: correlation is over models, and over two it says only which is better")
            .fix("name results of more models, or add the published ones with --published"));
    }
    let (metrics, left_out) = choose_metrics(models, wanted)?;
    let pairs: Vec<MetricPair> = (0..metrics.len())
        .flat_map(|one| (one..metrics.len()).map(move |other| [one, other]))
        .map(|pair| metric_pair(models, pair.map(|at| metrics[at].as_str())))
        .collect();
    let mut resamples: FxHashMap<&[usize], Resamples> = FxHashMap::default();
    for pair in &pairs {
        let draw = || draw_resamples(&pair.models, models, draws);
        resamples.entry(&pair.models).or_insert_with(draw);
    }
    let cells = parallel::map(&pairs, |pair| cell(pair, &resamples[pair.models.as_slice()]));
    Ok(Correlation {
        models: models.iter().map(|model| model.name.clone()).collect(),
        families: models.iter().map(|model| model.family().to_owned()).collect(),
        cells: full_matrix(&cells, metrics.len()),
        metrics,
        left_out,
    })
}

/// The symmetric matrix with this number of rows, given its upper triangle with diagonal, row by row.
fn full_matrix(upper: &[MetricAgreement], size: usize) -> Vec<Vec<MetricAgreement>> {
    let index = |one: usize, other: usize| one * size - one * (one + 1) / 2 + other;
    let cell = |row: usize, column: usize| upper[index(row.min(column), row.max(column))];
    let row = |row| (0..size).map(|column| cell(row, column)).collect();
    (0..size).map(row).collect()
}

/// Values of two metrics, given by key, over the models that have both.
fn metric_pair(models: &[ModelValues], keys: [&str; 2]) -> MetricPair {
    let value = |(at, model): (usize, &ModelValues)| {
        Some((at, [model.average(keys[0])?, model.average(keys[1])?]))
    };
    let found: Vec<(usize, [f64; 2])> = models.iter().enumerate().filter_map(value).collect();
    let series = |of: usize| orient_values(keys[of], found.iter().map(|(_, pair)| pair[of]));
    MetricPair { models: found.iter().map(|(at, _)| *at).collect(), values: [series(0), series(1)] }
}

/// Draws resamples of the models with these indices, by model and by family.
fn draw_resamples(indices: &[usize], models: &[ModelValues], draws: Draws) -> Resamples {
    let mut distinct = IndexSet::new();
    let family = |at: usize| (models[at].family.is_some(), models[at].family());
    let families: Vec<usize> =
        indices.iter().map(|&at| distinct.insert_full(family(at)).0).collect();
    let single: Vec<usize> = (0..indices.len()).collect();
    [resample(&single, Use::Models, draws), resample(&families, Use::Families, draws)]
}

/// Tau-b of two metrics, with its intervals.
fn cell(pair: &MetricPair, resamples: &Resamples) -> MetricAgreement {
    let [first, second] = &pair.values;
    let series = Series::new(first, second);
    let [interval, by_family] = resamples.each_ref().map(|of| interval(&series, of));
    let models = pair.models.len();
    let tau = (models >= MIN_MODELS).then(|| series.tau_b(&vec![1; models])).flatten();
    MetricAgreement { tau, models, interval, by_family }
}

/// How often each model is drawn in each resample of whole groups; `labels` has the group of each model. Empty for
/// fewer than [`MIN_RESAMPLED`] groups.
fn resample(labels: &[usize], usage: Use, draws: Draws) -> Vec<Vec<u32>> {
    let draw = |at| bootstrap::resample(labels, Stream::new(draws.seed, usage, at));
    let is_enough = bootstrap::group_count(labels) >= MIN_RESAMPLED;
    (0..draws.resamples).filter(|_| is_enough).map(draw).collect()
}

/// Percentile interval of tau-b (2.5 % to 97.5 %) over resamples in which it is defined. `None` if all are equal:
/// models in one order give tau-b 1 in every resample, which says nothing about other models.
fn interval(series: &Series, resamples: &[Vec<u32>]) -> Option<[f64; 2]> {
    let taus: Vec<f64> = resamples.iter().filter_map(|times| series.tau_b(times)).collect();
    let (low, high) =
        (taus.iter().copied().reduce(f64::min)?, taus.iter().copied().reduce(f64::max)?);
    (high - low > CLOSE).then(|| bootstrap::central_95(taus)).flatten()
}

/// Keys of the metrics to correlate, and of those excluded because fewer than [`MIN_MODELS`] models have them.
fn choose_metrics(models: &[ModelValues], wanted: &[String]) -> Result<(Vec<String>, Vec<String>)> {
    let known = known_metrics(models);
    let unknown: Vec<&str> =
        wanted.iter().filter(|key| !known.contains(key)).map(String::as_str).collect();
    if !unknown.is_empty() {
        let found = format!("no model has {} in both directions", unknown.join(", "));
        return Err(Error::new("--metrics", found).expected(format!("of: {}", known.join(", "))));
    }
    if !wanted.is_empty() {
        return Ok((wanted.to_vec(), Vec::new()));
    }
    let is_shared = |key: &String| {
        models.iter().filter(|model| model.average(key).is_some()).count() >= MIN_MODELS
    };
    let (shared, too_few): (Vec<String>, Vec<String>) = known.into_iter().partition(is_shared);
    if shared.is_empty() {
        return Err(Error::new("inputs", "no metric that three models have")
            .expected("models evaluated under the same ground truths, in both directions"));
    }
    Ok((shared, too_few))
}

/// Keys of all metrics of the models: published ones in the order of the paper's table, then others in order of
/// appearance.
fn known_metrics(models: &[ModelValues]) -> Vec<String> {
    let keys = models.iter().flat_map(|model| &model.averages).map(|(key, _)| key.clone());
    let mut known: Vec<String> = keys.collect::<IndexSet<_>>().into_iter().collect();
    let order = &published().metrics;
    let place = |key: &String| order.iter().position(|known| known == key);
    known.sort_by_key(|key| place(key).unwrap_or(order.len()));
    known
}

/// Values of a metric so that higher is better: those of metrics where lower is better, such as ranks, are negated.
fn orient_values(key: &str, values: impl Iterator<Item = f64>) -> Vec<f64> {
    let stem = key.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_suffix = |suffix: &str| key.ends_with(suffix) || stem.ends_with(suffix);
    let is_lower_better = METRICS.iter().any(|metric| {
        let name = format!("_{}", metric.key().trim_end_matches("_at_k"));
        metric.unit().is_lower_better() && (has_suffix(&name) || has_suffix(&format!("{name}_at_")))
    });
    values.map(|value| if is_lower_better { -value } else { value }).collect()
}

#[cfg(test)]
mod tests;
