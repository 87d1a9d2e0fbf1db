//! The metrics of every model: one number for each line of the evaluation, direction and model. All formats are views of
//! these.

mod data;
mod wide;

use super::cell::{Cell, row};
use super::{Json, Paper, Report, Screen, Table};
use crate::analysis::inference::OF_MEANS;
use crate::analysis::intervals::OfLine;
use crate::analysis::runs::{Runs, Spread};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::evaluate::plan::{Line, remarks};
use crate::evaluate::{Evaluation, Value};
use crate::metric::{Unit, best, shown_in};
use crate::truth::conventions::{Conventions, NoPositives, ShortLists};

/// An evaluation as a table: metrics are columns, models are rows.
#[derive(Debug)]
pub struct Evaluated<'a> {
    evaluation: &'a Evaluation,
    directions: Vec<Direction>,
    intervals: Option<Intervals>,
    /// Whether nobody named metrics: people see those that papers print, programs no sums.
    is_usual: bool,
    rows: Vec<Row<'a>>,
    columns: Vec<Column>,
    /// The models of several runs, as the last rows.
    runs: Vec<Runs>,
}

/// The 95 % CIs of an evaluation.
#[derive(Debug, Clone)]
pub struct Intervals {
    /// By model, then by line.
    pub of_models: Vec<Vec<OfLine>>,
    /// Whether captions of one image form a cluster.
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
    /// Whether it may be the best. A run of several is no model by itself: the best of them would be the luckiest.
    competes: bool,
}

/// A line of the evaluation in a direction; `None` over both.
#[derive(Debug)]
struct Column {
    line: usize,
    direction: Option<Direction>,
    /// One for each row; `None` where the ground truth lacks the direction.
    numbers: Vec<Option<Number>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Number {
    value: Option<f64>,
    /// Queries that entered the mean; `None` where it is undefined, and of sums.
    queries: Option<usize>,
    interval: Option<[f64; 2]>,
    /// Of the mean of several runs.
    spread: Option<Spread>,
    is_best: bool,
}

impl<'a> Evaluated<'a> {
    /// The numbers in these directions. Without metrics that somebody named, `is_usual`.
    pub fn new(
        evaluation: &'a Evaluation,
        directions: Vec<Direction>,
        intervals: Option<Intervals>,
        is_usual: bool,
    ) -> Self {
        let models = evaluation.models.iter();
        let names: Vec<&str> = models.clone().map(|(name, ..)| name.as_str()).collect();
        let mut runs = Runs::of_names(&names);
        runs.retain(Runs::are_several);
        let of_model = |(at, (name, source, _)): (usize, &'a (String, String, Vec<Value>))| Row {
            title: name.clone(),
            name: name.clone(),
            source,
            competes: !runs.iter().any(|runs| runs.models.contains(&ModelIx::new(at))),
        };
        let of_ceiling = |_| Row {
            title: "upper bound".into(),
            name: "ceiling".into(),
            source: "",
            competes: false,
        };
        let of_runs = |runs: &Runs| Row {
            title: format!("{} ({} runs)", runs.name, runs.models.len()),
            name: runs.name.clone(),
            source: "",
            competes: true,
        };
        let rows =
            models.enumerate().map(of_model).chain(evaluation.ceiling.iter().map(of_ceiling));
        let rows = rows.chain(runs.iter().map(of_runs)).collect();
        let columns = Vec::new();
        let mut new =
            Evaluated { evaluation, directions, intervals, is_usual, rows, columns, runs };
        new.columns = (0..evaluation.lines.len()).flat_map(|line| new.columns_of(line)).collect();
        new
    }

    fn columns_of(&self, line: usize) -> Vec<Column> {
        let directions = if self.evaluation.lines[line].is_sum() {
            vec![None]
        } else {
            self.directions.iter().copied().map(Some).collect()
        };
        let column = |direction| Column { line, direction, numbers: self.numbers(line, direction) };
        let columns = directions.into_iter().map(column);
        columns.filter(|column| column.numbers.iter().any(Option::is_some)).collect()
    }

    /// The numbers of all rows, the best marked.
    fn numbers(&self, at: usize, direction: Option<Direction>) -> Vec<Option<Number>> {
        let models = self.evaluation.models.iter().enumerate();
        let of_model = |(model, (.., values)): (usize, &(_, _, Vec<Value>))| {
            let interval = self.interval(model, at, direction);
            Some(Number { interval, ..number(values[at], direction)? })
        };
        let mut numbers: Vec<Option<Number>> = models.map(of_model).collect();
        let means: Vec<Option<Number>> =
            self.runs.iter().map(|runs| mean(runs, &numbers)).collect();
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

    /// The interval of a model's value; `None` where none is asked for.
    fn interval(
        &self,
        model: usize,
        line: usize,
        direction: Option<Direction>,
    ) -> Option<[f64; 2]> {
        match (self.intervals.as_ref()?.of_models.get(model)?[line], direction) {
            (OfLine::Each(ends), Some(direction)) => ends[direction],
            (OfLine::Both(ends), _) => ends,
            (OfLine::Each(_), None) => None,
        }
    }

    /// Models as rows; with `is_long`, and for one model where that is too wide, metrics as rows, but not for papers.
    pub fn report(&self, screen: Screen, is_long: bool) -> Report<'_> {
        let wide = self.wide();
        let table = self.table(&wide).pop().filter(|_| !is_long);
        let table = table.map_or_else(
            || self.long(),
            |table| Table { drawn: Some(self.drawn(&wide, screen)), ..table },
        );
        let mut numbers = self.columns.iter().flat_map(|column| column.numbers.iter().flatten());
        Report {
            notes: self.notes(),
            paper: Some(Paper { tables: self.table(&wide), notes: self.notes() }),
            best: numbers.any(|number| number.is_best).then_some("best model"),
            ..Report::new(vec![table], self.data(), Json::tree(|| self.json()))
        }
    }

    /// What cells mean.
    fn notes(&self) -> Vec<String> {
        let units = self.evaluation.lines.iter().map(Line::unit);
        let mut first = format!("{}; n: queries that entered the mean", shown_in(units));
        let Conventions { no_positives, short_lists } = self.evaluation.conventions;
        if no_positives == NoPositives::Zero {
            first += "; queries without positives score 0";
        }
        if short_lists == ShortLists::Miss {
            first += "; what a list does not rank is missed";
        }
        let mut notes = vec![first];
        notes.extend(remarks(&self.evaluation.lines).into_iter().map(str::to_owned));
        notes.extend(self.flags());
        if let Some(Intervals { by_image, .. }) = &self.intervals {
            let clusters = if *by_image { "clustered by image" } else { "queries as clusters" };
            notes.push(format!("95 % CI, {clusters}: {OF_MEANS}; gallery and model held fixed"));
        }
        if !self.runs.is_empty() {
            notes.push("mean of several runs ± standard deviation between them; this mean is compared with other models, no single run".into());
        }
        notes
    }

    /// The flags that change values under the same key.
    fn flags(&self) -> Option<String> {
        let flags = self.evaluation.flags.iter();
        let flag = |(flag, value): &(&str, Option<f64>)| {
            let value = value.map_or(String::new(), |value| format!(" {value}"));
            format!("--{flag}{value}")
        };
        let flags: Vec<String> = flags.map(flag).collect();
        (!flags.is_empty()).then(|| format!("made with {}", flags.join(" ")))
    }

    /// Metrics as rows, a column for each model and direction.
    fn long(&self) -> Table<'_> {
        let names = self.rows.iter().map(|row| row.title.as_str());
        let each = |name: &str| {
            let named = |direction| format!("{name} {direction}");
            self.directions.iter().map(named).collect::<Vec<_>>()
        };
        let head = std::iter::once("n").chain(names).flat_map(each);
        let head = std::iter::once("metric".to_owned()).chain(head);
        Table::new("", head, 1, self.ordered().into_iter().map(|line| self.long_row(line)))
    }

    fn long_row(&self, at: usize) -> Vec<Cell> {
        let line = &self.evaluation.lines[at];
        let columns: Vec<&Column> =
            self.columns.iter().filter(|column| column.line == at).collect();
        let column = |direction| {
            let is_of = |column: &&&Column| column.direction.is_none_or(|of| of == direction);
            columns.iter().find(is_of)
        };
        let mut cells = row![&line.key];
        cells.extend(self.directions.iter().map(|&direction| {
            let numbers = column(direction).into_iter().flat_map(|column| &column.numbers);
            Cell::from(numbers.flatten().find_map(|number| number.queries))
        }));
        for row in 0..self.rows.len() {
            cells.extend(self.directions.iter().enumerate().map(|(place, &direction)| {
                match column(direction) {
                    // A sum over both directions stands in the first column of its model.
                    _ if line.is_sum() && place > 0 => Cell::Empty,
                    Some(column) => column.cell(row, line.unit()),
                    None => Cell::Undefined,
                }
            }));
        }
        cells
    }
}

impl Column {
    /// A number with its interval, or with the deviation between runs.
    fn cell(&self, row: usize, unit: Unit) -> Cell {
        let number = self.numbers[row].unwrap_or_default();
        let Some(value) = number.value else { return Cell::Undefined };
        let cell = match unit {
            Unit::Sum => Cell::Number(value, 1),
            unit => Cell::Value(value, unit),
        };
        let shown = |value| unit.shown(Some(value));
        let cell = match (number.interval, number.spread.and_then(|spread| spread.deviation)) {
            (Some([low, high]), _) => {
                format!("{} [{}, {}]", cell.shown(), shown(low), shown(high)).into()
            }
            (_, Some(deviation)) => format!("{} ± {}", cell.shown(), shown(deviation)).into(),
            _ => cell,
        };
        cell.marked(number.is_best)
    }

    /// `i2t`, `t2i` or `both`.
    fn word(&self) -> &'static str {
        self.direction.map_or("both", Direction::key)
    }
}

/// A value in a direction; `None` where the ground truth lacks it. A value that one query lacks leaves no mean of the
/// others.
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

/// The mean over runs; undefined where that of one run is.
fn mean(runs: &Runs, numbers: &[Option<Number>]) -> Option<Number> {
    let of_run = |model: &ModelIx| numbers[model.get()];
    let queries = of_run(&runs.models[0])?.queries;
    let values = runs.models.iter().map(|model| of_run(model)?.value);
    let spread = values.collect::<Option<Vec<f64>>>().and_then(|values| Spread::of(&values));
    let value = spread.map(|spread| spread.mean);
    Some(Number { value, queries, spread, ..Number::default() })
}
