//! Checks comparisons by the ranges of their operands.

use super::mistake::Mistake;
use super::syntax::{Expr, Node, Op};
use crate::metric::CLOSE;

/// The lowest and highest number that a part can have, maybe infinite; `None` if unknown, as for similarities from a
/// file.
fn range(node: &Node) -> Option<[f64; 2]> {
    match &node.expr {
        Expr::Number(number) => Some([*number; 2]),
        Expr::Value(value) => value.range(),
        Expr::Negative(inner) => {
            range(inner).map(|[lowest, highest]| [0.0 - highest, 0.0 - lowest])
        }
        Expr::Binary(op, left, right) => range_of_operation(*op, range(left)?, range(right)?),
        _ => None,
    }
}

/// Range of the result of an operator on numbers of two ranges; `None` if the divisor may be 0.
fn range_of_operation(op: Op, left: [f64; 2], right: [f64; 2]) -> Option<[f64; 2]> {
    if op == Op::Over && right[0] <= 0.0 && right[1] >= 0.0 {
        return None;
    }
    // `min` and `max` ignore NaN, the result of some operations on infinite bounds.
    let bounds = left.map(|left| right.map(|right| op.apply(left, right)));
    let bounds = bounds.into_iter().flatten();
    let lowest = bounds.clone().fold(f64::INFINITY, f64::min);
    Some([lowest, bounds.fold(f64::NEG_INFINITY, f64::max)])
}

/// Whether all numbers that a part can have are integers: ranks, counts, flags.
fn is_whole(node: &Node) -> bool {
    match &node.expr {
        Expr::Number(number) => is_integer(*number),
        Expr::Value(value) => value.is_whole(),
        Expr::Negative(inner) => is_whole(inner),
        Expr::Binary(op, left, right) => *op != Op::Over && is_whole(left) && is_whole(right),
        _ => false,
    }
}

fn is_integer(number: f64) -> bool {
    (number - number.round()).abs() < CLOSE
}

/// Checks a comparison of a number with a constant: some query can meet it, and the constant is not out of range.
/// `rank > 0` is always true, but accepted.
///
/// # Errors
/// A comparison that no query can meet, or that seems mistaken; names the range of the number.
pub(super) fn check_range(text: &str, op: Op, left: &Node, right: &Node) -> Result<(), Mistake> {
    for (op, number, other) in [(op, left, right), (op.swapped(), right, left)] {
        let (Some([lowest, highest]), Some([constant, end])) = (range(number), range(other)) else {
            continue;
        };
        if end - constant >= CLOSE || highest - lowest <= CLOSE {
            continue;
        }
        let is_whole = is_whole(number);
        let [is_below, is_above] = [constant < lowest - CLOSE, constant > highest + CLOSE];
        let is_sensible = match op {
            Op::Less => constant >= lowest + CLOSE && (!is_above || lowest.is_infinite()),
            Op::LessOrEqual => !is_below && (!is_above || lowest.is_infinite()),
            Op::More => constant <= highest - CLOSE && (!is_below || highest.is_infinite()),
            Op::MoreOrEqual => !is_above && (!is_below || highest.is_infinite()),
            _ => !is_below && !is_above && (!is_whole || is_integer(constant)),
        };
        if is_sensible {
            continue;
        }
        let node_text = |node: &Node| text[node.at.clone()].trim();
        let kind = if is_whole { "whole number" } else { "number" };
        let found = match [lowest, highest] {
            [0.0, 1.0] if is_whole => "0 or 1".to_owned(),
            [_, f64::INFINITY] => format!("a {kind} from {lowest} on"),
            [f64::NEG_INFINITY, _] => format!("a {kind} up to {highest}"),
            _ => format!("a {kind} from {lowest} to {highest}"),
        };
        let found = format!("{} is {found}", node_text(number));
        let mistake = Mistake::new(other.at.clone(), found, "a comparison that a value can meet");
        // Rounded to six decimals: 33.3 / 100 is not 0.333 in binary.
        let share = (constant * 1e4).round() / 1e6;
        let is_share = highest <= 1.0 && !is_whole && (lowest..=highest).contains(&share);
        let is_percent = (is_below || is_above) && is_share && !node_text(other).ends_with('%');
        return Err(if is_percent {
            mistake.fix(format!("write {share} or {constant}%"))
        } else {
            mistake
        });
    }
    Ok(())
}
