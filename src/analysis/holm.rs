//! Holm's correction for several tests at once.

/// The adjusted p-values of a family, in the order given: reject where they are at most the level,
/// and the chance of any false rejection is at most the level. What is `None` was not tested, and
/// counts as no member of the family.
///
/// Source: Holm 1979, *A simple sequentially rejective multiple test procedure*,
/// <https://www.jstor.org/stable/4615733>.
pub fn adjusted(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut tested: Vec<(f64, usize)> = p_values
        .iter()
        .enumerate()
        .filter_map(|(at, p)| Some(((*p)?, at)))
        .collect();
    tested.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut adjusted = vec![None; p_values.len()];
    let mut least = 0.0_f64;
    for (place, &(p, at)) in tested.iter().enumerate() {
        let remaining = (tested.len() - place) as f64;
        least = least.max((p * remaining).min(1.0));
        adjusted[at] = Some(least);
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 0.01 * 4, 0.02 * 3, 0.03 * 2 below the one before it, 0.5 * 1.
    #[test]
    fn each_step_has_one_test_less_and_never_goes_down() {
        let p = [Some(0.03), Some(0.01), None, Some(0.5), Some(0.02)];
        let expected = [Some(0.06), Some(0.04), None, Some(0.5), Some(0.06)];
        for (found, expected) in adjusted(&p).into_iter().zip(expected) {
            match (found, expected) {
                (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-12),
                (found, expected) => assert_eq!(found, expected),
            }
        }
        assert_eq!(adjusted(&[Some(0.7), Some(0.8)]), [Some(1.0), Some(1.0)]);
        assert_eq!(adjusted(&[]), []);
    }
}
