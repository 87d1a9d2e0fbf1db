//! How alike metrics order models: Kendall's tau-b between each two metrics, over models.
//!
//! Source: Chun et al. 2022 (ECCV Caption), arXiv:2204.03359, table 5.

use super::kendall;
use super::published::Published;
use super::results::ModelValues;
use crate::error::{Error, Result};
use crate::metric::{METRICS, Unit};

/// Kendall's tau-b between each two metrics.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlation {
    /// Names of the models, in the order given.
    pub models: Vec<String>,
    /// Keys of the metrics.
    pub metrics: Vec<String>,
    /// A row for each metric.
    pub cells: Vec<Vec<Cell>>,
}

/// Two metrics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Tau-b; `None` where one of them has no two models apart.
    pub tau: Option<f64>,
    /// Models that have both values.
    pub models: usize,
}

/// Correlates metrics over models, those of `wanted`, or if it is empty all that two or more models
/// have: the published ones in the order of the paper's table, then others as they come.
///
/// # Errors
/// Fewer than two models, metrics that no model has, or nothing that two models have in common.
pub fn correlate(models: &[ModelValues], wanted: &[String]) -> Result<Correlation> {
    if models.len() < 2 {
        let plural = if models.len() == 1 { "" } else { "s" };
        let found = format!("{} model{plural} in all", models.len());
        return Err(Error::new("inputs", found)
            .expected("two models or more: correlation is over models")
            .mend("name results of more models, or add the published ones with --published"));
    }
    let metrics = chosen(models, wanted)?;
    let cell = |one: &String, other: &String| {
        let value = |model: &ModelValues| Some([model.average(one)?, model.average(other)?]);
        let both: Vec<[f64; 2]> = models.iter().filter_map(value).collect();
        let series = |at: usize, key| oriented(key, both.iter().map(|pair| pair[at]));
        Cell {
            tau: kendall::tau_b(&series(0, one), &series(1, other)),
            models: both.len(),
        }
    };
    let row = |one| metrics.iter().map(|other| cell(one, other)).collect();
    Ok(Correlation {
        models: models.iter().map(|model| model.name.clone()).collect(),
        cells: metrics.iter().map(row).collect(),
        metrics,
    })
}

/// The metrics to correlate.
fn chosen(models: &[ModelValues], wanted: &[String]) -> Result<Vec<String>> {
    let known = known(models);
    let unknown: Vec<&str> = wanted
        .iter()
        .filter(|key| !known.contains(key))
        .map(String::as_str)
        .collect();
    if !unknown.is_empty() {
        let found = format!("no model has {} in both directions", unknown.join(", "));
        return Err(Error::new("--metrics", found).expected(format!("of: {}", known.join(", "))));
    }
    if !wanted.is_empty() {
        return Ok(wanted.to_vec());
    }
    let shared = |key: &String| {
        models
            .iter()
            .filter(|model| model.average(key).is_some())
            .count()
            > 1
    };
    let shared: Vec<String> = known.into_iter().filter(shared).collect();
    if shared.is_empty() {
        return Err(Error::new("inputs", "no metric that two models have")
            .expected("models evaluated under the same truths, in both directions"));
    }
    Ok(shared)
}

/// Every key that some model has.
fn known(models: &[ModelValues]) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    let of_models = models.iter().flat_map(|model| &model.averages);
    for key in of_models.map(|(key, _)| key) {
        if !known.contains(key) {
            known.push(key.clone());
        }
    }
    let order = Published::bundled().metrics;
    let place = |key: &String| order.iter().position(|known| known == key);
    known.sort_by_key(|key| place(key).unwrap_or(order.len()));
    known
}

/// Values that are better when higher: ranks are turned round.
fn oriented(key: &str, values: impl Iterator<Item = f64>) -> Vec<f64> {
    let is_rank = METRICS
        .iter()
        .any(|metric| metric.unit() == Unit::Rank && key.ends_with(&format!("_{}", metric.key())));
    values
        .map(|value| if is_rank { -value } else { value })
        .collect()
}

#[cfg(test)]
mod tests;
