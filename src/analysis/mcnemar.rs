//! `McNemar`'s test for two models that are right or wrong on each query.

use super::beta::regularised;

/// The two-sided mid-p value from the queries that only the one, and only the other model has right:
/// twice the binomial tail at one half, with the observed split counted half. The exact p-value is
/// conservative; the mid-p keeps the level nearly everywhere.
///
/// Sources: `McNemar` 1947, doi:10.1007/BF02295996; Fagerland, Lydersen and Laake 2013,
/// doi:10.1186/1471-2288-13-91; the tail as an incomplete beta function by
/// <https://dlmf.nist.gov/8.17#E5>.
pub fn mid_p(only_first: usize, only_second: usize) -> f64 {
    let (fewer, more) = (only_first.min(only_second), only_first.max(only_second));
    if fewer == more {
        return 1.0;
    }
    let [fewer, more] = [fewer, more].map(|count| count as f64);
    let tail = regularised(more, fewer + 1.0, 0.5);
    2.0 * tail - at_one_half(fewer, more)
}

/// The chance that fair coins fall this way.
fn at_one_half(top_k: f64, tails: f64) -> f64 {
    let all = top_k + tails;
    let ways = libm::lgamma(all + 1.0) - libm::lgamma(top_k + 1.0) - libm::lgamma(tails + 1.0);
    (ways - all * std::f64::consts::LN_2).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `2 * binom.cdf(k, n, 0.5) - binom.pmf(k, n, 0.5)`, `k` the lesser of the two, of `SciPy` 1.17.
    #[test]
    fn equals_the_reference() {
        for (only_first, only_second, expected) in REFERENCE {
            for p in [
                mid_p(only_first, only_second),
                mid_p(only_second, only_first),
            ] {
                let error = (p - expected).abs() / expected;
                assert!(
                    error < 1e-8,
                    "{only_first} and {only_second}: {p}, not {expected}"
                );
            }
        }
        assert_eq!(mid_p(0, 0).to_bits(), 1.0_f64.to_bits());
    }

    const REFERENCE: [(usize, usize, f64); 9] = [
        (1, 0, 0.5),
        (3, 1, 0.375),
        (10, 2, 0.0224609375),
        (60, 40, 0.04604406692934291),
        (700, 620, 0.027691566720310767),
        (12000, 11500, 0.0011075313310286738),
        (3000, 2000, 1.082668323026848e-45),
        (517, 72, 3.235497359505131e-84),
        (5, 5, 1.0),
    ];
}
