//! Columns of a result list: requested values, and those in an expression.

use std::ops::Range;

use super::Expression;
use super::mistake::Mistake;
use super::parser::{NUMBER_OR_CONDITION, Parser};
use crate::metric::spelling;
use crate::study::{Study, View};

/// Values that every list of queries has.
const THERE: [&str; 4] = ["rank", "r1", "map_at_r", "ap_at_r"];

/// The name of the query's rank beside the item's.
const QUERY_RANK: &str = "query_rank";

/// Values from a person's marks.
const OF_PERSON: [&str; 3] = ["picked", "judgments", "tag"];

/// A number or condition of each query, and its text.
#[derive(Debug, Clone)]
pub struct Column {
    /// The expression.
    pub text: String,
    pub(super) value: Expression,
}

impl Column {
    /// Parses a number, else a condition, as 1 or 0.
    ///
    /// # Errors
    /// Neither, with its position.
    pub fn parse(text: &str, study: &Study, view: View) -> Result<Self, Mistake> {
        let value = Expression::parse(text, study, view, NUMBER_OR_CONDITION)?;
        Ok(Column { text: text.trim().to_owned(), value })
    }

    /// The numbers in some expressions, then the requested ones, each once. Of queries, without those that every list
    /// has; a list of items has none of them.
    pub fn each_once(
        (named, of_items): ([Option<&str>; 2], bool),
        asked: impl IntoIterator<Item = Self>,
        (study, view): (&Study, View),
    ) -> Vec<Self> {
        let texts = named.into_iter().flatten();
        let named = texts.flat_map(|text| Column::named_in(text, study, view));
        let mut columns: Vec<Column> = Vec::new();
        for mut column in named.chain(asked) {
            if !of_items && column.is_there() {
                continue;
            }
            if of_items && column.text == THERE[0] {
                column.text = QUERY_RANK.into();
            }
            if columns.iter().all(|known| known.text != column.text) {
                columns.push(column);
            }
        }
        columns
    }

    /// The numbers in an expression, each once, in order.
    pub fn named_in(text: &str, study: &Study, view: View) -> Vec<Self> {
        let mut named: Vec<Column> = Vec::new();
        for at in values_in(text, study, view) {
            let column = Expression::number(&text[at.clone()], study, view);
            let is_new = named.iter().all(|known| known.text != text[at.clone()]);
            if let Some(value) = column.ok().filter(|_| is_new) {
                named.push(Column { text: text[at].to_owned(), value });
            }
        }
        named
    }

    /// Whether every list of queries has it.
    fn is_there(&self) -> bool {
        let key = spelling::key(&self.text);
        THERE.contains(&key.as_deref().unwrap_or(&self.text))
    }

    /// The first value in an expression that needs a person's marks.
    pub fn of_person(text: &str, study: &Study, view: View) -> Option<&'static str> {
        let mut values = values_in(text, study, view).into_iter();
        values.find_map(|at| OF_PERSON.into_iter().find(|name| *name == &text[at.clone()]))
    }
}

/// The byte ranges of values in an expression.
fn values_in(text: &str, study: &Study, view: View) -> Vec<Range<usize>> {
    let parsed = Parser::new(text, study, view)
        .and_then(|mut parser| parser.whole(NUMBER_OR_CONDITION).map(|_| parser.values));
    parsed.unwrap_or_default()
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
        let each_once = |text, of_items| {
            let columns = Column::each_once(([Some(text), None], of_items), [], (&study, view));
            columns.into_iter().map(|column| column.text).collect::<Vec<_>>()
        };
        assert_eq!(each_once(text, true)[2], "query_rank");
        assert_eq!(each_once(text, false), ["rich.r1", "extra_in_top(broad, 5)"]);
    }
}
