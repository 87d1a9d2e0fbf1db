//! Metrics of every model: one number for each line, direction and model. All formats are views of these.

mod data;
mod wide;

use super::cell::Cell;
use super::list::List;
use super::{Json, Report, Table};
use crate::analysis::inference::MEAN_METHOD;
use crate::analysis::intervals::LineInterval;
use crate::analysis::runs::{Runs, Spread};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::evaluate::plan::{Line, remarks};
use crate::evaluate::{Evaluation, Value};
use crate::metric::{Unit, best, describe_units};
use crate::truth::conventions::{Conventions, NoPositives, ShortLists};

/// The result of `eval`: the numbers of an evaluation by row and column.
#[derive(Debug)]
pub struct EvalReport<'a> {
    evaluation: &'a Evaluation,
    directions: Vec<Direction>,
    intervals: Option<Intervals>,
    /// Whether no metrics were requested: people then see the metrics of papers, and programs no sums.
    is_default: bool,
    rows: Vec<Row<'a>>,
    columns: Vec<Column<'a>>,
    /// Models with several runs, whose means are the last rows.
    runs: Vec<Runs>,
}

/// The 95 % CIs of an evaluation.
#[derive(Debug, Clone)]
pub struct Intervals {
    /// Intervals by model, then by line.
    pub of_models: Vec<Vec<LineInterval>>,
    /// Whether CIs and tests cluster queries by image; if not, each query is a cluster.
    pub by_image: bool,
}

/// A model, the upper bound, or the mean of a model's runs.
#[derive(Debug)]
struct Row<'a> {
    /// Its name in tables.
    title: String,
    /// Its name for programs.
    name: String,
    source: &'a str,
    /// Whether it may be marked as the best. A single run of several may not, as the best of them is the luckiest.
    competes: bool,
}

/// A line of the evaluation in one direction.
#[derive(Debug)]
struct Column<'a> {
    line: &'a Line,
    /// The direction; `None` for a sum over both.
    direction: Option<Direction>,
    /// A number per row; `None` if the ground truth lacks the direction.
    numbers: Vec<Option<Number>>,
}

/// The value of a row in a column.
#[derive(Debug, Clone, Copy, Default)]
struct Number {
    value: Option<f64>,
    /// Number of queries in the mean; `None` for sums and undefined values.
    queries: Option<usize>,
    interval: Option<[f64; 2]>,
    /// Spread between runs, if it is the mean of several.
    spread: Option<Spread>,
    is_best: bool,
}

impl<'a> EvalReport<'a> {
    /// Collects the numbers in these directions. `is_default` tells that no metrics were requested.
    pub fn new(
        evaluation: &'a Evaluation,
        directions: Vec<Direction>,
        intervals: Option<Intervals>,
        is_default: bool,
    ) -> Self {
        let names: Vec<&str> = evaluation.models.iter().map(|(name, ..)| name.as_str()).collect();
        let mut runs = Runs::from_names(&names);
        runs.retain(Runs::has_several);
        let row = |title: &str, name: &str, source, competes| Row {
            title: title.to_owned(),
            name: name.to_owned(),
            source,
            competes,
        };
        let mut rows = Vec::new();
        for (at, (name, source, _)) in evaluation.models.iter().enumerate() {
            let is_run = runs.iter().any(|runs| runs.models.contains(&ModelIx::new(at)));
            rows.push(row(name, name, source, !is_run));
        }
        rows.extend(evaluation.ceiling.iter().map(|_| row("upper bound", "ceiling", "", false)));
        rows.extend(runs.iter().map(|runs| {
            let title = format!("{} ({} runs)", runs.name, runs.models.len());
            row(&title, &runs.name, "", true)
        }));
        let columns = Vec::new();
        let mut report =
            EvalReport { evaluation, directions, intervals, is_default, rows, columns, runs };
        for (at, line) in evaluation.lines.iter().enumerate() {
            let directions = match report.directions.as_slice() {
                [_] if line.is_sum() && is_default => Vec::new(),
                _ if line.is_sum() => vec![None],
                directions => directions.iter().copied().map(Some).collect(),
            };
            for direction in directions {
                let numbers = report.numbers(at, direction);
                if numbers.iter().any(Option::is_some) {
                    report.columns.push(Column { line, direction, numbers });
                }
            }
        }
        report
    }

    /// The columns of a line.
    fn line_columns(&self, line: &Line) -> impl Iterator<Item = &Column<'a>> {
        self.columns.iter().filter(move |column| column.line.key == line.key)
    }

    /// The numbers of all rows, with the best marked, for the line at index `at`: in a direction, or `None` for a sum
    /// over both. A number is `None` if the ground truth lacks the direction.
    fn numbers(&self, at: usize, direction: Option<Direction>) -> Vec<Option<Number>> {
        let models = self.evaluation.models.iter().enumerate();
        let model_number = |(model, (.., values)): (usize, &(_, _, Vec<Value>))| {
            let interval = self.interval(model, at, direction);
            Some(Number { interval, ..number(values[at], direction)? })
        };
        let mut numbers: Vec<Option<Number>> = models.map(model_number).collect();
        let means: Vec<Option<Number>> =
            self.runs.iter().map(|runs| runs_mean(runs, &numbers)).collect();
        numbers.extend(self.evaluation.ceiling.iter().map(|values| number(values[at], direction)));
        numbers.extend(means);
        let line = &self.evaluation.lines[at];
        let values = self.rows.iter().zip(&numbers).map(|(row, number)| {
            number.and_then(|number| number.value).filter(|_| row.competes && line.is_merit())
        });
        let best = best::marks(&values.collect::<Vec<_>>(), line.unit());
        for (number, is_best) in numbers.iter_mut().zip(best) {
            *number = number.map(|number| Number { is_best, ..number });
        }
        numbers
    }

    /// The interval of a model's value on a line, both given by their indices; `None` if there is none. `direction` is
    /// `None` for a sum over both.
    fn interval(
        &self,
        model: usize,
        line: usize,
        direction: Option<Direction>,
    ) -> Option<[f64; 2]> {
        match (self.intervals.as_ref()?.of_models.get(model)?[line], direction) {
            (LineInterval::Each(ends), direction) => ends[direction?],
            (LineInterval::Both(ends), _) => ends,
        }
    }

    /// The report, with models as rows, or with metrics as rows if `is_long`; LaTeX has models as rows in any case.
    pub fn report(&self, is_long: bool) -> Report<'_> {
        let lines = self.table_lines();
        let paper = self.table(&lines);
        let table = self.table(&lines).filter(|_| !is_long);
        let table = table.unwrap_or_else(|| self.long_table());
        let mut numbers = self.columns.iter().flat_map(|column| column.numbers.iter().flatten());
        Report {
            tables: vec![table],
            paper,
            notes: self.notes(),
            best: numbers.any(|number| number.is_best).then_some("best model"),
            json: Json::tree(|| self.json()),
            ..Report::from_sections(vec![self.data()])
        }
    }

    /// Notes on units, conventions, intervals and runs.
    fn notes(&self) -> Vec<String> {
        let units = self.evaluation.lines.iter().map(Line::unit);
        let mut first = format!("{}; n: queries that entered the mean", describe_units(units));
        let Conventions { no_positives, short_lists } = self.evaluation.conventions;
        if no_positives == NoPositives::Zero {
            first += "; queries without positives score 0";
        }
        if short_lists == ShortLists::Miss {
            first += "; what a list does not rank is missed";
        }
        let mut notes = vec![first];
        notes.extend(remarks(&self.evaluation.lines).into_iter().map(str::to_owned));
        notes.extend(self.flags_note());
        if let Some(Intervals { by_image, .. }) = &self.intervals {
            let clusters = if *by_image { "clustered by image" } else { "queries as clusters" };
            notes.push(format!("95 % CI, {clusters}: {MEAN_METHOD}; gallery and model held fixed"));
        }
        if !self.runs.is_empty() {
            notes.push("mean of several runs ± standard deviation between them; this mean is compared with other models, no single run".into());
        }
        notes
    }

    /// A note with the flags that change values but not their keys; `None` without any.
    fn flags_note(&self) -> Option<String> {
        let flags = self.evaluation.flags.iter();
        let flag = |(flag, value): &(&str, Option<f64>)| {
            let value = value.map_or(String::new(), |value| format!(" {value}"));
            format!("--{flag}{value}")
        };
        let flags: Vec<String> = flags.map(flag).collect();
        (!flags.is_empty()).then(|| format!("made with {}", flags.join(" ")))
    }

    /// Metrics as rows, a column for each model and direction.
    fn long_table(&self) -> Table<'_> {
        let mut list =
            List::new("", "", self.ordered_lines()).display("metric", |line: &&Line| &line.key);
        let column = move |line: &Line, direction| {
            self.line_columns(line).find(|one| one.direction.is_none_or(|own| own == direction))
        };
        for &direction in &self.directions {
            list = list.display(format!("n {direction}"), move |line| {
                let numbers =
                    column(line, direction).into_iter().flat_map(|column| &column.numbers);
                numbers.flatten().find_map(|number| number.queries)
            });
        }
        for (at, row) in self.rows.iter().enumerate() {
            for (position, &direction) in self.directions.iter().enumerate() {
                let head = format!("{} {direction}", row.title);
                list = list.display(head, move |line| match column(line, direction) {
                    // A sum over both directions stands in the first column of its model.
                    _ if line.is_sum() && position > 0 => Cell::Empty,
                    column => column.map_or(Cell::Undefined, |column| column.cell(at)),
                });
            }
        }
        let mut table = list.section().table();
        // Cells with an interval are text, but are aligned like numbers.
        table.is_number[1..].fill(true);
        table
    }
}

impl Number {
    /// The standard deviation between runs; `None` if this is not the mean of several.
    fn deviation(&self) -> Option<f64> {
        self.spread?.deviation
    }
}

impl Column<'_> {
    /// The number of a row; without a value if the ground truth lacks the direction.
    fn number(&self, row: usize) -> Number {
        self.numbers[row].unwrap_or_default()
    }

    /// The cell of a row: a number with its interval, or with the deviation between runs.
    fn cell(&self, row: usize) -> Cell {
        let (number, unit) = (self.number(row), self.line.unit());
        let Some(value) = number.value else { return Cell::Undefined };
        let cell = match unit {
            Unit::Sum => Cell::Number(value, 1),
            unit => Cell::Value(value, unit),
        };
        let format = |value| unit.format(Some(value));
        let cell = match (number.interval, number.deviation()) {
            (Some([low, high]), _) => {
                format!("{} [{}, {}]", cell.text(), format(low), format(high)).into()
            }
            (_, Some(deviation)) => format!("{} ± {}", cell.text(), format(deviation)).into(),
            _ => cell,
        };
        cell.mark_best(number.is_best)
    }

    /// `i2t`, `t2i` or `both`.
    fn direction_key(&self) -> &'static str {
        self.direction.map_or("both", Direction::key)
    }
}

/// The number of a value in a direction, or of a sum (`direction` is `None`); `None` if the ground truth lacks the
/// direction.
fn number(value: Value, direction: Option<Direction>) -> Option<Number> {
    match value {
        Value::Each(summaries) => {
            let summary = summaries[direction?]?;
            let queries = summary.value.map(|_| summary.judged);
            Some(Number { value: summary.value, queries, ..Number::default() })
        }
        Value::Both(value) => Some(Number { value, ..Number::default() }),
    }
}

/// The mean over the runs of a model, from the `numbers` of all models; without a value if a run has none. `None` if
/// the ground truth lacks the direction.
fn runs_mean(runs: &Runs, numbers: &[Option<Number>]) -> Option<Number> {
    let queries = numbers[runs.models[0].get()]?.queries;
    let values = runs.models.iter().map(|model| numbers[model.get()]?.value);
    let spread =
        values.collect::<Option<Vec<f64>>>().and_then(|values| Spread::from_means(&values));
    let value = spread.map(|spread| spread.mean);
    Some(Number { value, queries, spread, ..Number::default() })
}
