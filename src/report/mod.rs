//! Results as text, JSON, CSV, Markdown or LaTeX. A format is one file and one line in [`REPORTS`].

pub mod agreement;
pub mod compare;
pub mod correlate;
pub mod csv;
pub mod curve;
pub mod differences;
pub mod errors;
pub mod found;
mod heat;
pub mod json;
pub mod latex;
pub mod listed;
pub mod markdown;
mod sheet;
pub mod shown;
pub mod stats;
pub mod table;

use crate::data::Direction;
use crate::metric::Unit;
use crate::metric::evaluation::{Evaluation, Value};
use crate::metric::plan::{Line, Rule};

/// A way of writing an [`Evaluation`].
pub trait Report: Sync {
    /// The word after `--format`.
    fn key(&self) -> &'static str;
    /// One line for the help.
    fn doc(&self) -> &'static str;
    /// The whole text, with a line end.
    fn write(&self, evaluation: &Evaluation, options: &Options) -> String;
}

/// Every format.
pub const REPORTS: &[&dyn Report] = &[
    &table::Table,
    &json::Json,
    &csv::Csv,
    &markdown::Markdown,
    &latex::Latex,
];

/// What to write.
#[derive(Debug, Clone)]
pub struct Options {
    /// The directions wanted.
    pub directions: Vec<Direction>,
}

/// A grid of cells for formats that people read: a row for each line, and for each model a column
/// for each direction.
struct Grid {
    head: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// One cell, and whether it holds the best of its row's numbers.
struct Cell {
    text: String,
    best: bool,
}

impl Cell {
    fn plain(text: String) -> Self {
        Cell { text, best: false }
    }
}

impl Grid {
    fn new(evaluation: &Evaluation, options: &Options) -> Self {
        let mut head = vec!["metric".to_owned()];
        let directions = &options.directions;
        head.extend(
            directions
                .iter()
                .map(|direction| format!("judged {direction}")),
        );
        let mut columns: Vec<(&str, &[Value])> = evaluation
            .models
            .iter()
            .map(|(name, _, values)| (name.as_str(), values.as_slice()))
            .collect();
        let models = columns.len();
        if let Some(ceiling) = &evaluation.ceiling {
            columns.push(("ceiling", ceiling));
        }
        for (name, _) in &columns {
            head.extend(
                directions
                    .iter()
                    .map(|direction| format!("{name} {direction}")),
            );
        }
        let rows = evaluation.lines.iter().enumerate().map(|(at, line)| {
            let values: Vec<Value> = columns.iter().map(|(_, values)| values[at]).collect();
            row(line, &values, models, directions)
        });
        Grid {
            rows: rows.collect(),
            head,
        }
    }
}

fn row(line: &Line, values: &[Value], models: usize, directions: &[Direction]) -> Vec<Cell> {
    let mut cells = vec![Cell::plain(line.key.clone())];
    for &direction in directions {
        let judged = values.first().and_then(|value| judged(*value, direction));
        cells.push(Cell::plain(
            judged.map_or("-".into(), crate::data::text::grouped),
        ));
    }
    for (column, value) in values.iter().enumerate() {
        for &direction in directions {
            let number = number(*value, direction);
            let best = models > 1 && column < models && number.is_some() && {
                let of_models = values[..models]
                    .iter()
                    .filter_map(|value| self::number(*value, direction));
                best_of(of_models, line.unit()) == number
            };
            let text = shown(line, *value, direction);
            // A sum over both directions has no second cell.
            let best = best && !text.is_empty();
            cells.push(Cell { text, best });
        }
    }
    cells
}

fn best_of(numbers: impl Iterator<Item = f64>, unit: Unit) -> Option<f64> {
    match unit {
        Unit::Share | Unit::Sum => numbers.max_by(f64::total_cmp),
        Unit::Rank => numbers.min_by(f64::total_cmp),
    }
}

fn judged(value: Value, direction: Direction) -> Option<usize> {
    match value {
        Value::Each(summaries) => summaries[direction].map(|summary| summary.judged),
        Value::Both(_) => None,
    }
}

fn number(value: Value, direction: Direction) -> Option<f64> {
    match value {
        Value::Each(summaries) => summaries[direction]?.value,
        Value::Both(sum) => sum,
    }
}

/// A sum over both directions stands in the first column of its model only.
fn shown(line: &Line, value: Value, direction: Direction) -> String {
    match (line.rule, value) {
        (Rule::Rsum(_) | Rule::FoldRsum, Value::Both(sum)) if direction == Direction::I2t => {
            sum.map_or("-".into(), |sum| format!("{sum:.1}"))
        }
        (_, Value::Both(_)) => String::new(),
        (_, value) => line.unit().shown(number(value, direction)),
    }
}
