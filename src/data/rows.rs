//! Text files with a query, an item and a number per row: CSV, TSV and `{query: {item: number}}`.
//!
//! The numbers are scores of a run or grades of a ground truth: see [`Rows::meaning`].

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;
use serde::Deserialize;

use super::Direction;
use super::columns::Columns;
use super::id::Id;
use super::json::{self, Entries};
use super::source::Source;
use super::text::brief;
use crate::error::{Error, Result};

/// Rows by query, in the order of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "Scored")]
pub struct Rows {
    /// Each query with its rows.
    pub queries: IndexMap<Id, Vec<Row>, FxBuildHasher>,
    /// The direction, if column names give it.
    pub direction: Option<Direction>,
    /// Whether the rows have numbers; without, only ranks order them.
    pub has_numbers: bool,
    /// Whether the file has ranks; without, the order of the rows gives them.
    pub has_ranks: bool,
    /// Whether a column name says that the numbers are grades.
    are_grades: bool,
}

/// An item of a query, with its rank and its number.
#[derive(Debug)]
pub struct Row {
    /// The item.
    pub item: Id,
    /// Rank, lower is better; the position in the list, from 0, if the file has none.
    pub rank: i64,
    /// Score (higher is better) or grade; 1 in a file without numbers.
    pub number: f64,
}

/// What the numbers of a file mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Grades of a ground truth.
    Grades,
    /// Scores or ranks of a run.
    Scores,
    /// Whole numbers beyond the usual grades.
    Unclear,
}

/// Range of grades: -2 and -1 stand for pairs without a judgment.
const GRADES: std::ops::RangeInclusive<f64> = -2.0..=4.0;
/// Names of a column of grades.
const GRADE_COLUMNS: [&str; 5] = ["relevance", "rel", "grade", "label", "judgment"];
/// Bytes searched for the end of the first line.
const MAX_LINE_BYTES: usize = 100_000;
/// Maximum bytes of a file's text in a message.
const MAX_SHOWN_BYTES: usize = 160;
/// Supported formats of ranked lists, for messages.
pub const EXPECTED: &str = "CSV or TSV with a header (query,item,score), {query: {item: score}}, {query: [items]}, a TREC run or Parquet";

/// Parses a number; `None` for text and NaN.
pub fn parse_number(text: &str) -> Option<f64> {
    let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
    // Turns -0 into 0.
    number.map(|number| number + 0.0)
}

/// JSON of the form `{query: {item: number}}`.
type Scored = Entries<Id, Entries<Id, serde_json::Number>>;

impl TryFrom<Scored> for Rows {
    type Error = String;

    fn try_from(Entries(queries): Scored) -> std::result::Result<Self, String> {
        let mut rows = Rows { has_numbers: true, ..Rows::default() };
        for (query, Entries(items)) in queries {
            let row = |(rank, (item, number)): (i64, (Id, serde_json::Number))| Row {
                item,
                rank,
                number: number.as_f64().unwrap_or_default() + 0.0,
            };
            match rows.queries.entry(query) {
                Entry::Occupied(known) => {
                    return Err(format!("query {} stands twice", known.key()));
                }
                Entry::Vacant(new) => _ = new.insert((0..).zip(items).map(row).collect()),
            }
        }
        Ok(rows)
    }
}

impl Rows {
    /// Adds a row. Without a rank, it ranks behind the earlier rows of its query.
    pub fn push(&mut self, query: Id, item: Id, rank: Option<i64>, number: Option<f64>) {
        self.has_numbers |= number.is_some();
        self.has_ranks |= rank.is_some();
        let rows = self.queries.entry(query).or_default();
        rows.push(Row {
            item,
            rank: rank.unwrap_or(rows.len() as i64),
            number: number.unwrap_or(1.0),
        });
    }

    /// Whether the file lists positive pairs: its rows have neither ranks nor numbers.
    pub fn are_pairs(&self) -> bool {
        !self.has_ranks && !self.has_numbers
    }

    /// What the numbers mean, by a column name, by ranks beside them, or by their range.
    pub fn meaning(&self) -> Meaning {
        if self.are_grades || self.are_pairs() {
            return Meaning::Grades;
        }
        if !self.has_numbers || self.has_ranks {
            return Meaning::Scores;
        }
        let rows = || self.queries.values().flatten();
        let mut numbers = rows().map(|row| row.number);
        if numbers.any(|number| number.fract() != 0.0 || number.is_infinite()) {
            return Meaning::Scores;
        }
        if rows().all(|row| GRADES.contains(&row.number)) {
            Meaning::Grades
        } else {
            Meaning::Unclear
        }
    }

    /// Sorts the rows of each query, best first: by number, and equal ones by rank. Returns the number of queries whose
    /// ranks contradict their numbers, 0 if the file has no ranks.
    pub fn sort(&mut self) -> usize {
        let mut contradicting = 0;
        for rows in self.queries.values_mut() {
            rows.sort_by(|a, b| b.number.total_cmp(&a.number).then(a.rank.cmp(&b.rank)));
            contradicting += usize::from(!rows.is_sorted_by_key(|row| row.rank));
        }
        if self.has_ranks { contradicting } else { 0 }
    }
}

/// Whether the first line of a file is a header of ranked lists or grades.
pub fn has_header(source: &Source) -> bool {
    let is_known = |header: Header| {
        let ids = header.names.iter().filter(|name| Columns::is_query(name));
        header.columns.is_ok() || ids.count() > 1
    };
    read_header(source, None).is_some_and(is_known)
}

/// The first line that is not blank, trimmed and without a byte order mark.
pub(super) fn first_line(source: &Source) -> &[u8] {
    let start = source.bytes();
    let start = &start[..start.len().min(MAX_LINE_BYTES)];
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let mut lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty()).unwrap_or_default()
}

/// The first line of a CSV or TSV file.
struct Header {
    delimiter: u8,
    /// Names of the columns; `score` for a column of grades.
    names: Vec<String>,
    columns: Result<Columns>,
    has_grades: bool,
}

/// Parses the first line; `None` if it has fewer than two fields or is a JSON list.
fn read_header(source: &Source, direction: Option<Direction>) -> Option<Header> {
    let line = str::from_utf8(first_line(source)).ok()?;
    let delimiter = if line.contains('\t') { '\t' } else { ',' };
    let is_grade = |name: &str| GRADE_COLUMNS.contains(&name.to_lowercase().as_str());
    let names = line.split(delimiter).map(|name| name.trim_matches(['"', ' ']));
    let has_grades = names.clone().any(is_grade);
    let names: Vec<&str> = names.map(|name| if is_grade(name) { "score" } else { name }).collect();
    let columns = Columns::for_pairs(&names)
        .map_or_else(|| Columns::find(&source.display(), &names, direction), Ok);
    (names.len() > 1 && !line.starts_with('[')).then(|| Header {
        delimiter: delimiter as u8,
        names: names.iter().map(|&name| name.to_owned()).collect(),
        columns,
        has_grades,
    })
}

/// Reads ranked lists or grades: a table with a header, or JSON objects. A known direction decides which id is the
/// query.
///
/// # Errors
/// Another format; missing columns; an invalid number, with its line.
pub fn read(source: &Source, direction: Option<Direction>) -> Result<Rows> {
    source.require_text(EXPECTED)?;
    if first_line(source).starts_with(b"{") {
        return json::parse(source);
    }
    let is_number = |name: &String| name.parse::<f64>().is_ok();
    match read_header(source, direction) {
        Some(header) if header.columns.is_ok() || !header.names.iter().any(is_number) => {
            read_table(source, header)
        }
        _ => {
            let line = String::from_utf8_lossy(first_line(source)).into_owned();
            let found = format!("no ranked lists that are known: {}", brief(line, MAX_SHOWN_BYTES));
            Err(Error::new(source.display(), found).expected(EXPECTED))
        }
    }
}

/// Reads a CSV or TSV file.
fn read_table(source: &Source, header: Header) -> Result<Rows> {
    let columns = header.columns?;
    let mut rows =
        Rows { direction: columns.direction, are_grades: header.has_grades, ..Rows::default() };
    let reader = csv::ReaderBuilder::new()
        .delimiter(header.delimiter)
        .trim(csv::Trim::All)
        .from_reader(source.bytes());
    for record in reader.into_records() {
        let record = record.map_err(|error| Error::new(source.display(), error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |name: &str| {
            let column = header.names.iter().position(|column| column == name);
            column.and_then(|at| record.get(at)).unwrap_or_default()
        };
        let id = |name: &str| match cell(name) {
            "" => Err(Error::new(source.display(), format!("line {line} has no {name}"))
                .expected("a query and an item in every row")),
            id => Ok(Id::parse(id)),
        };
        let number = |name: &str| {
            let text = cell(name);
            parse_number(text).ok_or_else(|| {
                let text = brief(text.to_owned(), MAX_SHOWN_BYTES);
                let found = format!("line {line} has {text:?} as its {name}");
                Error::new(source.display(), found).expected("a number, not NaN, in every row")
            })
        };
        let rank = columns.rank.as_deref().map(number).transpose()?;
        let score = columns.score.as_ref().map(|(name, less_is_better)| {
            number(name).map(|number| if *less_is_better { 0.0 - number } else { number })
        });
        let (query, item) = (id(&columns.query)?, id(&columns.item)?);
        rows.push(query, item, rank.map(|rank| rank as i64), score.transpose()?);
    }
    if rows.queries.is_empty() {
        return Err(
            Error::new(source.display(), "no row").expected("a row for each query and item")
        );
    }
    Ok(rows)
}

#[cfg(test)]
mod tests;
