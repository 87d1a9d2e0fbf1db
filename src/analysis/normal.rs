//! Tails of the normal distribution.

/// The two-sided p-value of a standard normal z: the chance of a value at least as far from 0.
///
/// Source: the complementary error function, <https://dlmf.nist.gov/7.18#E2>: erfc(|z| / sqrt(2)).
pub(super) fn two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `2 * scipy.stats.norm.sf(abs(z))` of `SciPy` 1.17.
    #[test]
    fn equals_the_reference() {
        for (z, expected) in REFERENCE {
            for z in [z, -z] {
                let error = (two_sided(z) - expected).abs() / expected;
                assert!(error < 1e-12, "{z}: {}, not {expected}", two_sided(z));
            }
        }
    }

    const REFERENCE: [(f64, f64); 5] = [
        (0.0, 1.0),
        (1.0, 0.31731050786291415),
        (1.959963984540054, 0.05),
        (2.8, 0.005110260660855864),
        (10.0, 1.523970604832094e-23),
    ];
}
