//! Normalised discounted cumulative gain with binary gains.

use super::{Metric, Reads};
use crate::rank::QueryRanks;

/// Discounted hits in the top K, over the largest such sum.
pub struct NdcgAtK;

impl Metric for NdcgAtK {
    fn key(&self) -> &'static str {
        "ndcg_at_k"
    }

    fn title(&self) -> &'static str {
        "nDCG@K"
    }

    fn doc(&self) -> &'static str {
        "Sum of 1 / log2(1 + rank) over the positives at rank <= K, over the same sum for the first \
         min(K, R) ranks; undefined without positives. Source: Järvelin and Kekäläinen 2002, \
         doi:10.1145/582415.582418."
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        let discount = |rank: u32| 1.0 / f64::from(rank + 1).log2();
        let found = query.ranks.iter().take_while(|&rank| rank <= k);
        let gain: f64 = found.map(discount).sum();
        let best: f64 = (1..=query.listed.min(k)).map(discount).sum();
        (query.listed > 0).then(|| gain / best)
    }

    fn reads(&self, _: QueryRanks<'_>, k: u32) -> Reads {
        Reads::Top(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discounted_hits_over_the_best() {
        let of = |ranks, listed| NdcgAtK.per_query(QueryRanks::complete(ranks, listed), 3);
        assert_eq!(of(&[1, 2, 3, 4], 4), Some(1.0));
        let value = of(&[2, 9], 2).unwrap();
        assert!((value - (1.0 / 3f64.log2()) / (1.0 + 1.0 / 3f64.log2())).abs() < 1e-15);
        assert_eq!(of(&[], 0), None);
    }
}
