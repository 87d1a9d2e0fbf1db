//! An evaluation as papers print it.

use super::{Evaluated, entered, number};
use crate::analysis::runs::{Runs, Spread};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::evaluate::Value;
use crate::evaluate::plan::Line;
use crate::report::cell::Cell;
use crate::report::paper::{self, Column, counted};
use crate::report::{Paper, Table};

impl Evaluated<'_> {
    /// A table for each ground truth, a row for each model: shares in percent with one decimal, intervals and
    /// deviations in small letters below.
    pub(super) fn paper(&self) -> Paper<'_> {
        Paper { tables: self.paper_tables(), notes: self.notes("") }
    }

    fn paper_tables(&self) -> Vec<Table<'_>> {
        let runs = self.runs();
        let names = self.columns().into_iter().map(|(name, _)| name.to_owned());
        let of_runs = |of: &Runs| format!("{} ({} runs)", of.name, of.models.len());
        let names: Vec<String> = names.chain(runs.iter().map(of_runs)).collect();
        let mut papers = Vec::new();
        for at in 0..self.evaluation.lines.len() {
            let is_sum = self.columns().iter().any(|(_, of)| matches!(of[at], Value::Both(_)));
            let directions = if is_sum { 1 } else { self.directions.len() };
            for &direction in self.directions.iter().take(directions) {
                let column = self.paper_column(at, direction, is_sum, &runs);
                if column.cells.iter().any(|cell| *cell != Cell::Undefined) {
                    papers.push(column);
                }
            }
        }
        paper::tables(&names, papers)
    }

    /// A line in a direction: the models, the ceiling, and the means of runs.
    fn paper_column(&self, at: usize, direction: Direction, is_sum: bool, runs: &[Runs]) -> Column {
        let line = &self.evaluation.lines[at];
        let columns = self.columns();
        let values: Vec<Value> = columns.iter().map(|(_, values)| values[at]).collect();
        let models = &values[..self.evaluation.models.len()];
        let cell = |value: &Value| decimal(number(*value, direction), line);
        let spreads = runs.iter().map(|of| self.spread(of, at, direction));
        let spreads: Vec<Option<Spread>> = spreads.collect();
        let mean = |of: &Option<Spread>| decimal(of.as_ref().map(|of| of.mean), line);
        let cells = values.iter().map(cell).chain(spreads.iter().map(mean));
        let best = self.best(at, direction, runs);
        let cells = cells.zip(best).map(|(cell, best)| cell.marked(best));
        let below = (0..values.len()).map(|column| self.small_interval(column, at, direction));
        let below = below.chain(spreads.iter().map(|of| small_deviation(of.as_ref(), line)));
        let counted = queries(models, direction);
        let direction = (!is_sum).then_some(direction);
        let column = Column::new(line, direction, cells.collect()).over(below.collect());
        column.counted(vec![("Queries", counted)])
    }

    fn small_interval(&self, column: usize, at: usize, direction: Direction) -> Cell {
        let unit = self.evaluation.lines[at].unit();
        let ends = self.interval(ModelIx::new(column), at, direction);
        ends.map_or(Cell::Empty, |ends| {
            let [low, high] = ends.map(|end| Cell::Decimal(end, unit).shown());
            Cell::Small(format!("[{low}, {high}]"))
        })
    }
}

fn decimal(value: Option<f64>, line: &Line) -> Cell {
    let cell = value.map(|value| Cell::Decimal(value, line.unit()));
    cell.unwrap_or(Cell::Undefined)
}

/// How many queries entered the means of the models; the least and the greatest where they differ, nothing of sums.
fn queries(models: &[Value], direction: Direction) -> Cell {
    let counts = models.iter().filter_map(|value| entered(*value, direction));
    counted(counts).unwrap_or(Cell::Empty)
}

fn small_deviation(of: Option<&Spread>, line: &Line) -> Cell {
    let deviation = of.and_then(|of| of.deviation);
    deviation.map_or(Cell::Empty, |deviation| {
        Cell::Small(format!("± {}", Cell::Decimal(deviation, line.unit()).shown()))
    })
}
