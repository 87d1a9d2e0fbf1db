//! Correlation of metrics over models, and ranks among published models.

use serde_json::json;

use super::Cell;
use super::Report;
use super::list::{List, Section};
use crate::analysis::bootstrap::Draws;
use crate::analysis::correlate::{Correlation, MIN_MODELS};
use crate::analysis::published_models::{Published, PublishedRank};
use crate::analysis::results::ModelValues;
use crate::metric::Unit;
use crate::metric::rsum::Sum;

/// The result of `correlate`.
#[derive(Debug)]
pub struct CorrelationReport<'a> {
    /// The matrix of correlations.
    pub correlation: &'a Correlation,
    /// The loaded models, to be ranked among the published ones.
    pub models: &'a [ModelValues],
    /// The published models, if they are included.
    pub published: Option<&'a Published>,
    /// Number of resamples and seed of the intervals.
    pub draws: Draws,
}

impl CorrelationReport<'_> {
    /// The matrix of correlations, the intervals of its cells, and the ranks among published models.
    pub fn report(&self) -> Report<'_> {
        let mut sections = vec![self.matrix(), self.pairs()];
        sections.extend(self.published.map(|published| self.published_ranks(published)));
        let report = Report { notes: self.notes(), ..Report::from_sections(sections) };
        let Correlation { models, families, left_out, .. } = self.correlation;
        report.with_facts(json!({
            "models": models,
            "families": families,
            "left_out": left_out,
            "resamples": self.draws.resamples,
            "seed": self.draws.seed,
            "published": self.published.map(|published| &published.source),
            "published_families": self.published.map(|published| &published.families),
        }))
    }

    /// The correlations of metrics: a row for each metric, and a column for each, headed by the number of its row.
    fn matrix(&self) -> Section {
        let Correlation { metrics, cells, models, .. } = self.correlation;
        let title = format!(
            "Kendall's tau-b between metrics over {} models, averages of both directions",
            models.len()
        );
        let mut list = List::new("", title, (1..).zip(metrics.iter().zip(cells)))
            .display("metric", |(number, (key, _))| format!("{number:>2} {key}"));
        for at in 0..metrics.len() {
            list =
                list.display((at + 1).to_string(), move |(_, (_, row))| two_decimals(row[at].tau));
        }
        list.section()
    }

    /// A row for each two metrics that enough models have: their correlation with its intervals.
    fn pairs(&self) -> Section {
        let Correlation { metrics, cells, .. } = self.correlation;
        let pairs = metrics.iter().enumerate().flat_map(|(at, one)| {
            metrics.iter().zip(&cells[at]).skip(at + 1).map(move |(other, cell)| (one, other, cell))
        });
        let end = |end| two_decimals(Some(end));
        List::new("pairs", "95 % CI of tau-b", pairs.filter(|(.., cell)| cell.models >= MIN_MODELS))
            .column("metric", "metric", |(one, ..)| *one)
            .column("other", "and", |(_, other, _)| *other)
            .column("tau_b", "tau-b", |(.., cell)| two_decimals(cell.tau))
            .interval(["low", "high"], "over models", |(.., cell)| cell.interval, end)
            .interval(
                ["low_by_family", "high_by_family"],
                "by family",
                |(.., cell)| cell.by_family,
                end,
            )
            .column("models", "models", |(.., cell)| cell.models)
            .section()
    }

    /// The rank of each loaded model among the published ones, by each metric.
    fn published_ranks(&self, published: &Published) -> Section {
        let records = self.models.iter().flat_map(|model| {
            let ranks = ranks_of_model(published, model).into_iter();
            ranks.map(move |(key, average, rank)| (&model.name, key, average, rank))
        });
        let title = format!("places with the {} published models", published.models.len());
        List::new("places", title, records)
            .column("model", "model", |(model, ..)| *model)
            .column("metric", "metric", |(_, key, ..)| *key)
            .column("average", "average", |(_, key, average, _)| {
                let is_sum = Sum::ALL.iter().any(|sum| key.ends_with(sum.key()));
                Cell::Value(*average, if is_sum { Unit::Sum } else { Unit::Share })
            })
            .display("place", |(.., PublishedRank { rank, ties, of })| {
                let tied = if *ties > 0 { format!(", tied with {ties}") } else { String::new() };
                format!("{rank} of {}{tied}", of + 1)
            })
            .data("place", |(.., rank)| rank.rank)
            .data("ties", |(.., rank)| rank.ties)
            .data("published", |(.., rank)| rank.of)
            .section()
    }

    /// Notes on the intervals, excluded metrics and published models.
    fn notes(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "over models: percentile bootstrap over models ({}), queries and gallery held fixed; none for fewer than four \
                 models, or where every resample has the same tau-b",
                self.draws
            ),
            "by family: models of one family are resampled together; NAME@SEED is of the family NAME".to_owned(),
        ];
        let left_out = self.correlation.left_out.join(", ");
        if !left_out.is_empty() {
            lines.push(format!(
                "excluded, since fewer than {MIN_MODELS} models have them: {left_out}"
            ));
        }
        if let Some(published) = self.published {
            lines.push(format!("families of the published models: {}", published.families));
            let is_ranked = |model: &ModelValues| !ranks_of_model(published, model).is_empty();
            if !self.models.is_empty() && !self.models.iter().any(is_ranked) {
                lines.push(format!(
                    "your models and the published ones share no metric, so none has a place among them; published: {}",
                    published.metrics.join(", ")
                ));
            }
        }
        lines
    }
}

/// A number with two decimals, or undefined.
fn two_decimals(value: Option<f64>) -> Cell {
    value.map(|value| Cell::Number(value, 2)).into()
}

/// The metrics of a model that were published too: key, value, and rank among the published models.
fn ranks_of_model<'a>(
    published: &'a Published,
    model: &ModelValues,
) -> Vec<(&'a String, f64, PublishedRank)> {
    let rank = |key: &'a String| {
        let value = model.average(key)?;
        Some((key, value, published.rank(key, None, value)?))
    };
    published.metrics.iter().filter_map(rank).collect()
}
