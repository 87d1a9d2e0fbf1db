//! The values that a number can have, and what is said where it is compared with any other.

use super::mistake::Mistake;
use super::program::Number;
use super::syntax::{Arithmetic, Node};
use crate::metric::{CLOSE, Spec, Unit};

/// The least and the greatest value; `None` where there is no greatest one, as of ranks.
fn range(number: &Number) -> Option<[f64; 2]> {
    match number {
        Number::Constant(number) => Some([*number; 2]),
        Number::Metric(_, spec) => {
            let range = spec.metric.unit().range();
            range[1].is_finite().then_some(range)
        }
        Number::PositivesInTop(_, k) | Number::ExtraInTop(.., k) => Some([0.0, f64::from(*k)]),
        Number::Judged(_)
        | Number::Picked
        | Number::Hub(_)
        | Number::NearDuplicate(..)
        | Number::Unrelated
        | Number::Learning(..) => Some([0.0, 1.0]),
        Number::Rank(_)
        | Number::Phi(_)
        | Number::MissedPhi(..)
        | Number::Listed(_)
        | Number::Words
        | Number::Verdicts
        | Number::Lacking(..)
        | Number::FirstRightStep(..) => None,
        Number::Negative(inner) => range(inner).map(|[least, most]| [0.0 - most, 0.0 - least]),
        Number::Arithmetic(how, left, right) => combined(*how, range(left)?, range(right)?),
    }
}

/// The range of what two numbers of these ranges make; `None` where the divisor may be 0.
fn combined(how: Arithmetic, left: [f64; 2], right: [f64; 2]) -> Option<[f64; 2]> {
    if how == Arithmetic::Over && right[0] <= 0.0 && right[1] >= 0.0 {
        return None;
    }
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

/// That two numbers of an expression may be compared: neither lies beyond all values of the other.
///
/// # Errors
/// Where one is a constant that the other never reaches, so that all or no queries would meet the condition.
pub(super) fn check(
    text: &str,
    left: (&Number, &Node),
    right: (&Number, &Node),
) -> Result<(), Mistake> {
    for ((number, written), (other, beyond)) in [(left, right), (right, left)] {
        let (Some([least, most]), Some([constant, same])) = (range(number), range(other)) else {
            continue;
        };
        let is_constant = same - constant < CLOSE && most - least > CLOSE;
        if is_constant && !(least - CLOSE..=most + CLOSE).contains(&constant) {
            let of = |node: &Node| text.get(node.at.clone()).unwrap_or_default().trim();
            let found = format!("{} goes from {least} to {most}", of(written));
            let mistake = Mistake::new(beyond.at.clone(), found);
            let in_percent = has_share(number) && !of(beyond).ends_with('%');
            return Err(
                match in_percent.then(|| as_share(constant, [least, most])) {
                    Some(Some(share)) => mistake.mend(format!("write {share}")),
                    _ => mistake.expected(format!("a number from {least} to {most}")),
                },
            );
        }
    }
    Ok(())
}

/// A number of percent as a share, in both ways to write it; `None` where that is no share in the range either.
fn as_share(percent: f64, [least, most]: [f64; 2]) -> Option<String> {
    // Six decimals: 33.3 / 100 has a digit too many.
    let share = (percent * 1e4).round() / 1e6;
    let is_share = most <= 1.0 && (least..=most).contains(&share);
    is_share.then(|| format!("{share} or {percent}%"))
}
