//! Evaluates an expression for a query.
//!
//! `None` is *unknown*, as if the truth does not cover the query, the metric is undefined, or the ranking is too short.

use super::source::Source;
use super::syntax::{Expr, Node, Op};
use super::values::{Getter, Need, as_number};
use crate::data::id::Id;
use crate::study::series;

/// Kind of a part of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    /// A number that is 0 or 1, also a condition.
    Flag,
    Text,
    Id,
    Condition,
}

impl Kind {
    /// The kind as messages name it.
    pub fn label(self) -> &'static str {
        match self {
            Kind::Number => "a number",
            Kind::Flag => "a number, 0 or 1",
            Kind::Text => "a text",
            Kind::Id => "an id",
            Kind::Condition => "a condition",
        }
    }
}

/// Result of a part of an expression for one query; a condition is 1 or 0.
#[derive(Clone, Copy)]
enum Datum<'a> {
    Number(f64),
    Text(&'a str),
    Id(&'a Id),
    Tags(&'a [String]),
}

impl Node {
    /// The kind of the part, which operators check.
    pub fn kind(&self) -> Kind {
        match &self.expr {
            Expr::Number(_) | Expr::Negative(_) => Kind::Number,
            Expr::Text(_) => Kind::Text,
            Expr::Value(value) => match value.row.getter {
                Getter::Number(_) | Getter::Series(_) if value.is_flag() => Kind::Flag,
                Getter::Number(_) | Getter::Series(_) => Kind::Number,
                Getter::Text(_) | Getter::Tags => Kind::Text,
                Getter::Id(_) => Kind::Id,
            },
            Expr::Binary(op, ..) if op.is_arithmetic() => Kind::Number,
            Expr::Not(_) | Expr::Binary(..) => Kind::Condition,
        }
    }

    /// The number for a query; a condition is 1 or 0. `None` if unknown, or for a text or id.
    pub fn number(&self, source: &Source<'_>, query: usize) -> Option<f64> {
        match self.evaluate(source, query)? {
            Datum::Number(number) => Some(number),
            Datum::Text(_) | Datum::Id(_) | Datum::Tags(_) => None,
        }
    }

    /// Whether a query meets the condition; `None` if unknown. One known operand may decide: `false and unknown` is
    /// false.
    pub fn is_met(&self, source: &Source<'_>, query: usize) -> Option<bool> {
        match &self.expr {
            Expr::Not(inner) => Some(!inner.is_met(source, query)?),
            Expr::Binary(op @ (Op::And | Op::Or), left, right) => {
                let decisive = *op == Op::Or;
                match left.is_met(source, query) {
                    Some(met) if met == decisive => Some(met),
                    Some(_) => right.is_met(source, query),
                    None => right.is_met(source, query).filter(|met| *met == decisive),
                }
            }
            _ => Some(self.number(source, query)? > 0.0),
        }
    }

    /// The result for a query; `None` if unknown.
    fn evaluate<'a>(&'a self, source: &Source<'a>, query: usize) -> Option<Datum<'a>> {
        Some(match &self.expr {
            Expr::Number(number) => Datum::Number(*number),
            Expr::Text(text) => Datum::Text(text),
            Expr::Value(value) => match value.row.getter {
                Getter::Number(get) => Datum::Number(get(value, source, query)?),
                Getter::Text(get) => Datum::Text(get(source, query)?),
                Getter::Id(get) => Datum::Id(get(value, source, query)?),
                Getter::Tags => Datum::Tags(source.inputs.marks.tags(query)),
                Getter::Series(kind) => {
                    let correct = source.correct_by_step(&value.ranks, query)?;
                    Datum::Number(as_number(series::Learning::from_steps(&correct) == kind))
                }
            },
            Expr::Negative(inner) => Datum::Number(-inner.number(source, query)?),
            Expr::Not(_) | Expr::Binary(Op::And | Op::Or, ..) => {
                Datum::Number(as_number(self.is_met(source, query)?))
            }
            Expr::Binary(op, left, right) => {
                let operands = (left.evaluate(source, query)?, right.evaluate(source, query)?);
                Datum::Number(apply(*op, operands)?)
            }
        })
    }

    /// Whether all values of the expression are known for a query, also those that do not decide its result.
    pub fn is_known(&self, source: &Source<'_>, query: usize) -> bool {
        match &self.expr {
            Expr::Not(inner) | Expr::Negative(inner) => inner.is_known(source, query),
            Expr::Binary(op, left, right) if !op.is_arithmetic() => {
                left.is_known(source, query) && right.is_known(source, query)
            }
            // Comparing words is slow, and its result is known whenever there is a top-1 and the query is covered.
            Expr::Value(value) if value.row.needs.contains(&Need::Words) => {
                let relevance = source.relevance(value.truth);
                relevance.is_some_and(|relevance| relevance.place(query).is_some())
                    && source.top_1(value.model, query).is_some()
            }
            _ => self.evaluate(source, query).is_some(),
        }
    }
}

/// Applies an operator other than `and` and `or` to two known operands; a comparison is 1 or 0. `None` if a number is
/// not finite, or if operands cannot be compared. The right operand of `~` is in lower case.
fn apply(op: Op, operands: (Datum<'_>, Datum<'_>)) -> Option<f64> {
    let is_same = match operands {
        (Datum::Number(left), Datum::Number(right)) => {
            return Some(op.apply(left, right)).filter(|value| value.is_finite());
        }
        (Datum::Id(id), Datum::Number(number)) => return compare_id(op, id, number),
        (Datum::Number(number), Datum::Id(id)) => return compare_id(op.swapped(), id, number),
        (Datum::Id(id), Datum::Text(part)) if op == Op::Like => contains(&id.to_string(), part),
        (Datum::Text(text), Datum::Text(part)) if op == Op::Like => contains(text, part),
        (Datum::Id(id), Datum::Text(text)) | (Datum::Text(text), Datum::Id(id)) => {
            *id == Id::parse(text)
        }
        (Datum::Tags(tags), other) | (other, Datum::Tags(tags)) => {
            let equality = if op == Op::Differs { Op::Equal } else { op };
            tags.iter().any(|tag| apply(equality, (Datum::Text(tag), other)) == Some(1.0))
        }
        (Datum::Text(left), Datum::Text(right)) => left == right,
        (Datum::Id(left), Datum::Id(right)) => left == right,
        (Datum::Text(_), Datum::Number(_)) | (Datum::Number(_), Datum::Text(_)) => return None,
    };
    Some(as_number(is_same != (op == Op::Differs)))
}

/// Whether the text contains `part`, ignoring case; `part` must be in lower case.
fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(part)
}

/// Compares an id with a number, as 1 or 0. A text id differs from every number; `None` if `op` compares by size.
fn compare_id(op: Op, id: &Id, number: f64) -> Option<f64> {
    match (id, op) {
        (Id::Number(id), _) => Some(op.apply(*id as f64, number)),
        (Id::Text(_), Op::Equal) => Some(0.0),
        (Id::Text(_), Op::Differs) => Some(1.0),
        (Id::Text(_), _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_is_a_text_is_no_number() {
        let text = Id::parse("a.jpg");
        assert_eq!(compare_id(Op::Differs, &text, 3.0), Some(1.0));
        assert_eq!(compare_id(Op::Less, &text, 3.0), None);
        assert_eq!(compare_id(Op::Less, &Id::Number(2), 3.0), Some(1.0));
    }
}
