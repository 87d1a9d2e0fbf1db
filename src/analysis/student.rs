//! Student's t distribution.

use super::beta::regularised;

/// The probability of a value at least as far from zero as `t`.
///
/// Source: Abramowitz and Stegun, 26.7.1.
pub(super) fn two_sided(t: f64, df: f64) -> f64 {
    regularised(df / 2.0, 0.5, df / (df + t * t))
}

/// The probability of a value above `t`.
pub(super) fn above(t: f64, df: f64) -> f64 {
    let half = two_sided(t, df) / 2.0;
    if t > 0.0 { half } else { 1.0 - half }
}

/// The value that is exceeded with this probability, which is below one half; found by bisection.
pub(super) fn upper_quantile(probability: f64, df: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while above(high, df) > probability && high < f64::MAX / 2.0 {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        if above(middle, df) > probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Enough for the 53 bits of a number.
const BISECTIONS: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.t.isf(probability, df)` of `SciPy` 1.17.
    #[test]
    fn quantiles_equal_the_reference() {
        for (probability, df, expected) in QUANTILES {
            let found = upper_quantile(probability, df);
            assert!((found - expected).abs() < 1e-9 * expected, "{found}, not {expected}");
            assert!((above(found, df) - probability).abs() < 1e-9 * probability);
        }
        assert!((above(-2.0, 9.0) + above(2.0, 9.0) - 1.0).abs() < 1e-15);
    }

    const QUANTILES: [(f64, f64, f64); 6] = [
        (0.025, 4.0, 2.7764451051977943),
        (0.025, 1260.0, 1.9618485186029455),
        (0.2, 14.0, 0.8680547815574203),
        (0.0020833333333333333, 4999.0, 2.866580477290634),
        (1e-06, 1331.0, 4.774572429495292),
        (0.05, 1.0, 6.313751514675044),
    ];
}
