//! The typed cells of tables, and their forms for people and programs.

use serde_json::{Value, json};

use crate::analysis::inference::LEVEL;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::text::{UNDEFINED, grouped, p_value};
use crate::metric::{CLOSE, Unit};

/// A typed cell of a table: text, id, count, number, interval or p-value.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// An empty cell, for example if a column does not apply to the row.
    Empty,
    /// An undefined number.
    Undefined,
    /// Text.
    Text(String),
    /// Several words or ids; in JSON an array.
    List(Vec<String>),
    /// A list or object of JSON, copied as it is.
    Json(Value),
    /// An id; in JSON a number if written as one.
    Id(String),
    /// A count.
    Count(u64),
    /// A number, shown with as many digits as it needs to be exact.
    Exact(f64),
    /// A number shown with this many decimals.
    Number(f64, usize),
    /// A metric's value in its unit; a share is from 0 to 1, shown in percent.
    Value(f64, Unit),
    /// A metric's value as papers print it: a share in percent with one decimal.
    Decimal(f64, Unit),
    /// A difference of two values of a metric in its unit, shown with its sign.
    Difference(f64, Unit),
    /// The ends of an interval.
    Interval(Box<[Cell; 2]>),
    /// Small text below a number, such as its interval.
    Small(String),
    /// A p-value.
    P(f64),
    /// A corrected p-value that rejects its hypothesis.
    Significant(f64),
    /// The best value of several, which tables mark.
    Best(Box<Cell>),
}

/// Converts values of any types to the cells of a row.
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($crate::report::cell::Cell::from($cell)),*] };
}
pub(super) use row;

/// A score with four decimals; undefined unless finite, since JSON has no infinities.
pub(super) fn score(score: f64) -> Cell {
    if score.is_finite() { Cell::Number(score, 4) } else { Cell::Undefined }
}

/// The share of a part in a whole; `None` if the whole is empty.
pub(super) fn share(part: usize, whole: usize) -> Option<Cell> {
    (whole > 0).then(|| Cell::share(part as f64 / whole as f64))
}

impl Cell {
    /// An interval, whose ends `end` converts to cells.
    pub(super) fn interval(ends: [f64; 2], end: impl Fn(f64) -> Cell) -> Self {
        Cell::Interval(Box::new(ends.map(end)))
    }

    /// A share from 0 to 1, shown in percent.
    pub(super) fn share(value: f64) -> Self {
        Cell::Value(value, Unit::Share)
    }

    /// A difference of two shares, shown in percentage points.
    pub(super) fn points(value: f64) -> Self {
        Cell::Difference(value, Unit::Share)
    }

    /// A p-value that was corrected for all tests, significant below [`LEVEL`].
    pub(super) fn corrected_p(p: f64) -> Self {
        if p < LEVEL { Cell::Significant(p) } else { Cell::P(p) }
    }

    /// Marks the cell if it is the best of several.
    pub(super) fn mark_best(self, is_best: bool) -> Self {
        if is_best && self != Cell::Empty { Cell::Best(Box::new(self)) } else { self }
    }

    /// Whether a column of such cells is right-aligned: numbers, or empty.
    pub(super) fn is_number(&self) -> bool {
        match self {
            Cell::Empty | Cell::Undefined | Cell::Interval(_) => true,
            Cell::Best(cell) => cell.is_number(),
            cell => cell.number().is_some(),
        }
    }

    /// Text for people: counts in groups of three digits, shares in percent, [`UNDEFINED`] if undefined.
    pub fn text(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Undefined => UNDEFINED.into(),
            Cell::Text(text) | Cell::Id(text) | Cell::Small(text) => text.clone(),
            Cell::List(texts) => texts.join(" "),
            Cell::Json(value) => value.to_string(),
            Cell::Count(count) => grouped(*count as usize),
            Cell::Exact(value) => value.to_string(),
            Cell::Number(value, digits) => format!("{value:.digits$}"),
            Cell::Value(value, unit) => unit.format(Some(*value)),
            Cell::Decimal(value, unit) => format_decimal(*value, *unit),
            Cell::Difference(value, unit) => format_difference(*value, *unit),
            Cell::Interval(ends) => format!("{} to {}", ends[0].text(), ends[1].text()),
            Cell::P(p) => p_value(*p),
            Cell::Significant(p) => format!("*{}", Cell::P(*p).text()),
            Cell::Best(cell) => cell.text(),
        }
    }

    /// Text for data frames: the shortest digits that parse to the same number; empty if undefined.
    pub fn full_text(&self) -> String {
        match self {
            Cell::Empty | Cell::Undefined => String::new(),
            Cell::Count(count) => count.to_string(),
            Cell::Interval(ends) => format!("{} to {}", ends[0].full_text(), ends[1].full_text()),
            Cell::Best(cell) => cell.full_text(),
            cell => cell.number().map_or_else(|| cell.text(), |value| value.to_string()),
        }
    }

    /// JSON value for programs, in full precision.
    pub fn json(&self) -> Value {
        match self {
            Cell::Empty | Cell::Undefined => Value::Null,
            Cell::Text(text) | Cell::Small(text) => json!(text),
            Cell::List(texts) => json!(texts),
            Cell::Json(value) => value.clone(),
            Cell::Id(text) => id(text),
            Cell::Count(count) => json!(count),
            Cell::Interval(ends) => ends.iter().map(Cell::json).collect(),
            Cell::Best(cell) => cell.json(),
            cell => json!(cell.number()),
        }
    }

    /// The number of a cell, including counts; `None` if it has none.
    fn number(&self) -> Option<f64> {
        match self {
            Cell::Count(count) => Some(*count as f64),
            Cell::Exact(value)
            | Cell::Number(value, _)
            | Cell::Value(value, _)
            | Cell::Decimal(value, _)
            | Cell::Difference(value, _)
            | Cell::P(value)
            | Cell::Significant(value) => Some(*value),
            Cell::Best(cell) => cell.number(),
            _ => None,
        }
    }
}

/// Writes a value with one decimal, a share in percent.
fn format_decimal(value: f64, unit: Unit) -> String {
    let displayed = match unit {
        Unit::Share | Unit::Residual => value * 100.0,
        Unit::Sum | Unit::Rank => value,
    };
    // Halves are rounded up, whatever the nearest binary number is.
    format!("{:.1}", displayed + CLOSE)
}

/// Writes a difference with its sign, of shares in percentage points.
fn format_difference(difference: f64, unit: Unit) -> String {
    match unit {
        Unit::Share | Unit::Residual => format!("{:+.2}", difference * 100.0),
        Unit::Rank if difference.fract() == 0.0 => format!("{difference:+.0}"),
        // Mean ranks may differ significantly by hundredths.
        Unit::Sum | Unit::Rank => format!("{difference:+.2}"),
    }
}

/// The JSON value of an id: a number if it is written as one, else a string.
pub(super) fn id(id: &str) -> Value {
    match Id::parse(id) {
        Id::Number(number) => json!(number),
        Id::Text(text) => json!(text),
    }
}

/// Implements `From` of several types for [`Cell`].
macro_rules! from {
    ($($kind:ty, $value:ident => $cell:expr;)*) => { $(
        impl From<$kind> for Cell {
            fn from($value: $kind) -> Self {
                $cell
            }
        }
    )* };
}

from! {
    String, text => Cell::Text(text);
    &String, text => Cell::Text(text.clone());
    &str, text => Cell::Text(text.to_owned());
    Direction, direction => Cell::Text(direction.key().to_owned());
    usize, count => Cell::Count(count as u64);
    u32, count => Cell::Count(count.into());
    u64, count => Cell::Count(count);
    f64, value => Cell::Exact(value);
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Cell::Undefined,
            Value::String(text) => Cell::Text(text),
            value => Cell::Json(value),
        }
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Undefined, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_for_people_data_frames_and_programs() {
        let signed = |value| Cell::Difference(value, Unit::Share);
        for (cell, shown, full, json) in [
            (Cell::Empty, "", "", json!(null)),
            (Cell::from(None::<f64>), UNDEFINED, "", json!(null)),
            (Cell::Id("0123".into()), "0123", "0123", json!("0123")),
            (Cell::Id("123".into()), "123", "123", json!(123)),
            (Cell::List(vec!["a".into(), "b".into()]), "a b", "a b", json!(["a", "b"])),
            (Cell::from(12345_usize), "12,345", "12345", json!(12345)),
            (Cell::from(1.0), "1", "1", json!(1.0)),
            (Cell::Number(0.1236, 2), "0.12", "0.1236", json!(0.1236)),
            (Cell::Value(0.5, Unit::Share), "50.00", "0.5", json!(0.5)),
            (Cell::Decimal(0.1234, Unit::Share), "12.3", "0.1234", json!(0.1234)),
            (Cell::Difference(3.0, Unit::Rank), "+3", "3", json!(3.0)),
            (
                Cell::interval([-0.5, 0.5], signed),
                "-50.00 to +50.00",
                "-0.5 to 0.5",
                json!([-0.5, 0.5]),
            ),
            (Cell::Small("[1, 2]".into()), "[1, 2]", "[1, 2]", json!("[1, 2]")),
            (Cell::P(1.0 / 10_001.0), "< 0.0001", "0.00009999000099990002", json!(1.0 / 10_001.0)),
            (Cell::P(1e-9), "< 0.0001", "0.000000001", json!(1e-9)),
            (Cell::Significant(0.01), "*0.0100", "0.01", json!(0.01)),
            (Cell::from(7_u32).mark_best(true), "7", "7", json!(7)),
            (Cell::from(json!([1, 2])), "[1,2]", "[1,2]", json!([1, 2])),
        ] {
            assert_eq!((cell.text().as_str(), cell.full_text().as_str()), (shown, full));
            assert_eq!(cell.json(), json);
        }
    }
}
