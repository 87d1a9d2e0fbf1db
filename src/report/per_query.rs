//! Values per query, as a table: a row for each model and query, a column for each line.

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::per_query::Values;
use crate::data::index::ModelIx;
use crate::data::{Direction, PerDirection};
use crate::evaluate::plan::Line;
use crate::study::Study;

/// The values of all models under all lines.
#[derive(Debug)]
pub struct PerQuery<'a> {
    /// Names and ids.
    pub study: &'a Study,
    /// The lines with a value per query.
    pub lines: Vec<Line>,
    /// Requested directions.
    pub directions: Vec<Direction>,
    /// By model, then by line.
    pub of_models: Vec<Vec<PerDirection<Option<Values>>>>,
}

/// Formats of a file of these, by extension: those that write row by row.
pub const ENDINGS: [&str; 2] = ["csv", "json"];

impl PerQuery<'_> {
    /// Every row: by model, by direction, in gallery order, of the queries that any line covers.
    pub fn report(&self) -> Report<'_> {
        Report::new(vec![self.table()], self.table(), Json::Rows)
    }

    fn table(&self) -> Table<'_> {
        let models = (0..self.of_models.len()).map(ModelIx::new);
        let rows = models.flat_map(move |model| {
            let directions = self.directions.iter();
            directions.flat_map(move |&direction| self.rows(model, direction))
        });
        let keys = self.lines.iter().map(|line| line.key.as_str());
        let head = ["model", "direction", "query", "image"].into_iter();
        Table::new("", head.chain(keys), 4, rows)
    }

    /// The rows of a model in a direction.
    fn rows(&self, model: ModelIx, direction: Direction) -> impl Iterator<Item = Vec<Cell>> {
        let queries = self.study.gallery.queries(direction);
        let of_lines = self.of_models[model.get()].iter();
        let columns: Vec<Vec<Cell>> =
            of_lines.map(|of_line| column(of_line[direction].as_ref(), queries.len())).collect();
        (0..queries.len()).filter_map(move |query| {
            let values = columns.iter().map(|column| column[query].clone());
            let is_judged = values.clone().any(|value| value != Cell::Empty);
            let of_query = row![
                &self.study.models[model].name,
                direction,
                Cell::Id(queries[query].to_string()),
                Cell::Id(self.image(direction, query))
            ];
            is_judged.then(|| of_query.into_iter().chain(values).collect())
        })
    }

    /// The image of a query; empty if unknown.
    fn image(&self, direction: Direction, query: usize) -> String {
        let image = match direction {
            Direction::I2t => Some(query),
            Direction::T2i => {
                self.study.original_items(direction, query).first().map(|at| at as usize)
            }
        };
        image.map_or_else(String::new, |at| self.study.gallery.images[at].to_string())
    }
}

/// The values by gallery index: empty if the query is not covered.
fn column(values: Option<&Values>, size: usize) -> Vec<Cell> {
    let mut column = vec![Cell::Empty; size];
    let each = values.into_iter().flat_map(|of| of.queries.iter().zip(&of.values));
    for (&query, &value) in each {
        column[query as usize] = value.into();
    }
    column
}
