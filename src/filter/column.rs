//! Values that are told of the queries found: those asked for, and those that an expression names.

use super::facts::{Facts, Needs};
use super::mistake::Mistake;
use super::syntax::{Expr, Node};
use super::{BoundFilter, BoundKey, Filter, Key, parser};
use crate::metric::spelling;
use crate::study::{Study, View};

/// Values that every list of queries has.
const THERE: [&str; 4] = ["rank", "r1", "map_at_r", "ap_at_r"];

/// The name of the query's rank beside the item's.
const QUERY_RANK: &str = "query_rank";

/// Values of what a person made.
const OF_PERSON: [&str; 2] = ["picked", "verdicts"];

/// A number of each query, or whether it meets a condition, and how that is written.
#[derive(Debug, Clone)]
pub struct Column {
    /// The expression.
    pub text: String,
    value: Value,
}

#[derive(Debug, Clone)]
enum Value {
    Number(Key),
    Condition(Filter),
}

impl Column {
    /// Reads a number, else a condition, which is 1 or 0.
    ///
    /// # Errors
    /// What is neither, with its place.
    pub fn parse(text: &str, study: &Study, view: View) -> Result<Self, Mistake> {
        let number = Key::parse(text, study, view).map(Value::Number);
        let value = number.or_else(|mistake| {
            let condition = Filter::parse(text, study, view);
            condition.map(Value::Condition).map_err(|_| mistake)
        })?;
        Ok(Column { text: text.trim().to_owned(), value })
    }

    /// The numbers that some expressions name, then those asked for, each once. Of queries, without those that every list
    /// has; a list of items has none of them.
    pub fn each_once(
        (named, of_items): ([Option<&str>; 2], bool),
        asked: impl IntoIterator<Item = Self>,
        (study, view): (&Study, View),
    ) -> Vec<Self> {
        let texts = named.into_iter().flatten();
        let named = texts.flat_map(|text| Column::named_in(text, study, view));
        let mut columns: Vec<Column> = Vec::new();
        for column in named.chain(asked) {
            let column = match of_items {
                true => column.beside_items(),
                false if column.is_there() => continue,
                false => column,
            };
            if columns.iter().all(|known| known.text != column.text) {
                columns.push(column);
            }
        }
        columns
    }

    /// The numbers that an expression names, each once, in their order.
    pub fn named_in(text: &str, study: &Study, view: View) -> Vec<Self> {
        let mut named: Vec<&str> = Vec::new();
        if let Ok(node) = parser::parse(text) {
            values(&node, text, &mut named);
        }
        let numbers = named.into_iter().filter_map(|name| {
            let number = Key::parse(name, study, view).ok()?;
            Some(Column { text: name.to_owned(), value: Value::Number(number) })
        });
        numbers.collect()
    }

    /// The same in a list of items, where `rank` is that of the item.
    fn beside_items(mut self) -> Self {
        if self.text == THERE[0] {
            self.text = QUERY_RANK.into();
        }
        self
    }

    /// Whether every list of queries has it.
    fn is_there(&self) -> bool {
        let key = spelling::key(&self.text);
        THERE.contains(&key.as_deref().unwrap_or(&self.text))
    }

    /// Whether it tells what a person made.
    pub fn is_of_person(&self) -> bool {
        OF_PERSON.contains(&&*self.text)
    }

    /// What it needs to be known.
    pub fn needs(&self) -> &Needs {
        match &self.value {
            Value::Number(key) => key.needs(),
            Value::Condition(filter) => filter.needs(),
        }
    }

    /// The column with the facts at hand; `None` where some are missing.
    pub(super) fn over<'a>(&'a self, facts: &'a dyn Facts) -> Option<BoundColumn<'a>> {
        match &self.value {
            Value::Number(key) => key.over(facts).ok().map(BoundColumn::Number),
            Value::Condition(filter) => filter.over(facts).ok().map(BoundColumn::Condition),
        }
    }
}

/// A [`Column`] that can be asked.
pub(super) enum BoundColumn<'a> {
    Number(BoundKey<'a>),
    Condition(BoundFilter<'a>),
}

impl BoundColumn<'_> {
    /// The number of a query, by gallery index; `None` where it is unknown.
    pub fn of(&self, query: usize) -> Option<f64> {
        match self {
            BoundColumn::Number(number) => number.of(query),
            BoundColumn::Condition(condition) => {
                condition.of(query).map(|met| f64::from(u8::from(met)))
            }
        }
    }
}

/// The values of an expression as they are written.
fn values<'a>(node: &Node, text: &'a str, into: &mut Vec<&'a str>) {
    match &node.expr {
        Expr::Value(_) => {
            let written = text.get(node.at.clone()).unwrap_or_default().trim();
            if !into.contains(&written) {
                into.push(written);
            }
        }
        Expr::Not(inner) | Expr::Negative(inner) => values(inner, text, into),
        Expr::Both(_, left, right) => {
            values(left, text, into);
            values(right, text, into);
        }
        Expr::Number(_) | Expr::Text(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::index::{ModelIx, TruthIx};
    use crate::study::demo;

    #[test]
    fn what_an_expression_names_is_given_once() {
        let study = demo::open().unwrap();
        let view =
            View { model: ModelIx::new(0), truth: TruthIx::new(1), direction: Direction::T2i };
        let text =
            "rich.r1 == 0 and (extra_in_top(broad, 5) >= 2 or rich.r1 > -rank) and text ~ \"dog\"";
        let columns = Column::named_in(text, &study, view);
        let named: Vec<&str> = columns.iter().map(|column| column.text.as_str()).collect();
        assert_eq!(named, ["rich.r1", "extra_in_top(broad, 5)", "rank"]);
        assert_eq!(Column::parse(" rank + 1 ", &study, view).unwrap().text, "rank + 1");
        assert!(Column::parse("rank > 3", &study, view).is_ok());
        assert!(Column::parse("text", &study, view).is_err());
        assert!(Column::named_in("rank >", &study, view).is_empty());
        let there = columns.iter().filter(|column| column.is_there()).count();
        assert_eq!(there, 1, "every list has ranks: {columns:?}");
        let beside = columns.into_iter().map(Column::beside_items);
        let beside: Vec<String> = beside.map(|column| column.text).collect();
        assert_eq!(beside[2], "query_rank");
    }
}
