//! Mean rank of the first positive.

use super::{Label, Metric, Reads, Unit};
use crate::rank::QueryRanks;

/// Mean rank of the first positive.
pub struct MeanRank;

impl Metric for MeanRank {
    fn label(&self) -> Label {
        Label {
            key: "mean_rank",
            title: "MeanR",
            doc: "Mean over queries of the rank of the first positive, from 1. Source: VSE++ (Faghri et al. \
         2018), arXiv:1707.05612. Lower is better.",
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_of_the_first_positive() {
        assert_eq!(MeanRank.per_query(QueryRanks::complete(&[3, 4], 5), 0), Some(3.0));
        assert_eq!(MeanRank.per_query(QueryRanks::complete(&[], 5), 0), None);
    }
}
