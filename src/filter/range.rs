//! Ranges of expressions, and checks for impossible comparisons.

use super::mistake::Mistake;
use super::syntax::{Expr, Node, Op};
use crate::metric::CLOSE;

/// The lowest and the highest number, or infinity; `None` if unknown, as for similarities from a file.
fn range(node: &Node) -> Option<[f64; 2]> {
    match &node.expr {
        Expr::Number(number) => Some([*number; 2]),
        Expr::Value(value) => value.range(),
        Expr::Negative(inner) => {
            range(inner).map(|[lowest, highest]| [0.0 - highest, 0.0 - lowest])
        }
        Expr::Both(op, left, right) => combined(*op, range(left)?, range(right)?),
        _ => None,
    }
}

/// Range of an operation on two ranges; `None` if the divisor may be 0.
fn combined(op: Op, left: [f64; 2], right: [f64; 2]) -> Option<[f64; 2]> {
    if op == Op::Over && right[0] <= 0.0 && right[1] >= 0.0 {
        return None;
    }
    // NaN of an infinite end and 0, or two infinite ends, is ignored by `min` and `max`: other ends count.
    let ends = left.map(|left| right.map(|right| op.apply(left, right)));
    let ends = ends.into_iter().flatten();
    let lowest = ends.clone().fold(f64::INFINITY, f64::min);
    Some([lowest, ends.fold(f64::NEG_INFINITY, f64::max)])
}

/// Whether all its numbers are integers: ranks, counts, and flags.
fn is_whole(node: &Node) -> bool {
    match &node.expr {
        Expr::Number(number) => is_round(*number),
        Expr::Value(value) => value.is_whole(),
        Expr::Negative(inner) => is_whole(inner),
        Expr::Both(op, left, right) => *op != Op::Over && is_whole(left) && is_whole(right),
        _ => false,
    }
}

fn is_round(number: f64) -> bool {
    (number - number.round()).abs() < CLOSE
}

/// Checks that some number meets a comparison with a constant, and that the constant is possible: `rank > 0` is always
/// true, but accepted.
///
/// # Errors
/// A comparison met by all or no queries, with the range of the number.
pub(super) fn check(text: &str, op: Op, left: &Node, right: &Node) -> Result<(), Mistake> {
    for (op, number, other) in [(op, left, right), (op.flipped(), right, left)] {
        let (Some([lowest, highest]), Some([constant, same])) = (range(number), range(other))
        else {
            continue;
        };
        if same - constant >= CLOSE || highest - lowest <= CLOSE {
            continue;
        }
        let is_whole = is_whole(number);
        let [is_below, is_above] = [constant < lowest - CLOSE, constant > highest + CLOSE];
        let is_apt = match op {
            Op::Less => constant >= lowest + CLOSE && (!is_above || lowest.is_infinite()),
            Op::LessOrEqual => !is_below && (!is_above || lowest.is_infinite()),
            Op::More => constant <= highest - CLOSE && (!is_below || highest.is_infinite()),
            Op::MoreOrEqual => !is_above && (!is_below || highest.is_infinite()),
            _ => !is_below && !is_above && (!is_whole || is_round(constant)),
        };
        if is_apt {
            continue;
        }
        let of = |node: &Node| text[node.at.clone()].trim();
        let kind = if is_whole { "whole number" } else { "number" };
        let found = match [lowest, highest] {
            [0.0, 1.0] if is_whole => "0 or 1".to_owned(),
            [_, f64::INFINITY] => format!("a {kind} from {lowest} on"),
            [f64::NEG_INFINITY, _] => format!("a {kind} up to {highest}"),
            _ => format!("a {kind} from {lowest} to {highest}"),
        };
        let found = format!("{} is {found}", of(number));
        let mistake = Mistake::new(other.at.clone(), found, "a comparison that a value can meet");
        // Six decimals: 33.3 / 100 has a digit too many.
        let share = (constant * 1e4).round() / 1e6;
        let is_share = highest <= 1.0 && !is_whole && (lowest..=highest).contains(&share);
        let is_percent = (is_below || is_above) && is_share && !of(other).ends_with('%');
        return Err(if is_percent {
            mistake.fix(format!("write {share} or {constant}%"))
        } else {
            mistake
        });
    }
    Ok(())
}
