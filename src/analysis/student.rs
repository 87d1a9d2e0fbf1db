//! Tails and quantiles of Student's t and the normal distribution.

/// Probability of a value at least as far from 0 as `t` under Student's t with `df` degrees of freedom.
///
/// Source: Abramowitz and Stegun, 26.7.1.
pub(super) fn two_sided(t: f64, df: f64) -> f64 {
    regularised_beta(df / 2.0, 0.5, df / (df + t * t))
}

/// Probability of a value above `t` under Student's t with `df` degrees of freedom.
pub(super) fn upper_tail(t: f64, df: f64) -> f64 {
    let half = two_sided(t, df) / 2.0;
    if t > 0.0 { half } else { 1.0 - half }
}

/// The t whose upper tail has this probability, below 0.5; by bisection.
pub(super) fn upper_quantile(probability: f64, df: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while upper_tail(high, df) > probability && high < f64::MAX / 2.0 {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        if upper_tail(middle, df) > probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Number of bisections: enough for 53 bits of precision.
const BISECTIONS: usize = 60;

/// Two-sided p-value of a standard normal z.
///
/// Source: the complementary error function, <https://dlmf.nist.gov/7.18#E2>: erfc(|z| / sqrt(2)).
pub(super) fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// Maximum terms of the continued fraction; it needs about the square root of the larger parameter.
const MAX_TERMS: usize = 100_000;
/// Relative change below which the continued fraction stops.
const PRECISION: f64 = 1e-15;

/// Regularised incomplete beta function `I_x(a, b)` for a, b > 0 and x in 0 to 1.
///
/// Source: continued fraction 8.17.22 of the NIST Digital Library of Mathematical Functions,
/// <https://dlmf.nist.gov/8.17#v>, by the modified Lentz method (Thompson and Barnett 1986,
/// doi:10.1016/0021-9991(86)90046-X).
fn regularised_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return f64::from(u8::from(x >= 1.0));
    }
    // The fraction converges fast on this side of the mean; 8.17.4 is for the other.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_below_mean(b, a, 1.0 - x);
    }
    beta_below_mean(a, b, x)
}

/// [`regularised_beta`] for x up to about the mean, where the continued fraction converges fast.
fn beta_below_mean(a: f64, b: f64, x: f64) -> f64 {
    let logarithm = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b);
    let front = (logarithm + a * x.ln() + b * (-x).ln_1p()).exp() / a;
    front / continued_fraction(a, b, x)
}

/// The continued fraction 1 + d1 / (1 + d2 / (1 + ...)) of the incomplete beta function, with d from [`coefficient`].
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero = |value: f64| {
        if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value }
    };
    let (mut whole, mut above, mut below) = (1.0, 1.0, 0.0);
    for place in 1..=MAX_TERMS {
        let term = coefficient(a, b, x, place);
        above = away_from_zero(1.0 + term / above);
        below = 1.0 / away_from_zero(1.0 + term * below);
        let change: f64 = above * below;
        whole *= change;
        if (change - 1.0).abs() < PRECISION {
            break;
        }
    }
    whole
}

/// Coefficient `d_n` of the continued fraction of the incomplete beta function, DLMF 8.17.23; `place` is n, from 1.
fn coefficient(a: f64, b: f64, x: f64, place: usize) -> f64 {
    let m = (place / 2) as f64;
    if place.is_multiple_of(2) {
        m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
    } else {
        -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.t.isf(probability, df)` of `SciPy` 1.17.
    #[test]
    fn quantiles_equal_the_reference() {
        for (probability, df, expected) in QUANTILES {
            let found = upper_quantile(probability, df);
            assert!((found - expected).abs() < 1e-9 * expected, "{found}, not {expected}");
            assert!((upper_tail(found, df) - probability).abs() < 1e-9 * probability);
        }
        assert!((upper_tail(-2.0, 9.0) + upper_tail(2.0, 9.0) - 1.0).abs() < 1e-15);
    }

    const QUANTILES: [(f64, f64, f64); 6] = [
        (0.025, 4.0, 2.7764451051977943),
        (0.025, 1260.0, 1.9618485186029455),
        (0.2, 14.0, 0.8680547815574203),
        (0.0020833333333333333, 4999.0, 2.866580477290634),
        (1e-06, 1331.0, 4.774572429495292),
        (0.05, 1.0, 6.313751514675044),
    ];

    /// `2 * scipy.stats.norm.sf(abs(z))` of `SciPy` 1.17.
    #[test]
    fn the_normal_tail_equals_the_reference() {
        for (z, expected) in NORMAL {
            for z in [z, -z] {
                let error = (normal_two_sided(z) - expected).abs() / expected;
                assert!(error < 1e-12, "{z}: {}, not {expected}", normal_two_sided(z));
            }
        }
    }

    const NORMAL: [(f64, f64); 5] = [
        (0.0, 1.0),
        (1.0, 0.31731050786291415),
        (1.959963984540054, 0.05),
        (2.8, 0.005110260660855864),
        (10.0, 1.523970604832094e-23),
    ];

    /// `scipy.special.betainc(a, b, x)` of `SciPy` 1.17. With a million queries cancellation leaves eight digits.
    #[test]
    fn beta_equals_the_reference() {
        for (a, b, x, expected) in BETA {
            let value = regularised_beta(a, b, x);
            let error = (value - expected).abs() / expected.max(f64::MIN_POSITIVE);
            assert!(error < 1e-8, "I_{x}({a}, {b}) = {value}, not {expected}");
        }
        assert_eq!(regularised_beta(2.0, 3.0, 0.0).to_bits(), 0.0_f64.to_bits());
        assert_eq!(regularised_beta(2.0, 3.0, 1.0).to_bits(), 1.0_f64.to_bits());
    }

    const BETA: [(f64, f64, f64, f64); 10] = [
        (0.5, 0.5, 0.3, 0.36901011956554536),
        (2.0, 3.0, 0.5, 0.6875),
        (10.0, 0.5, 0.9, 0.15164090963470994),
        (630.0, 0.5, 0.995, 0.011983572467914342),
        (12499.5, 0.5, 0.9996, 0.0015642123061785833),
        (60.0, 41.0, 0.5, 0.028443966820490444),
        (13000.0, 12001.0, 0.5, 1.3158727541681579e-10),
        (500000.0, 498000.0, 0.5, 0.02264212319110566),
        (1.0, 1.0, 0.25, 0.25),
        (200.0, 1.0, 0.5, 6.223015277861142e-61),
    ];
}
