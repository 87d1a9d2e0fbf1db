//! The values that a number can have, and what is said where it is compared with any other.

use super::mistake::Mistake;
use super::program::Number;
use super::syntax::{Arithmetic, Comparison, Node};
use crate::metric::{CLOSE, Spec, Unit};

/// The least and the greatest value, infinite where there is none; `None` where nothing is known of them, as of
/// similarities from a file.
fn range(number: &Number) -> Option<[f64; 2]> {
    match number {
        Number::Constant(number) => Some([*number; 2]),
        Number::Metric(_, spec) => Some(spec.metric.unit().range()),
        Number::PositivesInTop(_, k) | Number::ExtraInTop(.., k) => Some([0.0, f64::from(*k)]),
        Number::Judged(_)
        | Number::Picked
        | Number::Hub(_)
        | Number::NearDuplicate(..)
        | Number::Unrelated
        | Number::Learning(..) => Some([0.0, 1.0]),
        Number::Rank(_) => Some(Unit::Rank.range()),
        Number::Listed(_)
        | Number::Words
        | Number::Verdicts
        | Number::Lacking(..)
        | Number::FirstRightStep(..) => Some([0.0, f64::INFINITY]),
        Number::Phi(_) | Number::MissedPhi(..) => None,
        Number::Negative(inner) => range(inner).map(|[least, most]| [0.0 - most, 0.0 - least]),
        Number::Arithmetic(how, left, right) => combined(*how, range(left)?, range(right)?),
    }
}

/// Whether all its values are whole numbers: ranks, counts, and what is 0 or 1.
fn is_whole(number: &Number) -> bool {
    match number {
        Number::Constant(number) => (number - number.round()).abs() < CLOSE,
        Number::Metric(_, spec) => spec.metric.is_flag(),
        Number::Phi(_) | Number::MissedPhi(..) | Number::Arithmetic(Arithmetic::Over, ..) => false,
        Number::Negative(inner) => is_whole(inner),
        Number::Arithmetic(_, left, right) => is_whole(left) && is_whole(right),
        _ => true,
    }
}

/// The range of what two numbers of these ranges make; `None` where the divisor may be 0.
fn combined(how: Arithmetic, left: [f64; 2], right: [f64; 2]) -> Option<[f64; 2]> {
    if how == Arithmetic::Over && right[0] <= 0.0 && right[1] >= 0.0 {
        return None;
    }
    // Of an end without bound and 0, or two without bound, other ends tell: `min` and `max` leave out NaN.
    let ends = left.map(|left| right.map(|right| how.of(left, right)));
    let ends = ends.into_iter().flatten();
    let least = ends.clone().fold(f64::INFINITY, f64::min);
    Some([least, ends.fold(f64::NEG_INFINITY, f64::max)])
}

/// Whether shares are part of it, which screens and tables show in percent.
fn has_share(number: &Number) -> bool {
    let is_share = |spec: &Spec| {
        let unit = spec.metric.unit();
        !spec.metric.is_flag() && matches!(unit, Unit::Share | Unit::Residual)
    };
    match number {
        Number::Metric(_, spec) => is_share(spec),
        Number::Negative(inner) => has_share(inner),
        Number::Arithmetic(_, left, right) => has_share(left) || has_share(right),
        _ => false,
    }
}

/// A number of an expression, and where it is written.
pub(super) type Side<'a> = (&'a Number, &'a Node);

/// That two numbers of an expression may be compared: some value of the one meets it, and neither is a constant that
/// the other never is.
///
/// # Errors
/// Where one is a constant that the other never reaches, so that all or no queries would meet the condition.
pub(super) fn check(
    text: &str,
    how: Comparison,
    left: Side<'_>,
    right: Side<'_>,
) -> Result<(), Mistake> {
    let of = |node: &Node| text.get(node.at.clone()).unwrap_or_default().trim();
    for (how, (number, written), (other, beyond)) in
        [(how, left, right), (how.flipped(), right, left)]
    {
        let (Some(values), Some([constant, same])) = (range(number), range(other)) else {
            continue;
        };
        let is_constant = same - constant < CLOSE && values[1] - values[0] > CLOSE;
        let is_beyond = !(values[0] - CLOSE..=values[1] + CLOSE).contains(&constant);
        let in_percent = is_beyond && has_share(number) && !of(beyond).ends_with('%');
        let mistake = |(found, expected): (String, String)| {
            let mistake = Mistake::new(beyond.at.clone(), format!("{} {found}", of(written)));
            match in_percent.then(|| as_share(constant, values)).flatten() {
                Some(share) => mistake.mend(format!("write {share}")),
                None => mistake.expected(expected),
            }
        };
        let is_never = || never(how, constant, values, is_whole(number));
        is_constant.then(is_never).flatten().map_or(Ok(()), |why| Err(mistake(why)))?;
    }
    Ok(())
}

/// What is wrong with a constant, and what was expected, where values never compare with it so; `None` where some may.
fn never(
    how: Comparison,
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
    let is_always = match how {
        Comparison::More | Comparison::MoreOrEqual => constant < least && most.is_infinite(),
        Comparison::Less | Comparison::LessOrEqual => constant > most && least.is_infinite(),
        _ => false,
    };
    if is_always {
        return None;
    }
    if !(least - CLOSE..=most + CLOSE).contains(&constant) {
        return Some((format!("goes {span}"), value));
    }
    let is_exact = matches!(how, Comparison::Equal | Comparison::Differs);
    if is_exact && is_whole && (constant - constant.round()).abs() > CLOSE {
        return Some(("is a whole number".into(), format!("{value}, or another comparison")));
    }
    let beyond = match how {
        Comparison::Less if constant < least + CLOSE => "less",
        Comparison::More if constant > most - CLOSE => "more",
        _ => return None,
    };
    Some((
        format!("goes {span}, and is never {beyond} than that"),
        "a comparison that a value can meet".into(),
    ))
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
