//! The best of several values of one metric.

use super::{CLOSE, Unit};

/// The best of several values; `None` if all are equal (nearer than [`CLOSE`]), or if there are fewer than two.
pub fn value(values: &[f64], unit: Unit) -> Option<f64> {
    let compare = |one: &&f64, other: &&f64| unit.orient(**one).total_cmp(&unit.orient(**other));
    let best = values.iter().max_by(compare).copied()?;
    let is_worse = |value: &f64| !is_equal(*value, best);
    values.iter().any(is_worse).then_some(best)
}

/// Whether each value equals the best [`value`]: `false` for `None`, and for all values if there is no best one.
pub fn marks(values: &[Option<f64>], unit: Unit) -> Vec<bool> {
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    let best = value(&known, unit);
    let is_best =
        |value: &Option<f64>| value.zip(best).is_some_and(|(one, best)| is_equal(one, best));
    values.iter().map(is_best).collect()
}

/// Whether two values differ by less than [`CLOSE`].
fn is_equal(one: f64, other: f64) -> bool {
    (one - other).abs() < CLOSE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_best_value_is_marked_unless_all_are_equal() {
        let share = |values: &[Option<f64>]| marks(values, Unit::Share);
        assert_eq!(share(&[Some(0.5), Some(0.7), Some(0.7)]), [false, true, true]);
        assert_eq!(share(&[Some(0.0); 3]), [false; 3]);
        // A rounding error is no difference.
        assert_eq!(share(&[Some(0.1 + 0.2), Some(0.3)]), [false; 2]);
        assert_eq!(share(&[Some(0.1 + 0.2), Some(0.3), Some(0.0)]), [true, true, false]);
        assert_eq!(share(&[None, Some(0.7)]), [false; 2]);
        assert_eq!(share(&[None, Some(0.7), Some(0.2)]), [false, true, false]);
        assert_eq!(share(&[]), [false; 0]);
    }

    #[test]
    fn the_lowest_rank_is_the_best() {
        let ranks = [Some(3.0), Some(1.0), None, Some(1.0)];
        assert_eq!(marks(&ranks, Unit::Rank), [false, true, false, true]);
    }
}
