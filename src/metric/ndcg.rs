//! Normalised discounted cumulative gain. The gain of a positive is 1, or 0.5 where a person judged
//! it `partial`: the one metric here that sees the difference.

use super::{Metric, Reads};
use crate::rank::QueryRanks;
use crate::rank::halves::Halves;
use crate::truth::verdict::Verdict;

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
        "Sum of gain / log2(1 + rank) over the positives at rank <= K, over the largest such sum that R \
         positives can have; undefined without positives. The gain is 1, or 0.5 where your verdict is \
         partial; every other metric counts a partial as any positive. Source: Järvelin and Kekäläinen \
         2002, doi:10.1145/582415.582418."
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        let half = query.halves.map_or(0, Halves::listed);
        let whole = query.listed.saturating_sub(half);
        let is_half = |rank| query.halves.is_some_and(|halves| halves.contains(rank));
        let found = query.ranks.iter().take_while(|&rank| rank <= k);
        let gain: f64 = found.map(|rank| discounted(rank, is_half(rank))).sum();
        // The best order: those with the whole gain, then the others.
        let best = (1..=query.listed.min(k)).map(|rank| discounted(rank, rank > whole));
        let best: f64 = best.sum();
        (query.listed > 0).then(|| gain / best)
    }

    fn reads(&self, _: QueryRanks<'_>, k: u32) -> Reads {
        Reads::Top(k)
    }
}

/// The gain at a rank.
fn discounted(rank: u32, is_half: bool) -> f64 {
    let verdict = if is_half {
        Verdict::Partial
    } else {
        Verdict::Yes
    };
    verdict.weight() / f64::from(rank + 1).log2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn discounted_hits_over_the_best() {
        let of = |ranks, listed| NdcgAtK.per_query(QueryRanks::complete(ranks, listed), 3);
        assert_eq!(of(&[1, 2, 3, 4], 4), Some(1.0));
        let value = of(&[2, 9], 2).unwrap();
        assert!((value - (1.0 / 3f64.log2()) / (1.0 + 1.0 / 3f64.log2())).abs() < 1e-15);
        assert_eq!(of(&[], 0), None);
    }

    /// Ranks 1 and 3, the first right in part: (0.5 + 1 / log2(4)) / (1 + 0.5 / log2(3)).
    #[test]
    fn a_partial_has_half_the_gain() {
        let halves = Halves::new(&[Some(1)]);
        let of = |ranks, halves| {
            let query = QueryRanks {
                halves: Some(halves),
                ..QueryRanks::complete(ranks, 2)
            };
            NdcgAtK.per_query(query, 3).unwrap()
        };
        let best = 1.0 + 0.5 / 3f64.log2();
        assert!((of(&[1, 3], &halves) - 1.0 / best).abs() < 1e-15);
        // A perfect model ranks it second.
        let second = Halves::new(&[Some(2)]);
        assert!((of(&[1, 2], &second) - 1.0).abs() < 1e-15);
        // One that is not ranked is missed all the same.
        let unranked = Halves::new(&[None]);
        assert!((of(&[1], &unranked) - 1.0 / best).abs() < 1e-15);
    }

    proptest! {
        /// A list of gains, one an item, and the same sorted.
        #[test]
        fn as_with_a_gain_for_every_item(
            verdicts in prop::collection::vec((0u8..4, any::<bool>()), 1..30),
            k in 1u32..40,
        ) {
            let gain = |&(kind, _): &(u8, bool)| [0.0, 0.0, 0.5, 1.0][usize::from(kind)];
            let gains: Vec<f64> = verdicts.iter().map(gain).collect();
            let is_ranked = |at: usize| verdicts[at].1 || verdicts[at].0 < 2;
            // What is not ranked stands behind all that is.
            let order: Vec<usize> = (0..gains.len()).filter(|&at| is_ranked(at)).collect();
            let sum = |gains: &mut dyn Iterator<Item = f64>| -> f64 {
                let top = (1..=k).zip(gains);
                top.map(|(rank, gain)| gain / f64::from(rank + 1).log2()).sum()
            };
            let mut best = gains.clone();
            best.sort_by(|a, b| b.total_cmp(a));
            let expected = sum(&mut order.iter().map(|&at| gains[at])) / sum(&mut best.into_iter());
            let rank = |at: usize| order.iter().position(|&one| one == at).map(|at| at as u32 + 1);
            let ranks = |kinds: &[u8]| -> Vec<Option<u32>> {
                let places = (0..gains.len()).filter(|&at| kinds.contains(&verdicts[at].0));
                places.map(rank).collect()
            };
            let positives = ranks(&[2, 3]);
            let halves = Halves::new(&ranks(&[2]));
            let known: Vec<u32> = positives.iter().copied().flatten().collect();
            let query = QueryRanks {
                halves: Some(&halves),
                ..QueryRanks::complete(&known, positives.len() as u32)
            };
            match NdcgAtK.per_query(query, k) {
                Some(value) => prop_assert!((value - expected).abs() < 1e-12),
                None => prop_assert!(positives.is_empty()),
            }
        }
    }
}
