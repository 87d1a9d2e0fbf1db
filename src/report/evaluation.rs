//! The numbers of an evaluation: a row for each line, and for each model a column for each direction.

mod data;
mod paper;

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::inference::OF_MEANS;
use crate::analysis::intervals::OfLine;
use crate::analysis::runs::{Runs, Spread};
use crate::data::index::ModelIx;
use crate::data::{Direction, PerDirection};
use crate::evaluate::plan::{Line, Rule, remarks};
use crate::evaluate::{Evaluation, Value};
use crate::metric::{Summary, best, shown_in};
use crate::truth::conventions::{Conventions, NoPositives, ShortLists};

/// An evaluation, and what is told of it.
#[derive(Debug, Clone)]
pub struct Evaluated<'a> {
    /// What was computed.
    pub evaluation: &'a Evaluation,
    /// The directions wanted.
    pub directions: Vec<Direction>,
    /// The 95 % CI of every mean, where they are asked for.
    pub intervals: Option<Intervals>,
}

/// The 95 % CIs of an evaluation, and how they were drawn.
#[derive(Debug, Clone)]
pub struct Intervals {
    /// By model, then by line.
    pub of_models: Vec<Vec<OfLine>>,
    /// Whether captions of one image form a cluster.
    pub by_image: bool,
}

impl Intervals {
    /// How they came about.
    fn words(&self) -> String {
        let clusters =
            if self.by_image { "clustered by image" } else { "each query a cluster of its own" };
        format!("[95 % CI], {clusters}: {OF_MEANS}; gallery and model held fixed")
    }
}

impl Evaluated<'_> {
    /// The values of every line, the best of several models marked.
    pub fn report(&self) -> Report<'_> {
        let runs = self.runs();
        let marks = |at: usize| {
            let each = self.directions.iter();
            each.flat_map(|&direction| self.best(at, direction, &runs)).any(|best| best)
        };
        let has_best = (0..self.evaluation.lines.len()).any(marks);
        Report {
            notes: self.notes("; n: queries that entered the mean"),
            paper: Some(self.paper()),
            best: has_best.then_some("best model"),
            ..Report::new(vec![self.table()], self.data(), Json::tree(|| self.json()))
        }
    }

    /// What cells mean, `counts` among it.
    fn notes(&self, counts: &str) -> Vec<String> {
        let units = self.evaluation.lines.iter().map(Line::unit);
        let mut first = format!("{}{counts}", shown_in(units));
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
        notes.extend(self.intervals.as_ref().map(Intervals::words));
        if !self.runs().is_empty() {
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

    /// The models of several runs.
    fn runs(&self) -> Vec<Runs> {
        let names = self.evaluation.models.iter();
        let names = names.map(|(name, ..)| name.as_str());
        let mut runs = Runs::of_names(&names.collect::<Vec<_>>());
        runs.retain(Runs::are_several);
        runs
    }

    /// The mean over runs of a line's values; `None` where one is undefined.
    fn spread(&self, runs: &Runs, line: usize, direction: Direction) -> Option<Spread> {
        let number =
            |&model: &ModelIx| number(self.evaluation.models[model.get()].2[line], direction);
        let numbers: Option<Vec<f64>> = runs.models.iter().map(number).collect();
        Spread::of(&numbers?)
    }

    /// The interval of a model's value; `None` where none is asked for.
    fn interval(&self, model: ModelIx, line: usize, direction: Direction) -> Option<[f64; 2]> {
        match self.intervals.as_ref()?.of_models.get(model.get())?[line] {
            OfLine::Each(ends) => ends[direction],
            OfLine::Both(ends) => ends,
        }
    }

    /// The models, then the upper bound where it is told: names and values.
    fn columns(&self) -> Vec<(&str, &[Value])> {
        let models = self.evaluation.models.iter();
        let models = models.map(|(name, _, values)| (name.as_str(), values.as_slice()));
        let ceiling = self.evaluation.ceiling.as_ref();
        models.chain(ceiling.map(|values| ("upper bound", values.as_slice()))).collect()
    }

    fn table(&self) -> Table<'_> {
        let runs = self.runs();
        let names = self.columns().into_iter().map(|(name, _)| name.to_owned());
        let of_runs = |of: &Runs| format!("{} ({} runs)", of.name, of.models.len());
        let names = std::iter::once("n".to_owned()).chain(names).chain(runs.iter().map(of_runs));
        let each = |name: String| {
            let named = move |direction| format!("{name} {direction}");
            self.directions.iter().map(named)
        };
        let mut head = vec!["metric".to_owned()];
        head.extend(names.flat_map(each));
        let rows = 0..self.evaluation.lines.len();
        Table::new("", head, 1, rows.map(move |line| self.row(line, &runs)))
    }

    fn row(&self, at: usize, runs: &[Runs]) -> Vec<Cell> {
        let line = &self.evaluation.lines[at];
        let columns = self.columns();
        let values: Vec<Value> = columns.iter().map(|(_, values)| values[at]).collect();
        let mut cells = row![&line.key];
        let mut push = |cell: &dyn Fn(Direction) -> Cell| {
            cells.extend(self.directions.iter().map(|&direction| cell(direction)));
        };
        push(&|direction| values.iter().find_map(|of| entered(*of, direction)).into());
        let best = PerDirection::from_fn(|direction| self.best(at, direction, runs));
        let of_runs = |of: &Runs, direction| of_runs(line, self.spread(of, at, direction));
        for column in 0..values.len() {
            push(&|direction| {
                let cell = self.cell(at, values[column], column, direction);
                cell.marked(best[direction][column])
            });
        }
        for (of, column) in runs.iter().zip(values.len()..) {
            push(&|direction| of_runs(of, direction).marked(best[direction][column]));
        }
        cells
    }

    /// Which columns are the best of a line: of models, the ceiling, and the means of runs. A run is no model by itself:
    /// the best of several would be the luckiest.
    fn best(&self, at: usize, direction: Direction, runs: &[Runs]) -> Vec<bool> {
        let line = &self.evaluation.lines[at];
        let is_run = |model| runs.iter().any(|of| of.models.contains(&model));
        let models = self.evaluation.models.iter().enumerate();
        let models = models.map(|(model, (.., values))| {
            let value = number(values[at], direction);
            value.filter(|_| line.is_merit() && !is_run(ModelIx::new(model)))
        });
        let ceiling = self.evaluation.ceiling.iter().map(|_| None);
        let means = runs.iter().map(|of| {
            let mean = self.spread(of, at, direction).map(|of| of.mean);
            mean.filter(|_| line.is_merit())
        });
        let numbers: Vec<Option<f64>> = models.chain(ceiling).chain(means).collect();
        best::marks(&numbers, line.unit())
    }

    /// One of a line's values, with its interval. A sum over both directions has no second cell.
    fn cell(&self, at: usize, value: Value, column: usize, direction: Direction) -> Cell {
        let line = &self.evaluation.lines[at];
        match (shown(line, value, direction), self.interval(ModelIx::new(column), at, direction)) {
            (Cell::Empty, _) => Cell::Empty,
            (cell, None) => cell,
            (cell, Some(ends)) => {
                let [low, high] = ends.map(|end| line.unit().shown(Some(end)));
                format!("{} [{low}, {high}]", cell.shown()).into()
            }
        }
    }
}

/// The mean and the standard deviation of runs.
fn of_runs(line: &Line, spread: Option<Spread>) -> Cell {
    let unit = line.unit();
    let told = spread.and_then(|of| Some([of.mean, of.deviation?]));
    let told = told.map(|both| both.map(|value| unit.shown(Some(value))));
    told.map(|[mean, deviation]| format!("{mean} ± {deviation}")).into()
}

/// The queries that entered a mean; `None` where there is no mean.
fn entered(value: Value, direction: Direction) -> Option<usize> {
    match value {
        Value::Each(summaries) => of_mean(summaries[direction]?),
        Value::Both(_) => None,
    }
}

/// The queries of a mean; `None` where it is undefined: a value that one query lacks leaves no mean of the others.
fn of_mean(summary: Summary) -> Option<usize> {
    summary.value.map(|_| summary.judged)
}

fn number(value: Value, direction: Direction) -> Option<f64> {
    match value {
        Value::Each(summaries) => summaries[direction]?.value,
        Value::Both(sum) => sum,
    }
}

/// A sum over both directions stands in the first column of its model only.
fn shown(line: &Line, value: Value, direction: Direction) -> Cell {
    match (line.rule, value) {
        (Rule::Sum(..) | Rule::FoldRsum, Value::Both(sum)) if direction == Direction::I2t => {
            sum.map(|sum| Cell::Number(sum, 1)).into()
        }
        (_, Value::Both(_)) => Cell::Empty,
        (_, value) => {
            let number = number(value, direction);
            number.map(|number| Cell::Value(number, line.unit())).into()
        }
    }
}
