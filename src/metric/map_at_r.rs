//! mAP@R, the metric proposed by ECCV Caption.

use super::{Label, Metric, Reads, mean};
use crate::rank::QueryRanks;

/// Mean over the ranks 1..R of the precision at those with a positive.
pub struct MapAtR;

impl Metric for MapAtR {
    fn label(&self) -> Label {
        Label {
            key: "map_at_r",
            title: "mAP@R",
            doc: "AP@R of a query = (1/R) * sum over ranks k <= R that hold a positive of the precision at k; \
         R counts positives outside the gallery too. The mean over queries is mAP@R. Sources: Musgrave \
         et al. 2020, arXiv:2003.08505; Chun et al. 2022 (ECCV Caption), arXiv:2204.03359.",
        }
    }

    fn is_default(&self) -> bool {
        true
    }

    /// As `eccv_caption` computes it: precision at k is 1 - misses / k, and the mean over the R ranks
    /// is summed pairwise. Undefined without positives.
    fn per_query(&self, query: QueryRanks<'_>, _: u32) -> Option<f64> {
        let depth = query.listed as usize;
        if depth == 0 {
            return None;
        }
        let top_r = query.ranks.iter().take_while(|&rank| rank <= query.listed);
        let mut precisions = vec![0.0; depth];
        for (hits, rank) in (1..).zip(top_r) {
            precisions[rank as usize - 1] = precision(rank, hits);
        }
        Some(mean::pairwise(&precisions))
    }

    fn reads(&self, query: QueryRanks<'_>, _: u32) -> Reads {
        Reads::Top(query.listed)
    }
}

/// Precision of the first `rank` items with `hits` positives among them, in arithmetic of the reference: `1 - 2/3` and
/// `1/3` differ in the last bit.
pub(super) fn precision(rank: u32, hits: u32) -> f64 {
    1.0 - f64::from(rank - hits) / f64::from(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(ranks: &[u32]) -> f64 {
        let value = MapAtR.per_query(QueryRanks::complete(ranks, 8), 0).unwrap();
        (value * 1000.0).round() / 10.0
    }

    /// The worked example of the ECCV Caption user study, R = 8.
    #[test]
    fn four_rankings_of_the_user_study() {
        assert!((percent(&[2, 3, 4, 5, 6, 7, 8]) - 66.0).abs() < 1e-9);
        assert!((percent(&[1]) - 12.5).abs() < 1e-9);
        assert!((percent(&[6, 7, 8]) - 10.3).abs() < 1e-9);
        assert!((percent(&[5]) - 2.5).abs() < 1e-9);
    }

    #[test]
    fn positives_below_rank_r_count_0_and_no_positives_is_undefined() {
        let of = |ranks, listed| MapAtR.per_query(QueryRanks::complete(ranks, listed), 0);
        assert_eq!(of(&[1, 2], 2), Some(1.0));
        assert_eq!(of(&[3, 4], 2), Some(0.0));
        assert_eq!(of(&[1], 3), Some(1.0 / 3.0));
        assert_eq!(of(&[], 0), None);
    }
}
