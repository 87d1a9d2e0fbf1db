//! A query, an item and a number a row, as text: CSV, TSV, JSON Lines and `{query: {item: number}}`.
//!
//! The numbers are scores of a run or grades of a ground truth: [`Rows::meaning`] tells which.

use std::fmt;
use std::marker::PhantomData;

use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::Direction;
use super::binary;
use super::columns::Columns;
use super::id::Id;
use super::json;
use super::source::Source;
use super::text::brief;
use crate::error::{Error, Result};

/// Rows by query, in the order of the file.
#[derive(Debug, Default)]
pub struct Rows {
    /// Each query with its rows.
    pub queries: Vec<(Id, Vec<Row>)>,
    /// The direction, where the names of the columns tell it.
    pub direction: Option<Direction>,
    /// Whether the rows have numbers; without any, their ranks order them.
    pub has_numbers: bool,
    /// Whether the file has the ranks, which are the places of the rows otherwise.
    pub has_ranks: bool,
    /// Whether the name of a column says that the numbers are grades.
    are_grades: bool,
    places: FxHashMap<Id, usize>,
    last: usize,
}

/// An item of a query.
#[derive(Debug)]
pub struct Row {
    /// The item.
    pub item: Id,
    /// From the best one on.
    pub rank: i64,
    /// Its score, higher is better, or its grade; 0 where the file has none.
    pub number: Number,
}

/// A number, and what of a whole one no float holds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Number {
    /// The number, rounded.
    pub value: f64,
    /// The number itself, where it is whole: it orders numbers that are equal when rounded.
    exact: i128,
}

/// What the numbers of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Grades of a ground truth.
    Grades,
    /// Scores or ranks of a run.
    Scores,
    /// Whole numbers beyond the usual grades.
    Unclear,
}

/// The grades that are told from scores: -2 and -1 stand for pairs without a judgment.
const GRADES: std::ops::RangeInclusive<f64> = -2.0..=4.0;
/// Names of a column of grades.
const GRADE: [&str; 5] = ["relevance", "rel", "grade", "label", "judgment"];
/// Bytes within which the first line ends.
const LONGEST_LINE: usize = 100_000;
/// Characters of a line that a message shows.
const SHOWN_LINE: usize = 160;
/// What a file of ranked lists may be, for messages.
pub const FORMS: &str = "CSV or TSV with a header (query,item,score), JSON Lines ({\"query\": .., \"items\": [..]}), \
    {query: {item: score}}, {query: [items]}, a TREC run or Parquet";

impl Number {
    /// Reads a number; `None` for text and NaN.
    pub fn parse(text: &str) -> Option<Self> {
        let whole = || text.parse::<i128>().ok().map(Number::from);
        whole().or_else(|| text.parse::<f64>().ok().and_then(Number::of))
    }

    fn of(value: f64) -> Option<Self> {
        let exact = value as i128;
        // Both zeros are one.
        let value = value + 0.0;
        (!value.is_nan()).then_some(Number { value, exact })
    }

    /// Orders numbers, whole ones beyond 2^53 too.
    pub fn order(self, other: Self) -> std::cmp::Ordering {
        let by_value = self.value.total_cmp(&other.value);
        by_value.then(self.exact.cmp(&other.exact))
    }

    fn negated(self) -> Self {
        Number {
            value: 0.0 - self.value,
            exact: -self.exact,
        }
    }
}

impl From<i128> for Number {
    fn from(exact: i128) -> Self {
        Number {
            value: exact as f64,
            exact,
        }
    }
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, query: Id, item: Id, rank: Option<i64>, number: Option<Number>) {
        self.has_numbers |= number.is_some();
        self.has_ranks |= rank.is_some();
        let place = self.query(query);
        let rows = &mut self.queries[place].1;
        rows.push(Row {
            item,
            rank: rank.unwrap_or(rows.len() as i64),
            number: number.unwrap_or_default(),
        });
    }

    /// The place of a query, a new one if need be.
    fn query(&mut self, query: Id) -> usize {
        if self
            .queries
            .get(self.last)
            .is_none_or(|(id, _)| *id != query)
        {
            self.last = *self.places.entry(query.clone()).or_insert_with(|| {
                self.queries.push((query, Vec::new()));
                self.queries.len() - 1
            });
        }
        self.last
    }

    /// What the numbers are, as far as the file tells.
    pub fn meaning(&self) -> Meaning {
        if self.are_grades {
            return Meaning::Grades;
        }
        if !self.has_numbers || self.has_ranks {
            return Meaning::Scores;
        }
        let rows = || self.queries.iter().flat_map(|(_, rows)| rows);
        let mut numbers = rows().map(|row| row.number.value);
        if numbers.any(|number| number.fract() != 0.0 || number.is_infinite()) {
            return Meaning::Scores;
        }
        if rows().all(|row| GRADES.contains(&row.number.value)) {
            Meaning::Grades
        } else {
            Meaning::Unclear
        }
    }

    /// Puts the rows of each query in order, the best first: by their numbers, and equal ones by rank. Gives the number
    /// of queries whose ranks say another order than their numbers.
    pub fn sort(&mut self) -> usize {
        let mut contradicting = 0;
        for (_, rows) in &mut self.queries {
            rows.sort_by(|a, b| b.number.order(a.number).then(a.rank.cmp(&b.rank)));
            contradicting += usize::from(!rows.is_sorted_by_key(|row| row.rank));
        }
        if self.has_ranks { contradicting } else { 0 }
    }
}

/// Whether a file is rows, by its first line: a header, or an object with a query.
pub fn are_rows(source: &Source) -> bool {
    let is_header = |header: Header| {
        let ids = header.names.iter().filter(|name| Columns::is_query(name));
        header.columns.is_ok() || ids.count() > 1
    };
    header(source, None).is_some_and(is_header) || are_lines(source)
}

/// Whether a file is JSON Lines of queries.
pub fn are_lines(source: &Source) -> bool {
    let object = serde_json::from_slice::<Map<String, Value>>(first_line(source));
    object.is_ok_and(|object| {
        let is_id = |(key, value): (&String, &Value)| {
            Columns::is_query(key) && (value.is_string() || value.is_number())
        };
        object.iter().any(is_id)
    })
}

/// The first line that says something.
fn first_line(source: &Source) -> &[u8] {
    let start = source.bytes();
    let start = &start[..start.len().min(LONGEST_LINE)];
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let mut lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty()).unwrap_or_default()
}

/// The first line of a table as text.
struct Header {
    delimiter: u8,
    names: Vec<String>,
    columns: Result<Columns>,
    has_grades: bool,
}

/// The names of the columns; `None` where the first line has fewer than two fields, or is JSON.
fn header(source: &Source, direction: Option<Direction>) -> Option<Header> {
    let line = str::from_utf8(first_line(source)).ok()?;
    let delimiter = if line.contains('\t') { '\t' } else { ',' };
    let names = line.split(delimiter);
    let names = names.map(|name| name.trim_matches(['"', ' ']).to_owned());
    let names: Vec<String> = names.collect();
    let is_grade = |name: &&str| GRADE.contains(&name.to_lowercase().as_str());
    let known = names.iter().map(String::as_str);
    let has_grades = known.clone().any(|name| is_grade(&name));
    let known: Vec<&str> = known
        .map(|name| if is_grade(&name) { "score" } else { name })
        .collect();
    let columns = Columns::find(&source.display(), &known, direction);
    (names.len() > 1 && !line.starts_with('[')).then(|| Header {
        delimiter: delimiter as u8,
        names: known.into_iter().map(str::to_owned).collect(),
        columns,
        has_grades,
    })
}

/// Reads a file of any of these forms; a known direction tells which of two ids is the query.
///
/// # Errors
/// Another form; columns that are missing; a number that is none, with its line.
pub fn read(source: &Source, direction: Option<Direction>) -> Result<Rows> {
    binary::refuse(source, FORMS)?;
    if first_line(source).starts_with(b"{") {
        if are_lines(source) {
            return lines(source, direction);
        }
        return json::parse(source);
    }
    let header = header(source, direction);
    let numbers = |header: &Header| {
        let is_number = |name: &String| name.parse::<f64>().is_ok();
        header.names.iter().any(is_number)
    };
    match header {
        Some(header) if header.columns.is_ok() || !numbers(&header) => table(source, header),
        Some(header) if header.names.len() == 3 => bare(source, &header),
        _ => {
            let line = String::from_utf8_lossy(first_line(source)).into_owned();
            let found = format!(
                "no ranked lists that are known: {}",
                brief(line, SHOWN_LINE)
            );
            Err(Error::new(source.display(), found).expected(FORMS))
        }
    }
}

/// The records of a table, each with its line.
fn records(
    source: &Source,
    delimiter: u8,
    has_headers: bool,
) -> impl Iterator<Item = Result<(u64, csv::StringRecord)>> {
    let file = source.display();
    let reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(has_headers)
        .trim(csv::Trim::All)
        .from_reader(source.bytes());
    reader.into_records().map(move |record| {
        let record = record.map_err(|error| Error::new(&file, error))?;
        Ok((record.position().map_or(0, csv::Position::line), record))
    })
}

/// A table with a header.
fn table(source: &Source, header: Header) -> Result<Rows> {
    let columns = header.columns?;
    let mut rows = Rows {
        direction: columns.direction,
        are_grades: header.has_grades,
        ..Rows::default()
    };
    let place = |name: &String| header.names.iter().position(|one| one == name);
    let cell = |record: &csv::StringRecord, name: &String| {
        place(name)
            .and_then(|at| record.get(at))
            .unwrap_or_default()
            .to_owned()
    };
    for record in records(source, header.delimiter, true) {
        let (line, record) = record?;
        let id = |name: &String, what: &str| match cell(&record, name) {
            id if id.is_empty() => Err(Error::new(
                source.display(),
                format!("line {line} has no {what}"),
            )
            .expected("a query and an item in every row")),
            id => Ok(Id::parse(&id)),
        };
        let number = |name: &String| {
            let text = cell(&record, name);
            Number::parse(&text)
                .ok_or_else(|| no_number(source, &format!("line {line}"), &text, name))
        };
        let rank = columns.rank.as_ref().map(&number).transpose()?;
        let score = columns.score.as_ref();
        let score = score.map(|(name, less_is_better)| {
            let number = number(name)?;
            Ok(if *less_is_better {
                number.negated()
            } else {
                number
            })
        });
        let rank = rank.map(|rank| rank.exact as i64);
        rows.push(
            id(&columns.query, "query")?,
            id(&columns.item, "item")?,
            rank,
            score.transpose()?,
        );
    }
    some(source, rows)
}

fn no_number(source: &Source, place: &str, text: &str, name: &str) -> Error {
    let text = brief(text.to_owned(), SHOWN_LINE);
    let found = format!("{place} has {text:?} as its {name}");
    Error::new(source.display(), found).expected("a number, not NaN, in every row")
}

/// A table of three columns without a header: query, item and score, where the third has fractions.
fn bare(source: &Source, header: &Header) -> Result<Rows> {
    let mut rows = Rows::default();
    for record in records(source, header.delimiter, false) {
        let (line, record) = record?;
        let text = record.get(2).unwrap_or_default();
        let number = Number::parse(text).filter(|_| record.len() == 3);
        let number =
            number.ok_or_else(|| no_number(source, &format!("line {line}"), text, "score"))?;
        rows.push(
            Id::parse(&record[0]),
            Id::parse(&record[1]),
            None,
            Some(number),
        );
    }
    if rows.meaning() == Meaning::Scores {
        return some(source, rows);
    }
    let found =
        "three columns without a header, the third of whole numbers: scores, ranks or grades";
    Err(Error::new(source.display(), found)
        .expected(FORMS)
        .mend("write the line query,item,score (or query,item,rank) above the others, with the separator of the file"))
}

fn some(source: &Source, rows: Rows) -> Result<Rows> {
    if rows.queries.is_empty() {
        return Err(
            Error::new(source.display(), "no row").expected("a row for each query and item")
        );
    }
    Ok(rows)
}

/// JSON Lines: an object for each query with a list of items, or for each query and item.
fn lines(source: &Source, direction: Option<Direction>) -> Result<Rows> {
    let mut rows = Rows::default();
    let mut columns: Option<Columns> = None;
    for (at, line) in (1..).zip(source.bytes().split(|&byte| byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let wrong = |found: String| {
            Error::new(source.display(), format!("line {at}: {found}")).expected(
                "{\"query\": id, \"items\": [ids, best first]}, or {\"query\": id, \"item\": id, \"score\": number}",
            )
        };
        let object: Map<String, Value> =
            serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
        if let Some((query, list)) = list_of(&object) {
            rows.direction = query.1;
            let query = id(query.0).ok_or_else(|| wrong("a query that is no id".into()))?;
            if rows.places.contains_key(&query) {
                return Err(wrong(format!("query {query} stands twice")));
            }
            let scores = object
                .iter()
                .find(|(key, _)| is_scores(key))
                .and_then(|(_, value)| value.as_array());
            if scores.is_some_and(|scores| scores.len() != list.len()) {
                return Err(wrong("another number of scores than of items".into()));
            }
            rows.query(query.clone());
            for (nth, item) in list.iter().enumerate() {
                let item = id(item).ok_or_else(|| wrong("an item that is no id".into()))?;
                let score = scores.map(|scores| number(&scores[nth]));
                let score = score
                    .map(|score| score.ok_or_else(|| wrong("a score that is no number".into())));
                rows.push(query.clone(), item, None, score.transpose()?);
            }
            continue;
        }
        if columns.is_none() {
            let keys: Vec<&str> = object.keys().map(String::as_str).collect();
            columns = Some(Columns::find(&source.display(), &keys, direction)?);
        }
        let Some(columns) = &columns else { continue };
        let cell = |name: &String| object.get(name).ok_or_else(|| wrong(format!("no {name}")));
        let an_id =
            |name: &String| id(cell(name)?).ok_or_else(|| wrong(format!("a {name} that is no id")));
        let a_number = |name: &String| {
            number(cell(name)?).ok_or_else(|| wrong(format!("a {name} that is no number")))
        };
        let rank = columns.rank.as_ref().map(a_number).transpose()?;
        let score = columns.score.as_ref().map(|(name, less_is_better)| {
            a_number(name).map(|number| {
                if *less_is_better {
                    number.negated()
                } else {
                    number
                }
            })
        });
        rows.direction = columns.direction;
        rows.push(
            an_id(&columns.query)?,
            an_id(&columns.item)?,
            rank.map(|rank| rank.exact as i64),
            score.transpose()?,
        );
    }
    some(source, rows)
}

fn is_scores(key: &str) -> bool {
    ["scores", "similarities"].contains(&key)
}

/// A query, and its direction where its key tells it.
type Asked<'a> = (&'a Value, Option<Direction>);

/// The query of an object with its direction, and its one list of items; `None` where it has none.
fn list_of(object: &Map<String, Value>) -> Option<(Asked<'_>, &Vec<Value>)> {
    let mut lists = object
        .iter()
        .filter(|(key, value)| value.is_array() && !is_scores(key));
    let list = lists.next()?.1.as_array()?;
    let (key, query) = object.iter().find(|(key, _)| Columns::is_query(key))?;
    lists
        .next()
        .is_none()
        .then_some(((query, Columns::direction_of_query(key)), list))
}

fn id(value: &Value) -> Option<Id> {
    match value {
        Value::String(_) | Value::Number(_) => serde_json::from_value(value.clone()).ok(),
        _ => None,
    }
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => Number::parse(&number.to_string()),
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Rows {
    /// Reads `{query: {item: number}}`.
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        let mut rows = Rows::default();
        json.deserialize_map(Queries(&mut rows))?;
        rows.has_numbers = true;
        Ok(rows)
    }
}

struct Queries<'a>(&'a mut Rows);

impl<'de> Visitor<'de> for Queries<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object {query id: {item id: number}}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(query) = map.next_key::<Id>()? {
            if self.0.places.contains_key(&query) {
                return Err(A::Error::custom(format!("query {query} stands twice")));
            }
            let place = self.0.query(query);
            map.next_value_seed(Items(&mut self.0.queries[place].1))?;
        }
        Ok(())
    }
}

struct Items<'a>(&'a mut Vec<Row>);

impl<'de> DeserializeSeed<'de> for Items<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Items<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object {item id: number}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some((item, number)) = map.next_entry::<Id, Number>()? {
            let rank = self.0.len() as i64;
            self.0.push(Row { item, rank, number });
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        json.deserialize_any(ANumber(PhantomData))
    }
}

struct ANumber(PhantomData<()>);

impl Visitor<'_> for ANumber {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Number, E> {
        Ok(i128::from(value).into())
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Number, E> {
        Ok(i128::from(value).into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> std::result::Result<Number, E> {
        Number::of(value).ok_or_else(|| E::custom("NaN"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Rows> {
        super::read(&Source::in_memory("r", text.as_bytes().to_vec()), None)
    }

    /// Each query with its items, the best first.
    fn lists(text: &str) -> String {
        let mut rows = read(text).unwrap();
        rows.sort();
        let list = |(query, rows): &(Id, Vec<Row>)| {
            let items: String = rows.iter().map(|row| row.item.to_string()).collect();
            format!("{query}:{items}")
        };
        rows.queries.iter().map(list).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_form_gives_the_same_lists() {
        for text in [
            r#"{"q": {"a": 0.5, "b": 2, "c": 0.5}, "r": {"a": 1.5}}"#,
            "query,item,score\nq,a,0.5\nq,b,2\nr,a,1.5\nq,c,0.5\n",
            "\u{feff}query_id\tdoc_id\trank\tscore\nq\ta\t1\t0.5\nr\ta\t1\t1.5\nq\tb\t2\t2\nq\tc\t3\t0.5\r\n",
            "\"qid\",\"docno\",\"distance\"\nq,\"a\",0.5\nq,b,-2\nq,c,0.5\nr,a,1\n",
            "query-id,corpus-id,rank\nq,b,1\nq,a,2\nq,c,3\nr,a,1\n",
            "q,a,0.5\nq,b,2\nq,c,0.5\nr,a,1.5\n",
            "{\"query\": \"q\", \"items\": [\"b\", \"a\", \"c\"]}\n{\"query\": \"r\", \"items\": [\"a\"]}\n",
            "{\"query_id\": \"q\", \"doc_ids\": [\"a\", \"b\", \"c\"], \"scores\": [0.5, 2, 0.5]}\n{\"query_id\": \"r\", \"doc_ids\": [\"a\"], \"scores\": [1]}",
            "{\"qid\": \"q\", \"docno\": \"b\", \"score\": 3}\n\n{\"qid\": \"q\", \"docno\": \"a\", \"score\": 1}\n{\"qid\": \"q\", \"docno\": \"c\", \"score\": 1}\n{\"qid\": \"r\", \"docno\": \"a\", \"score\": 1}",
        ] {
            assert_eq!(lists(text), "q:bac r:a", "{text}");
        }
    }

    #[test]
    fn whole_scores_that_no_float_tells_apart_are_in_order() {
        let big = r#"{"q": {"a": 9007199254740993, "b": 9007199254740992, "c": 9007199254740994}}"#;
        assert_eq!(lists(big), "q:cab");
    }

    #[test]
    fn numbers_tell_grades_from_scores() {
        let meaning = |text: &str| read(text).unwrap().meaning();
        assert_eq!(meaning(r#"{"q": {"a": 1, "b": 0.0}}"#), Meaning::Grades);
        assert_eq!(meaning(r#"{"q": {"a": 1, "b": 0.5}}"#), Meaning::Scores);
        assert_eq!(meaning(r#"{"q": {"a": 80, "b": 79}}"#), Meaning::Unclear);
        assert_eq!(meaning("query,item,relevance\nq,a,9\n"), Meaning::Grades);
        assert_eq!(meaning("query,item,rank\nq,a,1\n"), Meaning::Scores);
    }

    #[test]
    fn what_is_no_row_is_told_with_its_place() {
        for (text, told) in [
            ("query,item,score\nq,a,NaN\n", "line 2"),
            ("query,item,score\nq,a\n", "record 1"),
            ("query,item,score\nq,,1\n", "line 2 has no item"),
            ("query,item,score\n", "no row"),
            ("query,item\nq,a\n", "neither a rank nor a score"),
            ("q,a,1\nq,b,2\n", "without a header"),
            ("a dog runs", "no ranked lists"),
            ("[[1, 2], [3, 4]]", "no ranked lists"),
            (r#"{"q": {"a": 1}, "q": {"a": 2}}"#, "query q stands twice"),
            (r#"{"q": {"a": "1"}}"#, "a number"),
            ("{\"query\": 1, \"items\": [[2]]}", "no id"),
            (
                "{\"query\": 1, \"items\": [2], \"scores\": []}",
                "another number of scores",
            ),
            (
                "caption_id,image_id,score\n1,2,0.5\n",
                "no word which is the query",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
