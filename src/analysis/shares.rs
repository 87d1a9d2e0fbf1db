//! Intervals of shares: means of values that are 0 or 1, such as R@K.
//!
//! Wilson's score interval, of as many values as those at hand are worth: values of one cluster tell less
//! than as many by themselves. Near 0 and 1, where few values differ from the others, it keeps its level, which
//! resampling does not: values that are not among those at hand are never drawn.
//!
//! Sources: Wilson 1927, doi:10.1080/01621459.1927.10502953; the effective number of values as in Korn and
//! Graubard 1998, *Confidence intervals for proportions with small expected number of positive counts
//! estimated from survey data*, Survey Methodology 24; how such intervals do: Franco, Little, Louis and
//! Slud 2019, doi:10.1093/jssam/smy019.

use super::bootstrap::{LEVEL, bounded};
use super::groups::Groups;
use super::ttest::upper_quantile;
use crate::metric::Unit;

/// The quantile of the normal distribution that 2.5 % lie above.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % CI of a mean that lies between 0 and 1; `None` without values.
pub fn interval(groups: &Groups) -> Option<[f64; 2]> {
    let share = groups.mean()?;
    Some(wilson(share, worth(groups, share)))
}

/// How many values by themselves would have the same standard error: no more than there are, and the number
/// of clusters where nothing varies. With few clusters the error is itself uncertain, as quantiles of Student's
/// t say.
fn worth(groups: &Groups, share: f64) -> f64 {
    let Some(error) = groups.error() else {
        return groups.len() as f64;
    };
    let count = groups.count();
    let alone = share * (1.0 - share) / (error * error) * count / (count - 1.0);
    let [by_count, by_cluster] =
        [count - 1.0, groups.df()].map(|df| upper_quantile(LEVEL / 2.0, df));
    (alone * (by_count / by_cluster).powi(2)).min(count)
}

fn wilson(share: f64, count: f64) -> [f64; 2] {
    let spread = Z * Z / count;
    let middle = share + spread / 2.0;
    let half = Z * (share * (1.0 - share) / count + spread / (4.0 * count)).sqrt();
    let [low, high] = [middle - half, middle + half].map(|end| end / (1.0 + spread));
    // Rounding may leave an end of 0 or 1 on the wrong side of the share.
    bounded([low.min(share), high.max(share)], Unit::Share.range())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: [f64; 2], expected: [f64; 2]) {
        let both = found.into_iter().zip(expected);
        for (found, expected) in both {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    fn hits(right: usize, count: usize) -> Vec<f64> {
        let of = |at| f64::from(u8::from(at < right));
        (0..count).map(of).collect()
    }

    /// `statsmodels` 0.15, `proportion_confint(8, 10, method='wilson')` and of 10 of 10.
    #[test]
    fn values_by_themselves_have_wilsons_interval() {
        let of = |right| interval(&Groups::single(hits(right, 10))).unwrap();
        near(of(8), [0.4901624715366003, 0.9433178485456247]);
        near(of(10), [0.7224672001371107, 1.0]);
        assert_eq!(interval(&Groups::single(Vec::new())), None);
    }

    /// One success more never lowers an end.
    #[test]
    fn ends_rise_with_the_share() {
        for count in [1, 20, 100] {
            let all =
                (0..=count).map(|right| interval(&Groups::single(hits(right, count))).unwrap());
            let all: Vec<[f64; 2]> = all.collect();
            for ends in all.windows(2) {
                assert!(
                    ends[0][0] <= ends[1][0] && ends[0][1] <= ends[1][1],
                    "{ends:?}"
                );
            }
        }
    }

    /// Each value five times over: as uncertain as once, and a little more so for the clusters being few.
    #[test]
    fn clusters_of_equal_values_are_worth_one_value() {
        let once = hits(30, 40);
        let fivefold: Vec<f64> = once.iter().flat_map(|&hit| [hit; 5]).collect();
        let labels: Vec<u32> = (0..200).map(|at| at / 5).collect();
        let groups = Groups::labelled(&fivefold, &labels);
        let worth = worth(&groups, 0.75);
        assert!(37.0 < worth && worth < 40.0, "{worth}");
        let all = Groups::labelled(&[1.0; 10], &[0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
        near(interval(&all).unwrap(), wilson(1.0, 2.0));
    }
}
