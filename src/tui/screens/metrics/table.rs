//! What the table holds: rows, columns in order, and the value of each cell.

use std::cmp::Ordering;

use super::{Cx, Order};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::tui::model::metrics_table::is_better;
use crate::tui::model::metrics_table::{Column, Row};

impl Cx<'_> {
    /// The selected row.
    pub fn row(self) -> Option<Row> {
        let rows = self.model.metrics_rows();
        rows.get(self.state.row).or(rows.last()).copied()
    }

    /// The selected column.
    pub fn column(self) -> Column {
        let looked_at =
            Column { model: self.model.view.model, direction: self.model.view.direction };
        let here = self.state.column;
        here.filter(|column| column.model.get() < self.model.numbers.len()).unwrap_or(looked_at)
    }

    /// The models in the order of the columns: as loaded, or the best first.
    pub fn models(self) -> Vec<ModelIx> {
        let mut models: Vec<ModelIx> = ModelIx::all(&self.model.numbers).collect();
        let Some(Order { row, direction }) = self.state.order else {
            return models;
        };
        let value = |model: ModelIx| self.model.cell(row, Column { model, direction }).value();
        let unit = row.measure.unit();
        models.sort_by(|&one, &other| match (value(one), value(other)) {
            (Some(one), Some(other)) if is_better(unit, one, other) => Ordering::Less,
            (Some(one), Some(other)) if is_better(unit, other, one) => Ordering::Greater,
            // Those without a value come last.
            (one, other) => other.is_some().cmp(&one.is_some()),
        });
        models
    }

    /// The columns of the table, in order.
    pub fn columns(self) -> Vec<Column> {
        let of_model = |model| Direction::both(|direction| Column { model, direction });
        let models = self.models().into_iter();
        models.flat_map(of_model).collect()
    }
}
