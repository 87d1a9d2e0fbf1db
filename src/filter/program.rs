//! Evaluates an expression for a query.
//!
//! `None` is *unknown*: the truth does not cover the query, the metric is undefined, the ranking is too short.

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
    pub fn in_words(self) -> &'static str {
        match self {
            Kind::Number => "a number",
            Kind::Flag => "a number, 0 or 1",
            Kind::Text => "a text",
            Kind::Id => "an id",
            Kind::Condition => "a condition",
        }
    }
}

/// Value of a part of an expression for one query; a condition is 1 or 0.
#[derive(Clone, Copy)]
enum Found<'a> {
    Number(f64),
    Text(&'a str),
    Id(&'a Id),
    Tags(&'a [String]),
}

impl Node {
    pub fn kind(&self) -> Kind {
        match &self.expr {
            Expr::Number(_) | Expr::Negative(_) => Kind::Number,
            Expr::Text(_) => Kind::Text,
            Expr::Value(value) => match value.row.of {
                Getter::Number(_) | Getter::Series(_) if value.is_flag() => Kind::Flag,
                Getter::Number(_) | Getter::Series(_) => Kind::Number,
                Getter::Text(_) | Getter::Tags => Kind::Text,
                Getter::Id(_) => Kind::Id,
            },
            Expr::Both(op, ..) if op.is_arithmetic() => Kind::Number,
            Expr::Not(_) | Expr::Both(..) => Kind::Condition,
        }
    }

    /// Its value for a query, of a condition 1 or 0; `None` if unknown.
    pub fn number(&self, source: &Source<'_>, query: usize) -> Option<f64> {
        match self.evaluate(source, query)? {
            Found::Number(number) => Some(number),
            Found::Text(_) | Found::Id(_) | Found::Tags(_) => None,
        }
    }

    /// Whether a query meets it; `None` if unknown. A known part decides if it can: `false and unknown` is false.
    pub fn is_met(&self, source: &Source<'_>, query: usize) -> Option<bool> {
        match &self.expr {
            Expr::Not(inner) => Some(!inner.is_met(source, query)?),
            Expr::Both(op @ (Op::And | Op::Or), left, right) => {
                let deciding = *op == Op::Or;
                match left.is_met(source, query) {
                    Some(met) if met == deciding => Some(met),
                    Some(_) => right.is_met(source, query),
                    None => right.is_met(source, query).filter(|met| *met == deciding),
                }
            }
            _ => Some(self.number(source, query)? > 0.0),
        }
    }

    fn evaluate<'a>(&'a self, source: &Source<'a>, query: usize) -> Option<Found<'a>> {
        Some(match &self.expr {
            Expr::Number(number) => Found::Number(*number),
            Expr::Text(text) => Found::Text(text),
            Expr::Value(value) => match value.row.of {
                Getter::Number(of) => Found::Number(of(value, source, query)?),
                Getter::Text(of) => Found::Text(of(source, query)?),
                Getter::Id(of) => Found::Id(of(value, source, query)?),
                Getter::Tags => Found::Tags(source.counts.marks.tags(query)),
                Getter::Series(kind) => {
                    let correct = source.correct(&value.ranks, query)?;
                    Found::Number(as_number(series::Kind::from_steps(&correct) == kind))
                }
            },
            Expr::Negative(inner) => Found::Number(-inner.number(source, query)?),
            Expr::Not(_) | Expr::Both(Op::And | Op::Or, ..) => {
                Found::Number(as_number(self.is_met(source, query)?))
            }
            Expr::Both(op, left, right) => {
                let sides = (left.evaluate(source, query)?, right.evaluate(source, query)?);
                Found::Number(combined(*op, sides)?)
            }
        })
    }

    /// Whether all its values are known, even if one part decides it.
    pub fn is_told(&self, source: &Source<'_>, query: usize) -> bool {
        match &self.expr {
            Expr::Not(inner) | Expr::Negative(inner) => inner.is_told(source, query),
            Expr::Both(op, left, right) if !op.is_arithmetic() => {
                left.is_told(source, query) && right.is_told(source, query)
            }
            // Words are not compared for this: the result is known if there are any.
            Expr::Value(value) if value.row.needs.contains(&Need::Words) => {
                let relevance = source.relevance(value.truth);
                relevance.is_some_and(|relevance| relevance.place(query).is_some())
                    && source.first_item(value.model, query).is_some()
            }
            _ => self.evaluate(source, query).is_some(),
        }
    }
}

/// Applies an operator to two known values. Substrings ignore case, the right one being in lower case.
fn combined(op: Op, sides: (Found<'_>, Found<'_>)) -> Option<f64> {
    let same = match sides {
        (Found::Number(left), Found::Number(right)) => {
            return Some(op.apply(left, right)).filter(|value| value.is_finite());
        }
        (Found::Id(id), Found::Number(number)) => return compare_id(op, id, number),
        (Found::Number(number), Found::Id(id)) => return compare_id(op.flipped(), id, number),
        (Found::Id(id), Found::Text(part)) if op == Op::Like => contains(&id.to_string(), part),
        (Found::Text(text), Found::Text(part)) if op == Op::Like => contains(text, part),
        (Found::Id(id), Found::Text(text)) | (Found::Text(text), Found::Id(id)) => {
            *id == Id::parse(text)
        }
        (Found::Tags(tags), other) | (other, Found::Tags(tags)) => {
            let alike = if op == Op::Differs { Op::Equal } else { op };
            tags.iter().any(|tag| combined(alike, (Found::Text(tag), other)) == Some(1.0))
        }
        (Found::Text(left), Found::Text(right)) => left == right,
        (Found::Id(left), Found::Id(right)) => left == right,
        (Found::Text(_), Found::Number(_)) | (Found::Number(_), Found::Text(_)) => return None,
    };
    Some(as_number(same != (op == Op::Differs)))
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(part)
}

/// A text id differs from every number, and is neither more nor less.
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
