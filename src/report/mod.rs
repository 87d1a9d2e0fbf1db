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

/// Text output: a terminal, or a file or pipe.
#[derive(Debug, Clone, Copy)]
pub struct TextOutput {
    /// Width in columns; [`usize::MAX`] in files and pipes.
    pub width: usize,
    /// Whether text may be bold.
    pub is_bold: bool,
}

/// Result of a subcommand. A format builds only what it writes: the rows of its tables, or the JSON tree.
pub struct Report<'a> {
    /// Subject of all tables, or a conclusion; empty if table titles are enough.
    pub heading: String,
    /// Tables for people.
    pub tables: Vec<Table<'a>>,
    /// The table that LaTeX prints instead of `tables`.
    pub paper: Option<Table<'a>>,
    /// Notes below all tables.
    pub notes: Vec<String>,
    /// Number of notes, at the end, that no format may omit: the candidate pool, warnings.
    pub essential_notes: usize,
    /// Where tables are printed. Without bold text, the best cells have an asterisk.
    pub output: TextOutput,
    /// What the mark on best cells means, such as `best model`; `None` without marks.
    pub best: Option<&'static str>,
    /// The table for data frames: shares from 0 to 1, mostly one number per row.
    pub data: Table<'a>,
    /// The JSON for programs.
    pub json: Json<'a>,
}

/// A table of typed cells.
pub struct Table<'a> {
    /// Title in one line; empty if the heading is enough.
    pub title: String,
    /// Headings of the columns.
    pub head: Vec<String>,
    /// Lines of group headings above `head`: the words and the number of columns of each group.
    pub group_heads: Vec<Vec<(String, usize)>>,
    /// Whether each column has numbers, which are right-aligned.
    pub is_number: Vec<bool>,
    /// The rows, with one cell per column.
    pub rows: Box<dyn Iterator<Item = Vec<Cell>> + 'a>,
    /// Rows below a rule, such as the number of queries of each column.
    pub foot: Vec<Vec<Cell>>,
    /// Columns that a narrow terminal drops, in this order; the columns of one entry are dropped together.
    pub optional: Vec<Vec<usize>>,
    /// Makes the text below the table on a terminal from the number of dropped entries of `optional`.
    pub terminal_note: Option<Box<dyn Fn(usize) -> String + 'a>>,
    /// Text that a terminal shows instead of the table and its title.
    pub terminal_text: Option<String>,
}

/// The JSON form of a report.
pub enum Json<'a> {
    /// Builds a JSON tree.
    Tree(Box<dyn FnOnce() -> Value + 'a>),
    /// The rows of [`Report::data`] as objects, one per line.
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
            essential_notes: 0,
            output: TextOutput { width: usize::MAX, is_bold: false },
            best: None,
            data,
            json,
        }
    }

    /// Adds the candidate pool of the study to the JSON, and to the notes unless it is the whole gallery.
    #[must_use]
    pub fn with_pool(self, study: &Study) -> Self {
        let name = study.pool_name(study.pool);
        let mut report = self.with_json("pool", json!(name));
        if study.pool != Pool::All {
            report.notes.push(format!("candidate pool: {name}"));
            report.essential_notes += 1;
        }
        report
    }

    /// The notes. If cells are marked as the best, the first note also explains `mark`, such as `bold:`.
    fn notes_with_mark(&self, mark: &str) -> Vec<String> {
        let mut notes = self.notes.clone();
        if let (Some(first), Some(best)) = (notes.first_mut(), self.best) {
            *first = format!("{first}; {mark} {best}");
        }
        notes
    }
}

impl<'a> Table<'a> {
    /// A table whose first `text_columns` columns are text, and the others numbers.
    fn new(
        title: impl Into<String>,
        head: impl IntoIterator<Item: Into<String>>,
        text_columns: usize,
        rows: impl IntoIterator<Item = Vec<Cell>, IntoIter: 'a>,
    ) -> Self {
        let head: Vec<String> = head.into_iter().map(Into::into).collect();
        Table {
            title: title.into(),
            is_number: (0..head.len()).map(|at| at >= text_columns).collect(),
            head,
            group_heads: Vec::new(),
            rows: Box::new(rows.into_iter()),
            foot: Vec::new(),
            optional: Vec::new(),
            terminal_note: None,
            terminal_text: None,
        }
    }

    /// Makes the columns with these headings optional, in this order.
    fn make_optional<'t>(&mut self, heads: impl IntoIterator<Item = &'t str>) {
        let place = |name: &'t str| Some(vec![self.head.iter().position(|head| head == name)?]);
        self.optional.extend(heads.into_iter().filter_map(place));
    }

    /// The headings of the columns in one line, each preceded by the headings of its groups.
    fn flat_head(&self) -> Vec<String> {
        let group_head = |line: &Vec<(String, usize)>, column: usize| {
            let mut heads = line.iter().flat_map(|(head, count)| vec![head.clone(); *count]);
            heads.nth(column).unwrap_or_default()
        };
        let full_head = |(column, head): (usize, &String)| {
            let groups = self.group_heads.iter().map(|line| group_head(line, column));
            let heads = groups.chain([head.clone()]).filter(|head| !head.is_empty());
            heads.collect::<Vec<_>>().join(" ")
        };
        self.head.iter().enumerate().map(full_head).collect()
    }

    /// The rows as JSON objects, keyed by the headings.
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
