//! Correlation of metrics over models.

use serde_json::json;

use super::Cell;
use super::Report;
use super::list::{List, Section};
use crate::analysis::bootstrap::Draws;
use crate::analysis::correlate::{Correlation, LEAST};
use crate::analysis::published::{Published, PublishedRank};
use crate::analysis::results::ModelValues;
use crate::metric::Unit;
use crate::metric::rsum::Sum;

/// Of the 256 colours, those from 0 to 1 and from 0 to -1: white to blue and white to orange, light
/// enough for black digits, and apart for eyes that do not say red from green.
const COLOURS: [[u8; 8]; 2] =
    [[231, 195, 159, 153, 117, 81, 75, 39], [231, 230, 229, 228, 222, 221, 215, 208]];

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
        let mut sections = vec![self.matrix(), self.pairs()];
        sections.extend(self.published.map(|published| self.places(published)));
        let mut report = Report { notes: self.notes(), ..Report::of(sections) };
        report.tables[0].drawn = Some(self.drawn());
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

    fn matrix(&self) -> Section {
        let Correlation { metrics, cells, .. } = self.correlation;
        let mut list =
            List::new("", self.title(), metrics.iter().zip(cells)).shown("metric", |(key, _)| *key);
        for (at, key) in metrics.iter().enumerate() {
            list = list.shown(key, move |(_, row)| two(row[at].tau));
        }
        list.section()
    }

    /// A heat map: metrics by number at the top, by number and key at the left.
    fn drawn(&self) -> String {
        let Correlation { metrics, cells, .. } = self.correlation;
        let longest = metrics.iter().map(|key| key.chars().count()).max().unwrap_or(0);
        let numbers = (1..=metrics.len()).map(|number| format!(" {number:>5} "));
        let numbers = numbers.collect::<Vec<_>>().concat();
        let mut lines = vec![self.title(), String::new(), " ".repeat(longest + 4) + &numbers];
        for (at, (key, row)) in metrics.iter().zip(cells).enumerate() {
            let values: String = row.iter().map(|cell| heat(cell.tau, self.is_coloured)).collect();
            lines.push(format!("{:>2} {key:<longest$} {values}", at + 1));
        }
        lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
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
            .column("average", "average", |(_, key, average, _)| {
                let is_sum = Sum::ALL.iter().any(|sum| key.ends_with(sum.key()));
                Cell::Value(*average, if is_sum { Unit::Sum } else { Unit::Share })
            })
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
        let left_out = self.correlation.left_out.join(", ");
        if !left_out.is_empty() {
            lines.push(format!("left out, since fewer than {LEAST} models have them: {left_out}"));
        }
        if let Some(published) = self.published {
            lines.push(format!("families of the published models: {}", published.families));
            let is_placed = |model: &ModelValues| !placed(published, model).is_empty();
            if !self.models.is_empty() && !self.models.iter().any(is_placed) {
                lines.push(format!(
                    "your models and the published ones share no metric, so none has a place among them; published: {}",
                    published.metrics.join(", ")
                ));
            }
        }
        lines
    }
}

/// Two decimals.
fn two(value: Option<f64>) -> Cell {
    value.map(|value| Cell::Number(value, 2)).into()
}

/// A value from -1 to 1, on its colour if there may be any.
fn heat(value: Option<f64>, is_coloured: bool) -> String {
    let number = format!(" {:>5} ", two(value).shown());
    let Some(value) = value.filter(|_| is_coloured) else { return number };
    let colours = COLOURS[usize::from(value < 0.0)];
    let step = (value.abs() * colours.len() as f64) as usize;
    format!("\x1b[38;5;16;48;5;{}m{number}\x1b[0m", colours[step.min(colours.len() - 1)])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_agreement_and_disagreement() {
        assert_eq!(heat(Some(0.45), false), "  0.45 ");
        assert_eq!(heat(Some(1.0), true), "\x1b[38;5;16;48;5;39m  1.00 \x1b[0m");
        assert_eq!(heat(Some(-1.0), true), "\x1b[38;5;16;48;5;208m -1.00 \x1b[0m");
        assert_eq!(heat(None, true), "     · ");
    }
}
