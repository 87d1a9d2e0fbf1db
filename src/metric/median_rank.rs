//! Median rank of the first positive.

use super::{Label, Metric, Reads, Unit};
use crate::rank::QueryRanks;

/// Median rank of the first positive.
pub struct MedianRank;

impl Metric for MedianRank {
    fn label(&self) -> Label {
        Label {
            key: "median_rank",
            title: "MedR",
            doc: "Median over queries of the rank of the first positive, from 1; of an even number the mean of \
         the middle two (VSE++, arXiv:1707.05612, rounds it down). Lower is better.",
        }
    }

    fn unit(&self) -> Unit {
        Unit::Rank
    }

    /// Undefined without a ranked positive.
    fn per_query(&self, query: QueryRanks<'_>, _: u32) -> Option<f64> {
        query.first().map(f64::from)
    }

    fn reads(&self, _: QueryRanks<'_>, _: u32) -> Reads {
        Reads::First
    }

    fn is_mean(&self) -> bool {
        false
    }

    fn summarise(&self, values: &mut [f64]) -> f64 {
        values.sort_unstable_by(f64::total_cmp);
        f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
    }

    /// The median is known if all unknown ranks are greater than it.
    fn summarise_known(&self, known: &mut Vec<f64>, unknown: usize, depth: u32) -> Option<f64> {
        known.resize(known.len() + unknown, f64::INFINITY);
        let median = self.summarise(known);
        (known[known.len() / 2] <= f64::from(depth)).then_some(median)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_and_even_numbers() {
        assert_eq!(MedianRank.summarise(&mut [9.0, 1.0, 2.0]).to_bits(), 2f64.to_bits());
        assert_eq!(MedianRank.summarise(&mut [9.0, 1.0, 2.0, 3.0]).to_bits(), 2.5f64.to_bits());
    }

    #[test]
    fn unknown_ranks_matter_only_around_the_middle() {
        let of =
            |known: &[f64], unknown| MedianRank.summarise_known(&mut known.to_vec(), unknown, 10);
        assert_eq!(of(&[9.0, 1.0, 2.0], 2), Some(9.0));
        assert_eq!(of(&[9.0, 1.0, 2.0], 3), None);
        assert_eq!(of(&[1.0, 2.0, 13.0], 1), None);
        assert_eq!(of(&[1.0, 13.0], 1), None);
    }
}
