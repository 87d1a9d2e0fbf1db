//! Normalised discounted cumulative gain: the only metric here with grades. The gain of an item is its grade in the
//! truth, 1 for a positive of a truth without grades, half of that if judged `partial`.

use super::mean::total;
use super::{Depth, Label, Metric, Reads};
use crate::rank::QueryRanks;
use crate::rank::gains::Gains;
use crate::truth::relevance::WHOLE;

/// Sum of discounted gains in the top K, divided by the largest possible sum.
pub struct NdcgAtK;

impl Metric for NdcgAtK {
    fn label(&self) -> Label {
        Label {
            key: "ndcg_at_k",
            title: "nDCG@K",
            doc: "Sum of gain / log2(1 + rank) over the items at rank <= K, divided by the largest sum for the items of the \
         ground truth, including those outside the gallery; undefined without any gain. The gain is the grade in TREC \
         qrels (like ndcg_cut of trec_eval, also below --relevant-from), otherwise 1 for a positive. Among your \
         judgments, a yes has the highest grade and partly half of it. Source: Järvelin and Kekäläinen 2002, \
         doi:10.1145/582415.582418.",
        }
    }

    fn depth(&self) -> Depth {
        Depth::AtK
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        let (gain, best) =
            query.gains.map_or_else(|| positive_sums(query, k), |gains| gain_sums(gains, k));
        (best > 0.0).then(|| gain / best)
    }

    fn has_relevant(&self, query: QueryRanks<'_>) -> bool {
        query.gains.map_or(query.listed > 0, |gains| !gains.best().is_empty())
    }

    fn reads(&self, _: QueryRanks<'_>, k: u32) -> Reads {
        Reads::Gains(k)
    }
}

/// The sum of discounted gains in the top `k`, and the largest possible one, if all positives have the same gain.
fn positive_sums(query: QueryRanks<'_>, k: u32) -> (f64, f64) {
    let found = query.ranks.iter().take_while(|&rank| rank <= k);
    let discounted = |rank| discounted_gain(rank, WHOLE);
    let best = (1..=query.listed.min(k)).map(discounted);
    (total(found.map(discounted)), total(best))
}

/// The sum of discounted gains in the top `k`, and the largest possible one.
fn gain_sums(gains: &Gains, k: u32) -> (f64, f64) {
    let found = gains.top(k).map(|(rank, gain)| discounted_gain(rank, gain));
    let best = (1..=k).zip(gains.best());
    let best = best.map(|(rank, gain)| discounted_gain(rank, gain));
    (total(found), total(best))
}

/// The gain of an item divided by log2(1 + rank), in grades; `gain` is in units of 1 / [`WHOLE`] of a grade.
fn discounted_gain(rank: u32, gain: u32) -> f64 {
    f64::from(gain) / f64::from(WHOLE) / f64::from(rank + 1).log2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn value_is_the_discounted_gain_over_the_best() {
        let of = |ranks, listed| NdcgAtK.per_query(QueryRanks::complete(ranks, listed), 3);
        assert_eq!(of(&[1, 2, 3, 4], 4), Some(1.0));
        let value = of(&[2, 9], 2).unwrap();
        assert!((value - (1.0 / 3f64.log2()) / (1.0 + 1.0 / 3f64.log2())).abs() < 1e-15);
        assert_eq!(of(&[], 0), None);
        assert_eq!(of(&[9], 1).map(f64::to_bits), Some(0), "not minus zero");
    }

    /// Ranks 1 and 3, the first partly relevant: (0.5 + 1 / log2(4)) / (1 + 0.5 / log2(3)).
    #[test]
    fn a_partial_has_half_the_gain() {
        let of = |items: &[(Option<u32>, u32)]| {
            let gains = Gains::new(items.iter().copied(), Vec::new());
            let query = QueryRanks { gains: Some(&gains), ..QueryRanks::complete(&[], 2) };
            NdcgAtK.per_query(query, 3).unwrap()
        };
        let best = 1.0 + 0.5 / 3f64.log2();
        assert!((of(&[(Some(1), 1), (Some(3), 2)]) - 1.0 / best).abs() < 1e-15);
        // A perfect model ranks it second.
        assert!((of(&[(Some(2), 1), (Some(1), 2)]) - 1.0).abs() < 1e-15);
        // An unranked one is missed all the same.
        assert!((of(&[(None, 1), (Some(1), 2)]) - 1.0 / best).abs() < 1e-15);
    }

    proptest! {
        /// A list of gains, one an item, and the same sorted.
        #[test]
        fn value_equals_the_sum_over_all_items(
            judgments in prop::collection::vec((0u8..4, any::<bool>()), 1..30),
            k in 1u32..40,
        ) {
            let gain = |&(kind, _): &(u8, bool)| [0.0, 0.0, 0.5, 1.0][usize::from(kind)];
            let gains: Vec<f64> = judgments.iter().map(gain).collect();
            let is_ranked = |at: usize| judgments[at].1 || judgments[at].0 < 2;
            // Unranked items are behind all ranked ones.
            let order: Vec<usize> = (0..gains.len()).filter(|&at| is_ranked(at)).collect();
            let sum = |gains: &mut dyn Iterator<Item = f64>| -> f64 {
                let top = (1..=k).zip(gains);
                top.map(|(rank, gain)| gain / f64::from(rank + 1).log2()).sum()
            };
            let mut best = gains.clone();
            best.sort_by(|a, b| b.total_cmp(a));
            let expected = sum(&mut order.iter().map(|&at| gains[at])) / sum(&mut best.into_iter());
            let rank = |at: usize| order.iter().position(|&one| one == at).map(|at| at as u32 + 1);
            let ranked = (0..gains.len()).map(|at| (rank(at), (2.0 * gains[at]) as u32));
            let ranked = Gains::new(ranked.filter(|(_, gain)| *gain > 0), Vec::new());
            let query = QueryRanks {
                gains: Some(&ranked),
                ..QueryRanks::complete(&[], 0)
            };
            match NdcgAtK.per_query(query, k) {
                Some(value) => prop_assert!((value - expected).abs() < 1e-12),
                None => prop_assert!(gains.iter().all(|gain| *gain == 0.0)),
            }
        }
    }
}
