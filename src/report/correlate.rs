//! Correlation of metrics over models.

use serde_json::json;

use super::cell::{self, row};
use super::list::{List, Section};
use super::{Report, Table, heat};
use crate::analysis::bootstrap::Draws;
use crate::analysis::correlate::{Cell, Correlation, LEAST};
use crate::analysis::published::{Published, PublishedRank};
use crate::analysis::results::ModelValues;
use crate::metric::rsum::Sum;

/// What was correlated, and what else is told.
#[derive(Debug)]
pub struct Correlated<'a> {
    /// The matrix.
    pub correlation: &'a Correlation,
    /// The models of the files, whose places among the published ones are told.
    pub models: &'a [ModelValues],
    /// The published ones, where they are among the models.
    pub published: Option<&'a Published>,
    /// What intervals are drawn from.
    pub draws: Draws,
    /// Whether the heat map may be coloured.
    pub is_coloured: bool,
}

impl Correlated<'_> {
    /// The matrix, the intervals of its cells, and the places among published models.
    pub fn report(&self) -> Report<'_> {
        let mut sections = vec![self.pairs()];
        sections.extend(self.published.map(|published| self.places(published)));
        let mut report = Report { notes: self.notes(), ..Report::of(sections) };
        report.tables.insert(0, self.matrix());
        let Correlation { models, families, left_out, .. } = self.correlation;
        report.with_facts(json!({
            "models": models,
            "families": families,
            "left_out": left_out,
            "resamples": self.draws.resamples,
            "seed": self.draws.seed,
            "published": self.published.map(|of| &of.source),
            "published_families": self.published.map(|of| &of.families),
        }))
    }

    fn title(&self) -> String {
        let count = self.correlation.models.len();
        format!("Kendall's tau-b between metrics over {count} models, averages of both directions")
    }

    /// The matrix; a heat map on a terminal.
    fn matrix(&self) -> Table<'_> {
        let Correlation { metrics, cells, .. } = self.correlation;
        let row = |(key, row): (&String, &Vec<Cell>)| {
            let mut cells = row![key];
            cells.extend(row.iter().map(|cell| two(cell.tau)));
            cells
        };
        let head = std::iter::once("metric").chain(metrics.iter().map(String::as_str));
        let rows = metrics.iter().zip(cells).map(row);
        Table { drawn: Some(self.drawn()), ..Table::new(self.title(), head, 1, rows) }
    }

    /// A heat map: metrics by number at the top, by number and key at the left.
    fn drawn(&self) -> String {
        let Correlation { metrics, cells, .. } = self.correlation;
        let longest = metrics.iter().map(|key| key.chars().count()).max().unwrap_or(0);
        let digits = metrics.len().to_string().len();
        let numbers = (1..=metrics.len()).map(|number| format!(" {number:>5} "));
        let numbers: Vec<String> = numbers.collect();
        let mut out = format!(
            "{}\n\n{:indent$}{}\n",
            self.title(),
            "",
            numbers.concat().trim_end(),
            indent = digits + longest + 2
        );
        for (at, (key, row)) in metrics.iter().zip(cells).enumerate() {
            let values: Vec<Option<f64>> = row.iter().map(|cell| cell.tau).collect();
            let values = heat::row(&values, self.is_coloured);
            let line = format!("{:>digits$} {key:<longest$} {values}", at + 1);
            out += line.trim_end();
            out.push('\n');
        }
        out
    }

    /// Each two metrics that enough models have.
    fn pairs(&self) -> Section {
        let Correlation { metrics, cells, .. } = self.correlation;
        let pairs = metrics.iter().enumerate().flat_map(|(at, one)| {
            let others = metrics.iter().zip(&cells[at]).skip(at + 1);
            others.map(move |(other, cell)| (one, other, cell))
        });
        let end = |end| two(Some(end));
        List::new("pairs", "95 % CI of tau-b", pairs.filter(|(.., cell)| cell.models >= LEAST))
            .column("metric", "metric", |(one, ..)| *one)
            .column("other", "and", |(_, other, _)| *other)
            .column("tau_b", "tau-b", |(.., cell)| two(cell.tau))
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

    /// The place of each model of the files among the published ones.
    fn places(&self, published: &Published) -> Section {
        let each = self.models.iter().flat_map(|model| {
            let placed = placed(published, model).into_iter();
            placed.map(move |(key, average, place)| (&model.name, key, average, place))
        });
        let title = format!("places among the {} published models", published.models.len());
        List::new("places", title, each)
            .column("model", "model", |(model, ..)| *model)
            .column("metric", "metric", |(_, key, ..)| *key)
            .shown("average", |(_, key, average, _)| {
                let is_sum = Sum::ALL.iter().any(|sum| key.ends_with(sum.key()));
                two(Some(if is_sum { *average } else { 100.0 * average }))
            })
            .data("average", |(_, _, average, _)| *average)
            .shown("place", |(.., PublishedRank { rank, ties, of })| {
                let tied = if *ties > 0 { format!(", tied with {ties}") } else { String::new() };
                format!("{rank} of {}{tied}", of + 1)
            })
            .data("place", |(.., place)| place.rank)
            .data("ties", |(.., place)| place.ties)
            .data("published", |(.., place)| place.of)
            .section()
    }

    /// What the intervals are about.
    fn notes(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "over models: percentile bootstrap over models ({}), queries and gallery held fixed; none for fewer than four \
                 models, or where every resample has the same tau-b",
                self.draws
            ),
            "by family: models of one family are resampled together; NAME@SEED is of the family NAME".to_owned(),
        ];
        lines.extend(
            self.published.map(|of| format!("families of the published models: {}", of.families)),
        );
        let left_out = self.correlation.left_out.join(", ");
        if !left_out.is_empty() {
            lines.push(format!("left out, since fewer than {LEAST} models have them: {left_out}"));
        }
        let is_unplaced = |of: &&Published| {
            let none = |model: &ModelValues| placed(of, model).is_empty();
            !self.models.is_empty() && self.models.iter().all(none)
        };
        lines.extend(self.published.filter(is_unplaced).map(|of| {
            format!(
                "your models and the published ones share no metric, so none has a place among them; published: {}",
                of.metrics.join(", ")
            )
        }));
        lines
    }
}

/// Two decimals.
fn two(value: Option<f64>) -> cell::Cell {
    value.map(|value| cell::Cell::Number(value, 2)).into()
}

/// A model's metrics that were published too, with value and place.
fn placed<'a>(
    published: &'a Published,
    model: &ModelValues,
) -> Vec<(&'a String, f64, PublishedRank)> {
    let of_key = |key: &'a String| {
        let value = model.average(key)?;
        Some((key, value, published.place(key, None, value)?))
    };
    published.metrics.iter().filter_map(of_key).collect()
}
