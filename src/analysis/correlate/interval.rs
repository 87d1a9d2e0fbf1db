//! How far a tau-b over models hangs on which models there happen to be.

use crate::analysis::bootstrap::{Draws, quantile};
use crate::data::stream::{Stream, Use};
use crate::metric::CLOSE;

/// With fewer models, or families of models, there is no interval.
const LEAST: usize = 4;
/// The two-sided share of resamples outside of an interval.
const OUTSIDE: f64 = 0.05;

/// How often each model is drawn in each resample.
pub(super) struct Resamples(Vec<Vec<i32>>);

impl Resamples {
    /// As many groups of models as there are, drawn with replacement, again and again. `labels` is the
    /// group of each model, from 0 on without gaps. `None` for fewer than [`LEAST`] groups.
    ///
    /// Source: Davison and Hinkley 1997, *Bootstrap methods and their application*, 3.8, on groups.
    pub(super) fn drawn(labels: &[usize], of: Use, draws: Draws) -> Option<Self> {
        let groups = labels.iter().max().map_or(0, |last| last + 1);
        let times = |resample| {
            let mut stream = Stream::new(draws.seed, of, resample);
            let mut times = vec![0; groups];
            for _ in 0..groups {
                times[stream.index(groups)] += 1;
            }
            labels.iter().map(|&group| times[group]).collect()
        };
        (groups >= LEAST).then(|| Resamples((0..draws.resamples).map(times).collect()))
    }

    /// The central 95 % of tau-b over resamples; those in which it is undefined are left out, and `None`
    /// where that are all, or where all others have the same: of models in one order every resample has a tau-b of 1,
    /// however few they are, which says nothing of other models. A percentile interval stays within the bounds of
    /// tau, -1 and 1.
    pub(super) fn interval(&self, series: &Series) -> Option<[f64; 2]> {
        let mut taus: Vec<f64> = self.0.iter().filter_map(|of| series.tau_b(of)).collect();
        taus.sort_unstable_by(f64::total_cmp);
        let ends = [OUTSIDE / 2.0, 1.0 - OUTSIDE / 2.0];
        let varies = taus.last()? - taus.first()? > CLOSE;
        varies.then(|| ends.map(|share| quantile(&taus, share)))
    }
}

/// Two series as the order of each two of their values: a row for each value, with those before it.
pub(super) struct Series {
    /// 1 for a concordant pair, -1 for a discordant one, 0 for a tie.
    agreement: Vec<Vec<i32>>,
    /// 1 where the values of the one, and of the other series differ.
    untied: [Vec<Vec<i32>>; 2],
}

impl Series {
    pub(super) fn new(first: &[f64], second: &[f64]) -> Self {
        let sign = |of: &[f64], at: usize, before: usize| {
            let order = of[at].partial_cmp(&of[before]);
            order.map_or(0, |order| order as i32)
        };
        let rows = |pair: &dyn Fn(usize, usize) -> i32| -> Vec<Vec<i32>> {
            let row = |at| (0..at).map(|before| pair(at, before)).collect();
            (0..first.len()).map(row).collect()
        };
        Series {
            agreement: rows(&|at, before| sign(first, at, before) * sign(second, at, before)),
            untied: [
                rows(&|at, before| sign(first, at, before).abs()),
                rows(&|at, before| sign(second, at, before).abs()),
            ],
        }
    }

    /// Tau-b where each value stands so many times: copies of one value are tied.
    fn tau_b(&self, times: &[i32]) -> Option<f64> {
        let [one, other] = self.untied.each_ref().map(|rows| sum(rows, times));
        let agreement = sum(&self.agreement, times);
        (one > 0.0 && other > 0.0).then(|| agreement / (one * other).sqrt())
    }
}

/// The sum over all pairs, each as often as its values stand together.
fn sum(rows: &[Vec<i32>], times: &[i32]) -> f64 {
    let of_row = |(row, &of): (&Vec<i32>, &i32)| {
        if of == 0 {
            return 0;
        }
        let pairs = row.iter().zip(times).map(|(pair, times)| pair * times);
        i64::from(of) * i64::from(pairs.sum::<i32>())
    };
    rows.iter().zip(times).map(of_row).sum::<i64>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::kendall;

    /// A resample as it is written out, with copies.
    #[test]
    fn copies_are_tied() {
        let first = [3.0, 1.0, 4.0, 1.0, 5.0];
        let second = [2.0, 7.0, 1.0, 8.0, 8.0];
        let series = Series::new(&first, &second);
        for times in [[1, 1, 1, 1, 1], [2, 0, 3, 1, 0], [0, 0, 0, 4, 1], [5, 0, 0, 0, 0]] {
            let copies = |of: &[f64; 5]| -> Vec<f64> {
                let of = of.iter().zip(times);
                of.flat_map(|(&value, times)| vec![value; times as usize]).collect()
            };
            let expected = kendall::tau_b(&copies(&first), &copies(&second));
            assert_eq!(series.tau_b(&times), expected);
        }
    }

    const DRAWS: Draws = Draws { resamples: 1_000, seed: 3 };

    #[test]
    fn groups_are_drawn_together() {
        let Resamples(drawn) = Resamples::drawn(&[0, 0, 1, 2, 3, 3], Use::Families, DRAWS).unwrap();
        assert_eq!(drawn.len(), 1_000);
        for times in &drawn {
            assert_eq!((times[0], times[4]), (times[1], times[5]));
            assert_eq!(times[0] + times[2] + times[3] + times[4], 4);
        }
        assert!(drawn.iter().any(|times| times[2] == 2));
    }

    #[test]
    fn few_groups_and_ties_alone_have_no_interval() {
        let drawn = |labels: &[usize]| Resamples::drawn(labels, Use::Models, DRAWS);
        assert!(drawn(&[]).is_none() && drawn(&[0, 1, 2, 2]).is_none());
        let four = drawn(&[0, 1, 2, 3]).unwrap();
        let rising = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(four.interval(&Series::new(&rising, &[1.0; 4])), None);
        // In one order, or the opposite one, each resample is too.
        for same in [rising, rising.map(|value| -value)] {
            assert_eq!(four.interval(&Series::new(&rising, &same)), None);
        }
        let other = four.interval(&Series::new(&rising, &[2.0, 1.0, 3.0, 4.0]));
        assert!(other.is_some_and(|[low, high]| low < high));
    }
}
