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
pub mod per_query;
mod sheet;
pub mod shown;
pub mod stats;
pub mod table;

use crate::analysis::bootstrap::Draws;
use crate::analysis::intervals::OfLine;
use crate::analysis::runs::{Runs, Spread};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::evaluate::plan::{Line, Rule};
use crate::evaluate::{Evaluation, Value};
use crate::metric::Unit;
use crate::truth::conventions::{Conventions, NoPositives, ShortLists};

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
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The directions wanted.
    pub directions: Vec<Direction>,
    /// The 95 % interval of every mean, where they are asked for.
    pub intervals: Option<Intervals>,
}

/// Intervals of all values.
#[derive(Debug, Clone)]
pub struct Intervals {
    /// By model, then by line.
    pub of_models: Vec<Vec<OfLine>>,
    /// What was drawn.
    pub draws: Draws,
    /// Whether captions of one image were drawn together.
    pub by_image: bool,
}

impl Intervals {
    /// How they came about.
    fn words(&self) -> String {
        let clusters = if self.by_image {
            "clustered by image"
        } else {
            "each query a cluster of its own"
        };
        let resamples = grouped(self.draws.resamples);
        format!(
            "[95 % CI]: bootstrap-t, {clusters}, {resamples} resamples, seed {} (Student's t where too few lie beyond \
             an end); gallery and model held fixed",
            self.draws.seed
        )
    }
}

/// What stands below a table.
fn notes(evaluation: &Evaluation, options: &Options) -> Vec<String> {
    let mut first = "shares in percent; n: queries that entered the mean".to_owned();
    if evaluation.models.len() > 1 {
        first += "; * best model";
    }
    let Conventions {
        no_positives,
        short_lists,
    } = evaluation.conventions;
    if no_positives == NoPositives::Zero {
        first += "; queries without positives score 0";
    }
    if short_lists == ShortLists::Miss {
        first += "; what a list does not rank is missed";
    }
    let mut notes = vec![first];
    notes.extend(options.intervals.as_ref().map(Intervals::words));
    if !runs(evaluation).is_empty() {
        notes.push("mean of several runs ± standard deviation between them".into());
    }
    notes
}

/// The models of several runs.
fn runs(evaluation: &Evaluation) -> Vec<Runs> {
    let names = evaluation.models.iter().map(|(name, ..)| name.as_str());
    let mut runs = Runs::of_names(&names.collect::<Vec<_>>());
    runs.retain(Runs::are_several);
    runs
}

/// The mean over runs of a line's values; `None` where one is undefined.
fn spread(
    evaluation: &Evaluation,
    runs: &Runs,
    line: usize,
    direction: Direction,
) -> Option<Spread> {
    let number = |&model: &usize| number(evaluation.models[model].2[line], direction);
    let numbers: Option<Vec<f64>> = runs.models.iter().map(number).collect();
    Spread::of(&numbers?)
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
        head.extend(directions.iter().map(|direction| format!("n {direction}")));
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
        let runs = runs(evaluation);
        for of in &runs {
            let name = format!("{} ({} runs)", of.name, of.models.len());
            head.extend(
                directions
                    .iter()
                    .map(|direction| format!("{name} {direction}")),
            );
        }
        let rows = evaluation.lines.iter().enumerate().map(|(at, line)| {
            let values: Vec<Value> = columns.iter().map(|(_, values)| values[at]).collect();
            let interval = |model: usize, direction| interval(options, model, at, direction);
            let mut cells = row(line, &values, models, (directions, &interval));
            for of in &runs {
                let cell = |&direction| of_runs(line, spread(evaluation, of, at, direction));
                cells.extend(directions.iter().map(cell));
            }
            cells
        });
        Grid {
            rows: rows.collect(),
            head,
        }
    }
}

/// The interval of a model's value; `None` where none is asked for.
fn interval(
    options: &Options,
    model: usize,
    line: usize,
    direction: Direction,
) -> Option<[f64; 2]> {
    match options.intervals.as_ref()?.of_models.get(model)?[line] {
        OfLine::Each(ends) => ends[direction],
        OfLine::Both(ends) => ends,
    }
}

/// The mean and the standard deviation of runs.
fn of_runs(line: &Line, spread: Option<Spread>) -> Cell {
    let unit = line.unit();
    let told = spread.and_then(|of| Some((of.mean, of.deviation?)));
    Cell::plain(told.map_or("-".into(), |(mean, deviation)| {
        let [mean, deviation] = [mean, deviation].map(|value| unit.shown(Some(value)));
        format!("{mean} ± {deviation}")
    }))
}

/// The interval of a model's value in a direction.
type Ends<'a> = &'a dyn Fn(usize, Direction) -> Option<[f64; 2]>;

fn row(
    line: &Line,
    values: &[Value],
    models: usize,
    (directions, interval): (&[Direction], Ends<'_>),
) -> Vec<Cell> {
    let mut cells = vec![Cell::plain(line.key.clone())];
    for &direction in directions {
        let judged = values.first().and_then(|value| judged(*value, direction));
        cells.push(Cell::plain(judged.map_or("-".into(), grouped)));
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
            let mut text = shown(line, *value, direction);
            // A sum over both directions has no second cell.
            let best = best && !text.is_empty();
            let ends = interval(column, direction).filter(|_| !text.is_empty());
            if let Some([low, high]) = ends.map(|ends| ends.map(|end| line.unit().shown(Some(end))))
            {
                text = format!("{text} [{low}, {high}]");
            }
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
