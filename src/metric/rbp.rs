//! Rank-biased precision, and its residual from unjudged items.

use super::mean::total;
use super::{Depth, Label, Metric, Reads, Unit};
use crate::rank::QueryRanks;

/// Rank-biased precision of a reader who reads K items on average.
pub struct RbpAtK;

/// Increase of RBP@K if every unjudged item were a positive.
pub struct RbpResidualAtK;

impl Metric for RbpAtK {
    fn label(&self) -> Label {
        Label {
            key: "rbp_at_k",
            title: "RBP@K",
            doc: "(1 - p) * sum over the positives of p^(rank - 1), with p = 1 - 1/K: a reader goes on to the next item with \
         probability p, and reads K items on average. rbp_at_5 is rbp[0.8]. The ranking is not cut at K. Unjudged items \
         count as not relevant. Source: Moffat and Zobel 2008, doi:10.1145/1416950.1416952.",
        }
    }

    fn depth(&self) -> Depth {
        Depth::AtK
    }

    fn needs_judgments(&self) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        query.judged.map(|_| sum_of_weights(query.ranks.iter(), k))
    }

    fn reads(&self, _: QueryRanks<'_>, _: u32) -> Reads {
        Reads::Top(0)
    }
}

impl Metric for RbpResidualAtK {
    fn label(&self) -> Label {
        Label {
            key: "rbp_residual_at_k",
            title: "RBP-res@K",
            doc: "Increase of RBP@K if every unjudged item were a positive: p^d + (1 - p) * sum over the unjudged ranks i of \
         p^(i - 1), where d is the length of the ranking. Lower is better. Source: Moffat and Zobel 2008, \
         doi:10.1145/1416950.1416952.",
        }
    }

    fn is_merit(&self) -> bool {
        false
    }

    fn unit(&self) -> Unit {
        Unit::Residual
    }

    fn depth(&self) -> Depth {
        Depth::AtK
    }

    fn needs_judgments(&self) -> bool {
        true
    }

    /// The weights of an endless list sum to 1; those of the judged items are subtracted.
    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        let judged = query.judged?;
        let positives = sum_of_weights(query.ranks.iter(), k);
        let residual = 1.0 - positives - sum_of_weights(judged.nonrelevant(), k);
        Some(residual.max(0.0))
    }

    fn reads(&self, _: QueryRanks<'_>, _: u32) -> Reads {
        Reads::Top(0)
    }
}

/// Sum of (1 - p) p^(rank - 1) over the ranks, with p = 1 - 1/K.
fn sum_of_weights(ranks: impl Iterator<Item = u32>, k: u32) -> f64 {
    let p = 1.0 - 1.0 / f64::from(k);
    total(ranks.map(|rank| p.powf(f64::from(rank - 1)))) / f64::from(k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::judged_at_k::tests::{Listed, fixture, lists};
    use proptest::prelude::*;

    /// RBP and its residual, item by item.
    fn naive(list: &Listed, k: u32) -> [f64; 2] {
        let p = 1.0 - 1.0 / f64::from(k);
        let (mut look, mut base, mut rest) = (1.0 - p, 0.0, 0.0);
        for kind in &list.ranking {
            match kind {
                'p' => base += look,
                'n' => {}
                _ => rest += look,
            }
            look *= p;
        }
        [base, rest + p.powi(list.ranking.len() as i32)]
    }

    #[test]
    fn values_are_those_of_the_reference() {
        let of =
            |metric: &'static dyn Metric| Some((fixture().value(metric, 5) * 1e4).round() / 1e4);
        assert_eq!([of(&RbpAtK), of(&RbpResidualAtK)], [Some(0.2419), Some(0.4925)]);
    }

    proptest! {
        #[test]
        fn values_equal_summing_item_by_item(list in lists(), k in 1u32..30) {
            let [base, rest] = naive(&list, k);
            prop_assert!((list.value(&RbpAtK, k) - base).abs() < 1e-12);
            prop_assert!((list.value(&RbpResidualAtK, k) - rest).abs() < 1e-12);
        }
    }
}
