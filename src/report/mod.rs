//! Subcommand results, in every format.
//!
//! A subcommand builds a [`Report`]: titled tables of typed cells, notes, the data and the JSON tree. It writes no
//! format; a format (see [`formats`]) knows no subcommand.

pub mod agreement;
pub mod bias;
mod cell;
pub mod compare;
pub mod correlate;
pub mod curve;
pub mod entities;
pub mod errors;
pub mod evaluation;
pub mod findings;
pub mod fine_grained;
pub mod formats;
pub mod import;
pub mod items;
mod list;
pub mod localize;
pub mod matches;
pub mod nearest;
mod paired_test;
pub mod pairs;
pub mod per_query;
pub mod pool;
pub mod preferences;
pub mod ratings;
pub mod reuse;
pub mod semantic_recall;
pub mod series;
pub mod slices;
pub mod stats;
pub mod top_results;
pub mod union;

use serde_json::{Value, json};

pub use cell::Cell;

use crate::study::{Pool, Study};

/// The output of a table for people.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// In columns.
    pub width: usize,
    /// Whether it shows bold text.
    pub is_bold: bool,
}

/// Result of a subcommand. Rows and the JSON tree are built during writing, and only those of the format.
pub struct Report<'a> {
    /// Subject of all tables; empty if in their titles.
    pub heading: String,
    /// For people.
    pub tables: Vec<Table<'a>>,
    /// The table for LaTeX; `None` if it prints `tables`.
    pub paper: Option<Table<'a>>,
    /// Notes below all tables.
    pub notes: Vec<String>,
    /// How many of these, at the end, go with the numbers everywhere: the candidate pool, warnings.
    pub essential: usize,
    /// Whether the best is shown in bold, not with an asterisk.
    pub is_bold: bool,
    /// Meaning of the marks on best cells: `best model`; `None` without marks.
    pub best: Option<&'static str>,
    /// For data frames: shares from 0 to 1, mostly one number a row.
    pub data: Table<'a>,
    /// For programs.
    pub json: Json<'a>,
}

/// A table of typed cells.
pub struct Table<'a> {
    /// One line; empty if not needed.
    pub title: String,
    /// Headings of the columns.
    pub head: Vec<String>,
    /// Lines of headings over the column heads, with the number of columns; empty without any.
    pub over: Vec<Vec<(String, usize)>>,
    /// Which columns are numbers, to be right-aligned.
    pub is_number: Vec<bool>,
    /// One cell per column.
    pub rows: Box<dyn Iterator<Item = Vec<Cell>> + 'a>,
    /// Rows below a rule, in tables of papers: number of queries of a column.
    pub foot: Vec<Vec<Cell>>,
    /// Replacement on a terminal, including the title.
    pub drawn: Option<String>,
}

/// The JSON form of a report.
pub enum Json<'a> {
    /// A tree.
    Tree(Box<dyn FnOnce() -> Value + 'a>),
    /// Rows of the data as objects, one per line.
    Rows,
}

impl<'a> Report<'a> {
    /// A report without heading, notes and best cells.
    fn new(tables: Vec<Table<'a>>, data: Table<'a>, json: Json<'a>) -> Self {
        Report {
            heading: String::new(),
            tables,
            paper: None,
            notes: Vec::new(),
            essential: 0,
            is_bold: false,
            best: None,
            data,
            json,
        }
    }

    /// Names the candidate pool of the study, unless it is the whole gallery.
    #[must_use]
    pub fn among(self, study: &Study) -> Self {
        let name = study.pool_name(study.pool);
        let mut named = self.with_json("pool", json!(name));
        if study.pool != Pool::All {
            named.notes.push(format!("candidate pool: {name}"));
            named.essential += 1;
        }
        named
    }

    /// The notes; the first also explains the sign of the best cells.
    fn notes_with(&self, sign: &str) -> Vec<String> {
        let mut notes = self.notes.clone();
        if let (Some(first), Some(best)) = (notes.first_mut(), self.best) {
            *first = format!("{first}; {sign} {best}");
        }
        notes
    }
}

impl<'a> Table<'a> {
    /// A table whose first `words` columns are text, and the others numbers.
    fn new(
        title: impl Into<String>,
        head: impl IntoIterator<Item: Into<String>>,
        words: usize,
        rows: impl IntoIterator<Item = Vec<Cell>, IntoIter: 'a>,
    ) -> Self {
        let head: Vec<String> = head.into_iter().map(Into::into).collect();
        Table {
            title: title.into(),
            is_number: (0..head.len()).map(|at| at >= words).collect(),
            head,
            over: Vec::new(),
            rows: Box::new(rows.into_iter()),
            foot: Vec::new(),
            drawn: None,
        }
    }

    /// The headings in one line, each with those over it.
    fn flat_head(&self) -> Vec<String> {
        let at = |line: &Vec<(String, usize)>, column: usize| {
            let mut words = line.iter().flat_map(|(words, count)| vec![words.clone(); *count]);
            words.nth(column).unwrap_or_default()
        };
        let flat = |(column, head): (usize, &String)| {
            let over = self.over.iter().map(|line| at(line, column));
            let words = over.chain([head.clone()]).filter(|words| !words.is_empty());
            words.collect::<Vec<_>>().join(" ")
        };
        self.head.iter().enumerate().map(flat).collect()
    }

    /// The rows as objects by the headings.
    fn records(self) -> impl Iterator<Item = Value> {
        let head = self.head;
        self.rows.map(move |row| {
            let keyed = head.iter().cloned().zip(row.iter().map(Cell::json));
            Value::Object(keyed.collect())
        })
    }
}

impl<'a> Json<'a> {
    /// A tree that is built on demand.
    fn tree(tree: impl FnOnce() -> Value + 'a) -> Self {
        Json::Tree(Box::new(tree))
    }
}

/// A caption's text; empty if unknown.
fn caption_text(study: &Study, caption: u32) -> String {
    let text = study.gallery.texts.get(caption as usize);
    text.map_or_else(String::new, |text| text.shown().to_owned())
}
