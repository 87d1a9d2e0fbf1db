//! Syntax tree of an expression, with resolved names.

use std::ops::Range;

use super::values::Value;
use crate::metric::CLOSE;

/// A part of an expression, and its byte range in the text.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub at: Range<usize>,
    pub expr: Expr,
}

/// Content of a part of an expression.
#[derive(Debug, Clone)]
pub(super) enum Expr {
    Number(f64),
    Text(String),
    Value(Value),
    Not(Box<Node>),
    Negative(Box<Node>),
    Binary(Op, Box<Node>, Box<Node>),
}

/// A binary operator of the filter language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Or,
    And,
    Equal,
    Differs,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
    Like,
    Plus,
    Minus,
    Times,
    Over,
}

/// Precedence of `not`, below comparisons: it negates a whole one.
pub(super) const NOT: u8 = 3;
/// Precedence of comparisons.
pub(super) const COMPARISON: u8 = 4;
/// Precedence of the sign of a negative number.
pub(super) const NEGATIVE: u8 = 7;

impl Op {
    /// Every operator as written, and its precedence: higher ones bind first.
    pub const ALL: [(&'static str, Op, u8); 13] = [
        ("or", Op::Or, 1),
        ("and", Op::And, 2),
        ("==", Op::Equal, COMPARISON),
        ("!=", Op::Differs, COMPARISON),
        ("<", Op::Less, COMPARISON),
        ("<=", Op::LessOrEqual, COMPARISON),
        (">", Op::More, COMPARISON),
        (">=", Op::MoreOrEqual, COMPARISON),
        ("~", Op::Like, COMPARISON),
        ("+", Op::Plus, 5),
        ("-", Op::Minus, 5),
        ("*", Op::Times, 6),
        ("/", Op::Over, 6),
    ];

    /// Whether it is an arithmetic operator.
    pub fn is_arithmetic(self) -> bool {
        matches!(self, Op::Plus | Op::Minus | Op::Times | Op::Over)
    }

    /// The operator to use if the operands of a comparison are swapped: `>` for `<`, `==` for `==`.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Op::Less => Op::More,
            Op::LessOrEqual => Op::MoreOrEqual,
            Op::More => Op::Less,
            Op::MoreOrEqual => Op::LessOrEqual,
            symmetric => symmetric,
        }
    }

    /// Applies the operator to two numbers. A comparison returns 1 or 0; numbers nearer than 1e-9 are equal. `and`,
    /// `or` and `~` return 0.
    pub fn apply(self, left: f64, right: f64) -> f64 {
        let is_same = (left - right).abs() < CLOSE;
        let is_met = match self {
            Op::Plus => return left + right,
            Op::Minus => return left - right,
            Op::Times => return left * right,
            Op::Over => return left / right,
            Op::Equal => is_same,
            Op::Differs => !is_same,
            Op::Less => left < right && !is_same,
            Op::LessOrEqual => left < right || is_same,
            Op::More => left > right && !is_same,
            Op::MoreOrEqual => left > right || is_same,
            Op::And | Op::Or | Op::Like => false,
        };
        f64::from(u8::from(is_met))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_numbers_are_equal_in_every_comparison() {
        let third: f64 = 1.0 - 2.0 / 3.0;
        let is_met = |op: Op, left, right| op.apply(left, right) > 0.5;
        assert!(is_met(Op::Equal, third, 1.0 / 3.0));
        assert!(!is_met(Op::Less, third, 1.0 / 3.0) && !is_met(Op::More, third, 1.0 / 3.0));
        assert!(is_met(Op::LessOrEqual, 2.0, 3.0) && is_met(Op::MoreOrEqual, third, 1.0 / 3.0));
        assert!(is_met(Op::Differs, 0.1, 0.2));
    }
}
