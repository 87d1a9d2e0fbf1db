//! An evaluation as papers print it.

use super::{Evaluated, is_best, number};
use crate::evaluate::Value;
use crate::report::Table;
use crate::report::cell::Cell;
use crate::report::paper::{self, Column};

impl Evaluated<'_> {
    /// A table for each ground truth, a row for each model: shares in percent with one decimal. None where
    /// intervals or runs are told, which need more room.
    pub(super) fn papers(&self) -> Vec<Table<'_>> {
        if self.intervals.is_some() || !self.runs().is_empty() {
            return Vec::new();
        }
        let columns = self.columns();
        let names: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        let mut papers = Vec::new();
        for (at, line) in self.evaluation.lines.iter().enumerate() {
            let values: Vec<Value> = columns.iter().map(|(_, values)| values[at]).collect();
            let models = &values[..self.evaluation.models.len()];
            let is_sum = values.iter().any(|value| matches!(value, Value::Both(_)));
            let directions = if is_sum { 1 } else { self.directions.len() };
            for &direction in self.directions.iter().take(directions) {
                let cell = |(column, value): (usize, &Value)| {
                    let is_rival = models.len() > 1 && column < models.len();
                    let is_best = is_rival && is_best(*value, models, direction, line.unit());
                    let shown = number(*value, direction);
                    let shown = shown.map(|value| Cell::Decimal(value, line.unit()));
                    shown.map_or(Cell::Undefined, |cell| cell.marked(is_best))
                };
                let cells: Vec<Cell> = values.iter().enumerate().map(cell).collect();
                if cells.iter().any(|cell| *cell != Cell::Undefined) {
                    let direction = (!is_sum).then_some(direction);
                    papers.push(Column::new(line, direction, cells));
                }
            }
        }
        paper::tables(&names, papers)
    }
}
