//! What the table holds: rows, columns in order, and the value of each cell.

use std::cmp::Ordering;

use super::{Column, Order};
use crate::data::Direction;
use crate::engine::specs;
use crate::filter::View;
use crate::metric::plan::key;
use crate::metric::{Spec, Summary, Unit, hit, map_at_r};
use crate::tui::app::{App, Numbers};

/// A row: a metric under a truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Index of the truth.
    pub truth: usize,
    /// The metric.
    pub spec: Spec,
}

impl Row {
    /// The view that a cell of the row is of.
    pub fn view(self, column: Column) -> View {
        View {
            model: column.model,
            truth: self.truth,
            direction: column.direction,
        }
    }
}

/// The number of one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// There is none: the truth has no list in this direction, or the model no numbers.
    Absent,
    /// It is being counted.
    Waiting,
    /// Counted; the best possible value comes with every metric.
    Known(Summary, Option<f64>),
}

impl Cell {
    /// The value, where it is known and defined.
    pub fn value(self) -> Option<f64> {
        match self {
            Cell::Known(summary, _) => summary.value,
            Cell::Absent | Cell::Waiting => None,
        }
    }
}

/// Whether a value is better than another one.
fn is_better(unit: Unit, value: f64, other: f64) -> bool {
    match unit {
        Unit::Share => value > other,
        Unit::Rank => value < other,
    }
}

impl App {
    /// The rows of the table, those of a truth together: every metric that `eval` knows of it.
    pub fn metrics_rows(&self) -> Vec<Row> {
        let truths = 0..self.study.truths.len();
        let of_truth = |truth| specs().map(move |spec| Row { truth, spec });
        let rows = truths.flat_map(of_truth);
        rows.filter(|row| self.metrics_key(*row).is_some())
            .collect()
    }

    /// The key that `eval` gives a row; `None` where the metric is of another truth alone.
    pub fn metrics_key(&self, row: Row) -> Option<String> {
        key(&self.study, row.truth, self.study.pool, row.spec)
    }

    /// The selected row.
    pub fn metrics_row(&self) -> Option<Row> {
        let rows = self.metrics_rows();
        rows.get(self.metrics.row).or(rows.last()).copied()
    }

    /// The selected column.
    pub fn metrics_column(&self) -> Column {
        let looked_at = Column {
            model: self.look.model,
            direction: self.look.direction,
        };
        let here = self.metrics.column;
        here.filter(|column| column.model < self.numbers.len())
            .unwrap_or(looked_at)
    }

    /// The models in the order of the columns: as loaded, or the best first.
    pub fn metrics_models(&self) -> Vec<usize> {
        let mut models: Vec<usize> = (0..self.numbers.len()).collect();
        let Some(Order { row, direction }) = self.metrics.order else {
            return models;
        };
        let value = |model: usize| self.cell(row, Column { model, direction }).value();
        let unit = row.spec.metric.unit();
        models.sort_by(|&one, &other| match (value(one), value(other)) {
            (Some(one), Some(other)) if is_better(unit, one, other) => Ordering::Less,
            (Some(one), Some(other)) if is_better(unit, other, one) => Ordering::Greater,
            // Those without a value come last.
            (one, other) => other.is_some().cmp(&one.is_some()),
        });
        models
    }

    /// The columns of the table, in order.
    pub fn metrics_columns(&self) -> Vec<Column> {
        let of_model = |model| Direction::BOTH.map(|direction| Column { model, direction });
        let models = self.metrics_models().into_iter();
        models.flat_map(of_model).collect()
    }

    /// The number of a cell, with verdicts.
    pub fn cell(&self, row: Row, column: Column) -> Cell {
        let view = row.view(column);
        let truth = &self.study.truths[row.truth];
        if truth.relevance[column.direction].is_none() {
            return Cell::Absent;
        }
        let Some(scored) = self.scored_at(view) else {
            let is_lost = matches!(self.numbers[column.model], Numbers::Failed(_));
            return if is_lost { Cell::Absent } else { Cell::Waiting };
        };
        let mut measured = scored.measured().into_iter().flatten();
        if let Some(found) = measured.find(|one| one.spec == row.spec) {
            return Cell::Known(found.summary, found.ceiling);
        }
        // The two numbers of the header are there before all others.
        match row.spec {
            spec if spec == Spec::new(&hit::R1) => Cell::Known(scored.r1, None),
            spec if spec == Spec::new(&map_at_r::MapAtR) => Cell::Known(scored.map_at_r, None),
            _ => Cell::Waiting,
        }
    }

    /// The best value of a row in a direction, where there is more than one to choose from.
    pub fn best_of(&self, row: Row, direction: Direction) -> Option<f64> {
        let models = 0..self.numbers.len();
        let cells = models.map(|model| self.cell(row, Column { model, direction }));
        let values: Vec<f64> = cells.filter_map(Cell::value).collect();
        let unit = row.spec.metric.unit();
        let better = |one, other| {
            if is_better(unit, other, one) {
                other
            } else {
                one
            }
        };
        let best = values.iter().copied().reduce(better);
        best.filter(|_| values.len() > 1)
    }
}
