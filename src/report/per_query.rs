//! Values query by query, as a table: a row for each model and query, a column for each line.

use std::io::{self, BufWriter, Write};

use serde_json::{Map, Value as Json, json};

use super::found::id;
use crate::analysis::per_query::Values;
use crate::data::{Direction, PerDirection, json_text, table};
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

/// One query of one model.
struct Row<'a> {
    model: &'a str,
    direction: Direction,
    query: String,
    /// The image that the query is, or belongs to, where it is known.
    image: String,
    /// The value under each line; `None` where it is not judged or undefined.
    values: Vec<Option<f64>>,
}

/// A way of writing them.
type WriteAll = fn(&PerQuery<'_>, &mut dyn Write) -> io::Result<()>;

/// Every format, by the ending of the file's name.
pub const FORMATS: &[(&str, WriteAll)] = &[("csv", csv), ("json", json), ("parquet", parquet)];

impl PerQuery<'_> {
    /// Names of the columns.
    fn head(&self) -> Vec<String> {
        let keys = self.lines.iter().map(|line| line.key.clone());
        let named = ["model", "direction", "query", "image"].map(str::to_owned);
        named.into_iter().chain(keys).collect()
    }

    /// Hands over every row: model by model, direction by direction, in gallery order, those queries that
    /// any line judges.
    fn each(&self, mut row: impl FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        for (model, of_model) in self.of_models.iter().enumerate() {
            for &direction in &self.directions {
                let columns = self.columns(of_model, direction);
                for query in 0..self.study.gallery.queries(direction).len() {
                    if let Some(values) = columns.of(query) {
                        row(Row {
                            model: &self.study.models[model].name,
                            direction,
                            query: self.study.gallery.queries(direction)[query].to_string(),
                            image: self.image(direction, query),
                            values,
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    fn image(&self, direction: Direction, query: usize) -> String {
        let image = match direction {
            Direction::I2t => Some(query),
            Direction::T2i => self
                .study
                .own(direction, query)
                .first()
                .map(|at| at as usize),
        };
        image.map_or_else(String::new, |at| self.study.gallery.images[at].to_string())
    }

    /// The values of each line by gallery index.
    fn columns(&self, of_model: &[PerDirection<Option<Values>>], direction: Direction) -> Columns {
        let size = self.study.gallery.queries(direction).len();
        let column = |of_line: &PerDirection<Option<Values>>| {
            let mut column = vec![Cell::NotJudged; size];
            if let Some(values) = &of_line[direction] {
                for (&query, &value) in values.queries.iter().zip(&values.values) {
                    column[query as usize] = Cell::Judged(value);
                }
            }
            column
        };
        Columns(of_model.iter().map(column).collect())
    }
}

/// A query under a line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    NotJudged,
    /// Its value; `None` where it is undefined.
    Judged(Option<f64>),
}

/// By line and query.
struct Columns(Vec<Vec<Cell>>);

impl Columns {
    /// The values of a query; `None` where no line judges it.
    fn of(&self, query: usize) -> Option<Vec<Option<f64>>> {
        let cells = || self.0.iter().map(|column| column[query]);
        let value = |cell| match cell {
            Cell::NotJudged => None,
            Cell::Judged(value) => value,
        };
        let is_judged = cells().any(|cell| cell != Cell::NotJudged);
        is_judged.then(|| cells().map(value).collect())
    }
}

fn csv(all: &PerQuery<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = csv::Writer::from_writer(BufWriter::new(out));
    lines.write_record(all.head())?;
    all.each(|row| {
        let named = [row.model, row.direction.key(), &row.query, &row.image];
        let values = row.values.iter().map(|value| super::csv::full(*value));
        let cells = named.into_iter().map(str::to_owned).chain(values);
        let cells = cells.map(|cell| super::csv::harmless(&cell).into_owned());
        Ok(lines.write_record(cells)?)
    })?;
    lines.flush()
}

/// An array of objects, one a line.
fn json(all: &PerQuery<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let mut before = "[\n";
    all.each(|row| {
        let mut told: Map<String, Json> = Map::new();
        told.insert("model".into(), json!(row.model));
        told.insert("direction".into(), json!(row.direction.key()));
        told.insert("query".into(), id(&row.query));
        told.insert("image".into(), id(&row.image));
        let keyed = all.lines.iter().zip(row.values);
        told.extend(keyed.map(|(line, value)| (line.key.clone(), json!(value))));
        out.write_all(before.as_bytes())?;
        before = ",\n";
        json_text::write(&mut out, &told)
    })?;
    out.write_all(if before == ",\n" { b"\n]\n" } else { b"[]\n" })?;
    out.flush()
}

/// All rows at once: the format holds them column by column.
fn parquet(all: &PerQuery<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut words: [Vec<String>; 4] = Default::default();
    let mut values = vec![Vec::new(); all.lines.len()];
    all.each(|row| {
        let cells = [
            row.model.to_owned(),
            row.direction.key().to_owned(),
            row.query,
            row.image,
        ];
        for (column, cell) in words.iter_mut().zip(cells) {
            column.push(cell);
        }
        for (column, value) in values.iter_mut().zip(row.values) {
            column.push(value);
        }
        Ok(())
    })?;
    let bytes = table::written(&all.head(), &words, &values).map_err(io::Error::other)?;
    out.write_all(&bytes)
}
