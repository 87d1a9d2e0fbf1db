//! Rows of JSON: an object a line, or `{query: {item: number}}`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{Direction, Id, Number, Row, Rows, Source, some};
use crate::data::columns::Columns;
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
        let cell = |name: &String| object.get(name).ok_or_else(|| wrong(format!("no {name}")));
        let an_id =
            |name: &String| id(cell(name)?).ok_or_else(|| wrong(format!("a {name} that is no id")));
        let a_number = |name: &String| {
            number(cell(name)?).ok_or_else(|| wrong(format!("a {name} that is no number")))
        };
        let rank = columns.rank.as_ref().map(a_number).transpose()?;
        let score = columns.score.as_ref().map(|(name, less_is_better)| {
            a_number(name).map(|number| if *less_is_better { number.negated() } else { number })
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
