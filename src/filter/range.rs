//! The values that a number can have, and what is said where it is compared with any other.

use super::mistake::Mistake;
use super::syntax::{Expr, Node, Op};
use super::values::Value;
use crate::metric::{CLOSE, Unit};

/// The least and the greatest value, infinite where there is none; `None` where nothing is known of them, as of
/// similarities from a file.
fn range(node: &Node<Value>) -> Option<[f64; 2]> {
    match &node.expr {
        Expr::Number(number) => Some([*number; 2]),
        Expr::Value(value) => value.range(),
        Expr::Negative(inner) => range(inner).map(|[least, most]| [0.0 - most, 0.0 - least]),
        Expr::Both(op, left, right) => combined(*op, range(left)?, range(right)?),
        _ => None,
    }
}

/// Whether all its values are whole numbers: ranks, counts, and what is 0 or 1.
fn is_whole(node: &Node<Value>) -> bool {
    match &node.expr {
        Expr::Number(number) => (number - number.round()).abs() < CLOSE,
        Expr::Value(value) => value.is_whole(),
        Expr::Negative(inner) => is_whole(inner),
        Expr::Both(op, left, right) => *op != Op::Over && is_whole(left) && is_whole(right),
        _ => false,
    }
}

/// The range of what two numbers of these ranges make; `None` where the divisor may be 0.
fn combined(op: Op, left: [f64; 2], right: [f64; 2]) -> Option<[f64; 2]> {
    if op == Op::Over && right[0] <= 0.0 && right[1] >= 0.0 {
        return None;
    }
    // Of an end without bound and 0, or two without bound, other ends tell: `min` and `max` leave out NaN.
    let ends = left.map(|left| right.map(|right| op.of(left, right)));
    let ends = ends.into_iter().flatten();
    let least = ends.clone().fold(f64::INFINITY, f64::min);
    Some([least, ends.fold(f64::NEG_INFINITY, f64::max)])
}

/// Whether shares are part of it, which screens and tables show in percent.
fn has_share(node: &Node<Value>) -> bool {
    match &node.expr {
        Expr::Value(Value { spec: Some(spec), .. }) => {
            let is_share = matches!(spec.metric.unit(), Unit::Share | Unit::Residual);
            is_share && !spec.metric.is_flag()
        }
        Expr::Negative(inner) => has_share(inner),
        Expr::Both(_, left, right) => has_share(left) || has_share(right),
        _ => false,
    }
}

/// That two numbers of an expression may be compared: some value of the one meets it, and neither is a constant that
/// the other never is.
///
/// # Errors
/// Where one is a constant that the other never reaches, so that all or no queries would meet the condition.
pub(super) fn check(
    text: &str,
    op: Op,
    left: &Node<Value>,
    right: &Node<Value>,
) -> Result<(), Mistake> {
    let written = |node: &Node<_>| text.get(node.at.clone()).unwrap_or_default().trim();
    for (op, number, other) in [(op, left, right), (op.flipped(), right, left)] {
        let (Some(values), Some([constant, same])) = (range(number), range(other)) else {
            continue;
        };
        if same - constant >= CLOSE || values[1] - values[0] <= CLOSE {
            continue;
        }
        let Some((found, expected)) = never(op, constant, values, is_whole(number)) else {
            continue;
        };
        let mistake = Mistake::new(other.at.clone(), format!("{} {found}", written(number)));
        let is_beyond = !(values[0] - CLOSE..=values[1] + CLOSE).contains(&constant);
        let in_percent = is_beyond && has_share(number) && !written(other).ends_with('%');
        return Err(match in_percent.then(|| as_share(constant, values)).flatten() {
            Some(share) => mistake.mend(format!("write {share}")),
            None => mistake.expected(expected),
        });
    }
    Ok(())
}

/// What is wrong with a constant, and what was expected, where values never compare with it so; `None` where some may.
fn never(
    op: Op,
    constant: f64,
    [least, most]: [f64; 2],
    is_whole: bool,
) -> Option<(String, String)> {
    let span = span([least, most]);
    let value = match (is_whole, (least..=most).contains(&0.0) && most - least <= 1.0) {
        (true, true) => "0 or 1".to_owned(),
        (true, false) => format!("a whole number {span}"),
        (false, _) => format!("a number {span}"),
    };
    // Above what has no end: of every value that there is, as `rank > 0`.
    let is_always = match op {
        Op::More | Op::MoreOrEqual => constant < least && most.is_infinite(),
        Op::Less | Op::LessOrEqual => constant > most && least.is_infinite(),
        _ => false,
    };
    let is_exact = matches!(op, Op::Equal | Op::Differs);
    let is_beyond = !(least - CLOSE..=most + CLOSE).contains(&constant);
    let is_never_met =
        op == Op::Less && constant < least + CLOSE || op == Op::More && constant > most - CLOSE;
    if is_beyond && !is_always {
        return Some((format!("goes {span}"), value));
    }
    if is_exact && is_whole && (constant - constant.round()).abs() > CLOSE {
        return Some(("is a whole number".into(), format!("{value}, or another comparison")));
    }
    let expected = "a comparison that a value can meet";
    (is_never_met && !is_always).then(|| (format!("goes {span}"), expected.into()))
}

/// From where to where values go, in words.
fn span([least, most]: [f64; 2]) -> String {
    match (least.is_finite(), most.is_finite()) {
        (true, true) => format!("from {least} to {most}"),
        (true, false) => format!("from {least} on"),
        _ => format!("up to {most}"),
    }
}

/// A number of percent as a share, in both ways to write it; `None` where that is no share in the range either.
fn as_share(percent: f64, [least, most]: [f64; 2]) -> Option<String> {
    // Six decimals: 33.3 / 100 has a digit too many.
    let share = (percent * 1e4).round() / 1e6;
    let is_share = most <= 1.0 && (least..=most).contains(&share);
    is_share.then(|| format!("{share} or {percent}%"))
}
