//! Rows of JSON: an object a line, or `{query: {item: number}}`.

use serde_json::{Map, Value};

use super::{Direction, Id, Number, Row, Rows, Source, some};
use crate::data::columns::Columns;
use crate::data::json::Entries;
use crate::error::{Error, Result};

/// JSON Lines: an object for each query with a list of items, or for each query and item.
pub(super) fn lines(source: &Source, direction: Option<Direction>) -> Result<Rows> {
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
        let cell = |name: &str| object.get(name).ok_or_else(|| wrong(format!("no {name}")));
        let an_id =
            |name: &str| id(cell(name)?).ok_or_else(|| wrong(format!("a {name} that is no id")));
        let a_number = |name: &str| {
            number(cell(name)?).ok_or_else(|| wrong(format!("a {name} that is no number")))
        };
        rows.direction = columns.direction;
        rows.push_cells(columns, an_id, a_number)?;
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
    let mut lists = object.iter().filter(|(key, value)| value.is_array() && !is_scores(key));
    let list = lists.next()?.1.as_array()?;
    let (key, query) = object.iter().find(|(key, _)| Columns::is_query(key))?;
    lists.next().is_none().then_some(((query, Columns::direction_of_query(key)), list))
}

fn id(value: &Value) -> Option<Id> {
    match value {
        Value::String(_) | Value::Number(_) => serde_json::from_value(value.clone()).ok(),
        _ => None,
    }
}

fn number(value: &Value) -> Option<Number> {
    value.as_number().map(Number::from)
}

/// `{query: {item: number}}`.
pub(super) type Scored = Entries<Id, Entries<Id, serde_json::Number>>;

impl TryFrom<Scored> for Rows {
    type Error = String;

    fn try_from(Entries(queries): Scored) -> std::result::Result<Self, String> {
        let mut rows = Rows { has_numbers: true, ..Rows::default() };
        for (query, Entries(items)) in queries {
            if rows.places.contains_key(&query) {
                return Err(format!("query {query} stands twice"));
            }
            let place = rows.query(query);
            let row = |(rank, (item, number))| Row { item, rank, number: Number::from(&number) };
            rows.queries[place].1 = (0..).zip(items).map(row).collect();
        }
        Ok(rows)
    }
}
