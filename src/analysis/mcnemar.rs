//! `McNemar`'s test for two models that are right or wrong on each query.

use super::beta::regularised;

/// The exact two-sided p-value from the queries that only the one, and only the other model has
/// right: twice the binomial tail at one half, at most 1. It is exact at any number of queries, so no
/// approximation takes its place where they are many.
///
/// Source: `McNemar` 1947, doi:10.1007/BF02295996; the tail as an incomplete beta function by
/// <https://dlmf.nist.gov/8.17#E5>.
pub fn exact(only_first: usize, only_second: usize) -> f64 {
    let (fewer, more) = (only_first.min(only_second), only_first.max(only_second));
    if fewer == more {
        return 1.0;
    }
    (2.0 * regularised(more as f64, fewer as f64 + 1.0, 0.5)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.binomtest(b, b + c, 0.5).pvalue` of `SciPy` 1.17.
    #[test]
    fn equals_the_reference() {
        for (only_first, only_second, expected) in REFERENCE {
            for p in [
                exact(only_first, only_second),
                exact(only_second, only_first),
            ] {
                let error = (p - expected).abs() / expected;
                assert!(
                    error < 1e-9,
                    "{only_first} and {only_second}: {p}, not {expected}"
                );
            }
        }
        assert_eq!(exact(0, 0).to_bits(), 1.0_f64.to_bits());
    }

    const REFERENCE: [(usize, usize, f64); 8] = [
        (1, 0, 1.0),
        (3, 1, 0.625),
        (10, 2, 0.03857421875),
        (60, 40, 0.05688793364098089),
        (700, 620, 0.02963642932538485),
        (12000, 11500, 0.0011330142090280714),
        (3000, 2000, 1.3002310005205326e-45),
        (5, 5, 1.0),
    ];
}
