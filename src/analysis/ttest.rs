//! Student's t-test of paired values.

use super::beta::regularised;
use super::groups::Groups;

/// The outcome of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Student {
    /// The mean difference over its standard error.
    pub t: f64,
    /// Degrees of freedom: groups less one.
    pub df: f64,
    /// Two-sided p-value.
    pub p: f64,
}

/// The t-test of the mean difference against zero. `None` below two groups, and where differences do
/// not vary.
///
/// With groups the standard error is the one robust to them, from each group's sum of deviations; with
/// groups of one it is the ordinary one.
///
/// Sources: Student 1908, doi:10.1093/biomet/6.1.1; Liang and Zeger 1986, doi:10.1093/biomet/73.1.13;
/// the tail as an incomplete beta function by Abramowitz and Stegun, 26.7.1.
pub fn test(groups: &Groups) -> Option<Student> {
    let mean = groups.mean()?;
    let all = groups.sums().iter().zip(groups.sizes());
    let deviation = |(sum, &size): (&f64, &u32)| sum - f64::from(size) * mean;
    let squares: f64 = all.clone().map(|group| deviation(group).powi(2)).sum();
    let size: f64 = all.map(|(sum, _)| sum.powi(2)).sum();
    let df = groups.len() as f64 - 1.0;
    // Equal differences leave no more than rounding errors.
    if df < 1.0 || squares <= size * ROUNDING {
        return None;
    }
    let count = groups.count() as f64;
    let error = (squares * (df + 1.0) / df).sqrt() / count;
    let t = mean / error;
    Some(Student {
        t,
        df,
        p: regularised(df / 2.0, 0.5, df / (df + t * t)),
    })
}

/// Part of the squares that rounding makes, at most.
const ROUNDING: f64 = 1e-24;

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

    #[test]
    fn undefined_where_nothing_varies() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[0.3]), None);
        assert_eq!(of(&[0.0; 9]), None);
        assert_eq!(of(&[0.1; 9]), None);
        assert!(of(&[0.1, 0.1, 0.2]).is_some());
    }

    /// Groups of one size are tested as their means are; each value twice over is no further evidence.
    #[test]
    fn groups_are_tested_as_their_means() {
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
