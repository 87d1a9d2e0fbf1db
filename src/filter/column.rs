//! Columns of a list of queries or items: the values in its conditions, and requested values.

use std::ops::Range;

use super::Expression;
use super::mistake::Mistake;
use super::parser::{NUMBER_OR_CONDITION, Parser};
use crate::metric::spelling;
use crate::study::{Study, View};

/// Values that every list of queries has as columns anyway.
const STANDARD_VALUES: [&str; 4] = ["rank", "r1", "map_at_r", "ap_at_r"];

/// Name of the column with the query's rank in a list of items, which has a column `rank` of its own.
const QUERY_RANK: &str = "query_rank";

/// Values that need a person's marks.
const MARK_VALUES: [&str; 3] = ["picked", "judgments", "tag"];

/// A column with the value of an expression for each query.
#[derive(Debug, Clone)]
pub struct Column {
    /// The expression as text, the heading of the column.
    pub text: String,
    /// The expression, parsed.
    pub(super) value: Expression,
}

impl Column {
    /// Parses a number, or a condition, whose value is 1 or 0.
    ///
    /// # Errors
    /// A mistake, with its position.
    pub fn parse(text: &str, study: &Study, view: View) -> Result<Self, Mistake> {
        let value = Expression::parse(text, study, view, NUMBER_OR_CONDITION)?;
        Ok(Column { text: text.trim().to_owned(), value })
    }

    /// Columns for a list, each once: the numbers in `expressions` (condition and sort key), then the requested
    /// columns. A list of queries omits the columns that it has anyway. In a list of items (`is_of_items`), the query's
    /// `rank` is renamed to `query_rank`, since `rank` is the item's rank.
    pub fn collect(
        (expressions, is_of_items): ([Option<&str>; 2], bool),
        requested: impl IntoIterator<Item = Self>,
        (study, view): (&Study, View),
    ) -> Vec<Self> {
        let texts = expressions.into_iter().flatten();
        let found = texts.flat_map(|text| Column::find_numbers(text, study, view));
        let mut columns: Vec<Column> = Vec::new();
        for mut column in found.chain(requested) {
            if !is_of_items && column.is_standard() {
                continue;
            }
            if is_of_items && column.text == STANDARD_VALUES[0] {
                column.text = QUERY_RANK.into();
            }
            if columns.iter().all(|known| known.text != column.text) {
                columns.push(column);
            }
        }
        columns
    }

    /// A column for each number in an expression, in order and without duplicates; none if the expression is invalid.
    pub fn find_numbers(text: &str, study: &Study, view: View) -> Vec<Self> {
        let mut columns: Vec<Column> = Vec::new();
        for at in values_in(text, study, view) {
            let column = Expression::number(&text[at.clone()], study, view);
            let is_new = columns.iter().all(|known| known.text != text[at.clone()]);
            if let Some(value) = column.ok().filter(|_| is_new) {
                columns.push(Column { text: text[at].to_owned(), value });
            }
        }
        columns
    }

    /// Whether every list of queries has the column anyway.
    fn is_standard(&self) -> bool {
        let key = spelling::key(&self.text);
        STANDARD_VALUES.contains(&key.as_deref().unwrap_or(&self.text))
    }

    /// The name of the first value in an expression that needs a person's marks; `None` if none does.
    pub fn find_mark_value(text: &str, study: &Study, view: View) -> Option<&'static str> {
        let mut values = values_in(text, study, view).into_iter();
        values.find_map(|at| MARK_VALUES.into_iter().find(|name| *name == &text[at.clone()]))
    }
}

/// The byte ranges of values in an expression; none if it is invalid.
fn values_in(text: &str, study: &Study, view: View) -> Vec<Range<usize>> {
    let values = Parser::new(text, study, view)
        .and_then(|mut parser| parser.parse_all(NUMBER_OR_CONDITION).map(|_| parser.values));
    values.unwrap_or_default()
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
            "rich.r1 == 0 and (non_gt_in_top(broad, 5) >= 2 or rich.r1 > -rank) and text ~ \"dog\"";
        let columns = Column::find_numbers(text, &study, view);
        let named: Vec<&str> = columns.iter().map(|column| column.text.as_str()).collect();
        assert_eq!(named, ["rich.r1", "non_gt_in_top(broad, 5)", "rank"]);
        assert_eq!(Column::parse(" rank + 1 ", &study, view).unwrap().text, "rank + 1");
        assert!(Column::parse("rank > 3", &study, view).is_ok());
        assert!(Column::parse("text", &study, view).is_err());
        assert!(Column::find_numbers("rank >", &study, view).is_empty());
        let there = columns.iter().filter(|column| column.is_standard()).count();
        assert_eq!(there, 1, "every list has ranks: {columns:?}");
        let each_once = |text, of_items| {
            let columns = Column::collect(([Some(text), None], of_items), [], (&study, view));
            columns.into_iter().map(|column| column.text).collect::<Vec<_>>()
        };
        assert_eq!(each_once(text, true)[2], "query_rank");
        assert_eq!(each_once(text, false), ["rich.r1", "non_gt_in_top(broad, 5)"]);
    }
}
