//! Student's t-test of paired values.

use super::beta::regularised;
use super::groups::Groups;

/// The outcome of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Student {
    /// The mean difference over its standard error.
    pub t: f64,
    /// Degrees of freedom: clusters less one, or less the number of parts.
    pub df: f64,
    /// Two-sided p-value.
    pub p: f64,
}

/// The t-test of the mean difference against zero, with the standard error that is robust to clusters
/// ([`Groups::error`]). `None` below two clusters, and where differences do not vary.
///
/// Sources: Student 1908, doi:10.1093/biomet/6.1.1; Liang and Zeger 1986, doi:10.1093/biomet/73.1.13.
pub fn test(groups: &Groups) -> Option<Student> {
    let (t, df) = (groups.mean()? / groups.error()?, groups.df());
    Some(Student {
        t,
        df,
        p: two_sided(t, df),
    })
}

/// The chance that Student's t is as far from zero as this, or further.
///
/// Source: the tail as an incomplete beta function by Abramowitz and Stegun, 26.7.1.
pub fn two_sided(t: f64, df: f64) -> f64 {
    regularised(df / 2.0, 0.5, df / (df + t * t))
}

/// The chance that Student's t is above this.
pub fn above(t: f64, df: f64) -> f64 {
    let half = two_sided(t, df) / 2.0;
    if t > 0.0 { half } else { 1.0 - half }
}

/// The value that Student's t exceeds with this chance, below one half: found by halving, to the last
/// bits.
pub fn upper_quantile(chance: f64, df: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while above(high, df) > chance && high < f64::MAX / 2.0 {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if above(middle, df) > chance {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// More than a number's 53 bits are not told apart.
const HALVINGS: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Option<Student> {
        test(&Groups::single(values.to_vec()))
    }

    /// `scipy.stats.ttest_1samp(d, 0)` of `SciPy` 1.17: statistic and p-value.
    #[test]
    fn equals_the_reference() {
        for (values, t, p) in REFERENCE {
            let found = of(values).unwrap();
            assert!((found.t - t).abs() < 1e-11 * t.abs(), "{found:?}, not {t}");
            assert!((found.p - p).abs() < 1e-11, "{found:?}, not {p}");
        }
    }

    /// `scipy.stats.t.isf(chance, df)` of `SciPy` 1.17.
    #[test]
    fn quantiles_equal_the_reference() {
        for (chance, df, expected) in QUANTILES {
            let found = upper_quantile(chance, df);
            assert!(
                (found - expected).abs() < 1e-9 * expected,
                "{found}, not {expected}"
            );
            assert!((above(found, df) - chance).abs() < 1e-9 * chance);
        }
        assert!((above(-2.0, 9.0) + above(2.0, 9.0) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn undefined_where_nothing_varies() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[0.3]), None);
        assert_eq!(of(&[0.0; 9]), None);
        assert_eq!(of(&[0.1; 9]), None);
        assert!(of(&[0.1, 0.1, 0.2]).is_some());
    }

    /// Clusters of one size are tested as their means are; each value twice over is no further evidence.
    #[test]
    fn clusters_are_tested_as_their_means() {
        let values = [0.3, -0.1, 0.25, 0.4, -0.2];
        let pairs: Vec<f64> = values.iter().flat_map(|v| [v + 0.05, v - 0.05]).collect();
        let labels: Vec<u32> = (0..10).map(|at| at / 2).collect();
        let (grouped, alone) = (
            test(&Groups::labelled(&pairs, &labels)).unwrap(),
            of(&values).unwrap(),
        );
        assert!((grouped.t - alone.t).abs() < 1e-12 && (grouped.p - alone.p).abs() < 1e-12);
        assert!((grouped.df - 4.0).abs() < 1e-12);
    }

    /// `statsmodels` 0.15: `OLS(d, 1).fit(cov_type="cluster", cov_kwds={"groups": g}, use_t=True)`.
    #[test]
    fn clusters_of_any_size_equal_the_reference() {
        let values = [
            -0.3, -0.56, -0.02, 0.31, 0.67, 0.15, -0.18, -0.29, 0.47, 0.92, 0.24, -0.52, -0.38, 0.9,
        ];
        let labels = [0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4];
        let groups = Groups::labelled(&values, &labels);
        let found = test(&groups).unwrap();
        assert!((groups.error().unwrap() - 0.14010112575321368).abs() < 1e-14);
        assert!((found.t - 0.7188684971146672).abs() < 1e-12);
        assert!((found.p - 0.511977626937757).abs() < 1e-12);
    }

    const QUANTILES: [(f64, f64, f64); 6] = [
        (0.025, 4.0, 2.7764451051977943),
        (0.025, 1260.0, 1.9618485186029455),
        (0.2, 14.0, 0.8680547815574203),
        (0.0020833333333333333, 4999.0, 2.866580477290634),
        (1e-06, 1331.0, 4.774572429495292),
        (0.05, 1.0, 6.313751514675044),
    ];

    const REFERENCE: [(&[f64], f64, f64); 4] = [
        (
            &[0.3, -0.1, 0.25, 0.4, -0.2],
            1.102645608583962,
            0.3320602718646678,
        ),
        (
            &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 1.0, 1.0, 0.0, 0.0, 1.0],
            1.3932610920384718,
            0.19105429809656932,
        ),
        (
            &[0.5, 0.25, 0.125, -0.5, 0.75, 0.1, 0.2, -0.3, 0.9, 0.05],
            1.5266882584395545,
            0.16118351321219773,
        ),
        (
            &[5.0, 5.5, 6.0, 5.2, 5.1, 4.9, 6.1, 5.3],
            33.96755850890524,
            4.9676601076507716e-09,
        ),
    ];
}
