//! Values query by query, as a table: a row for each model and query, a column for each line.

use super::cell::{Cell, cells, row};
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
    /// The lines that have a value for each query.
    pub lines: Vec<Line>,
    /// The directions wanted.
    pub directions: Vec<Direction>,
    /// By model, then by line.
    pub of_models: Vec<Vec<PerDirection<Option<Values>>>>,
}

/// The formats of a file with them, by the ending of its name: those that write row by row or column by column.
pub const ENDINGS: [&str; 3] = ["csv", "json", "parquet"];

impl PerQuery<'_> {
    /// Every row: model by model, direction by direction, in gallery order, those queries that any line judges.
    pub fn report(&self) -> Report<'_> {
        let models = (0..self.of_models.len()).map(ModelIx::new);
        let rows = models.flat_map(move |model| {
            let directions = self.directions.iter();
            directions.flat_map(move |&direction| self.rows(model, direction))
        });
        let keys = self.lines.iter().map(|line| line.key.as_str());
        let head = ["model", "direction", "query", "image"].into_iter();
        Report::new(Vec::new(), Table::new("", head.chain(keys), 4, rows), Json::Rows)
    }

    /// The rows of a model in a direction.
    fn rows(&self, model: ModelIx, direction: Direction) -> impl Iterator<Item = Vec<Cell>> {
        let columns = self.columns(&self.of_models[model.get()], direction);
        let queries = self.study.gallery.queries(direction);
        (0..queries.len()).filter_map(move |query| {
            let values = columns.of(query)?;
            let mut row = row![
                &self.study.models[model].name,
                direction,
                Cell::Id(queries[query].to_string()),
                Cell::Id(self.image(direction, query))
            ];
            row.extend(cells(values));
            Some(row)
        })
    }

    /// The image that a query is, or belongs to; nothing where it is not known.
    fn image(&self, direction: Direction, query: usize) -> String {
        let image = match direction {
            Direction::I2t => Some(query),
            Direction::T2i => self.study.own(direction, query).first().map(|at| at as usize),
        };
        image.map_or_else(String::new, |at| self.study.gallery.images[at].to_string())
    }

    /// The values of each line by gallery index.
    fn columns(&self, of_model: &[PerDirection<Option<Values>>], direction: Direction) -> Columns {
        let size = self.study.gallery.queries(direction).len();
        let column = |of_line: &PerDirection<Option<Values>>| {
            let mut column = vec![Judged::Not; size];
            if let Some(values) = &of_line[direction] {
                for (&query, &value) in values.queries.iter().zip(&values.values) {
                    column[query as usize] = Judged::Of(value);
                }
            }
            column
        };
        Columns(of_model.iter().map(column).collect())
    }
}

/// A query under a line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Judged {
    Not,
    /// Its value; `None` where it is undefined.
    Of(Option<f64>),
}

/// By line and query.
struct Columns(Vec<Vec<Judged>>);

impl Columns {
    /// The values of a query; `None` where no line judges it.
    fn of(&self, query: usize) -> Option<Vec<Option<f64>>> {
        let cells = || self.0.iter().map(|column| column[query]);
        let value = |cell| match cell {
            Judged::Not => None,
            Judged::Of(value) => value,
        };
        let is_judged = cells().any(|cell| cell != Judged::Not);
        is_judged.then(|| cells().map(value).collect())
    }
}
