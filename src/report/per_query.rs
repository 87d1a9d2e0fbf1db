//! Values per query: a row for each model and query, a column for each metric under a ground truth.

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::per_query::Values;
use crate::data::index::ModelIx;
use crate::data::{Direction, PerDirection};
use crate::evaluate::plan::Line;
use crate::study::Study;

/// The values of all models by all metrics, for each query.
#[derive(Debug)]
pub struct PerQuery<'a> {
    /// Study with models and gallery.
    pub study: &'a Study,
    /// The metrics that have a value per query, each with its ground truth.
    pub lines: Vec<Line>,
    /// Requested directions.
    pub directions: Vec<Direction>,
    /// The values, by model, then by line.
    pub of_models: Vec<Vec<PerDirection<Option<Values>>>>,
}

/// Extensions of files with values per query: the keys of formats that are written row by row.
pub const EXTENSIONS: [&str; 2] = ["csv", "json"];

impl PerQuery<'_> {
    /// A row for each query that any line covers, by model, by direction, in gallery order.
    pub fn report(&self) -> Report<'_> {
        Report::new(vec![self.table()], self.table(), Json::Rows)
    }

    /// The table of [`PerQuery::report`].
    fn table(&self) -> Table<'_> {
        let rows = (0..self.of_models.len()).map(ModelIx::new).flat_map(move |model| {
            self.directions.iter().flat_map(move |&direction| self.rows(model, direction))
        });
        let keys = self.lines.iter().map(|line| line.key.as_str());
        let head = ["model", "direction", "query", "image"].into_iter();
        Table::new("", head.chain(keys), 4, rows)
    }

    /// The rows of a model in a direction.
    fn rows(&self, model: ModelIx, direction: Direction) -> impl Iterator<Item = Vec<Cell>> {
        let queries = self.study.gallery.queries(direction);
        let lines = self.of_models[model.get()].iter();
        let columns: Vec<Vec<Cell>> =
            lines.map(|values| column(values[direction].as_ref(), queries.len())).collect();
        (0..queries.len()).filter_map(move |query| {
            let values = columns.iter().map(|column| column[query].clone());
            let is_covered = values.clone().any(|value| value != Cell::Empty);
            let head = row![
                &self.study.models[model].name,
                direction,
                Cell::Id(queries[query].to_string()),
                Cell::Id(self.image(direction, query))
            ];
            is_covered.then(|| head.into_iter().chain(values).collect())
        })
    }

    /// The id of the image of a query; empty if unknown.
    fn image(&self, direction: Direction, query: usize) -> String {
        let image = match direction {
            Direction::I2t => Some(query),
            Direction::T2i => {
                self.study.original_items(direction, query).first().map(|image| image as usize)
            }
        };
        image.map_or_else(String::new, |image| self.study.gallery.images[image].to_string())
    }
}

/// A cell for each query of the gallery, `size` in all; empty if the query is not covered.
fn column(values: Option<&Values>, size: usize) -> Vec<Cell> {
    let mut column = vec![Cell::Empty; size];
    let known = values.into_iter().flat_map(|values| values.queries.iter().zip(&values.values));
    for (&query, &value) in known {
        column[query as usize] = value.into();
    }
    column
}
