//! Inferred average precision: precision above each positive, estimated from judged pool items.

use super::mean::total;
use super::{Label, Metric, Reads};
use crate::rank::QueryRanks;

/// Added to counts so that a share of zero items is defined, as in `trec_eval`.
const EPSILON: f64 = 1e-5;

/// Inferred AP.
pub struct InfAp;

impl Metric for InfAp {
    fn label(&self) -> Label {
        Label {
            key: "infap",
            title: "infAP",
            doc: "(1/R) * sum over the positives, at rank k, of 1/k + (k-1)/k * (share of the items above that were pooled) * \
         (share of positives among the judged ones of these). Pooled unjudged items have -1 in qrels. Defined if the \
         ground truth has items judged not relevant. Source: Yilmaz and Aslam 2006, doi:10.1145/1183614.1183633; same as \
         in trec_eval.",
        }
    }

    fn needs_judgments(&self) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, _: u32) -> Option<f64> {
        let judged = query.judged?;
        let count_above = |ranks: &mut dyn Iterator<Item = u32>, rank: u32| {
            f64::from(ranks.take_while(|other| *other < rank).count() as u32)
        };
        let precisions = (0..).zip(query.ranks).map(|(positives, rank)| {
            let nonrelevant = count_above(&mut judged.nonrelevant(), rank);
            let pooled = count_above(&mut judged.pooled(), rank);
            precision(rank, f64::from(positives), [nonrelevant, pooled])
        });
        (query.listed > 0).then(|| total(precisions) / f64::from(query.listed))
    }

    fn reads(&self, query: QueryRanks<'_>, _: u32) -> Reads {
        query.judged.map_or(Reads::Top(0), |_| Reads::All)
    }
}

/// Expected precision at a positive at `rank`, from the numbers of items above it: positives, items judged not
/// relevant, and pooled items that are no positives.
fn precision(rank: u32, positives: f64, [nonrelevant, pooled]: [f64; 2]) -> f64 {
    if rank == 1 {
        return 1.0;
    }
    let (k, above) = (f64::from(rank), f64::from(rank - 1));
    let pooled_share = (positives + pooled) / above;
    let positive_share = (positives + EPSILON) / (positives + nonrelevant + 2.0 * EPSILON);
    1.0 / k + above / k * pooled_share * positive_share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::judged_at_k::tests::{Listed, fixture, lists};
    use proptest::prelude::*;

    /// Item by item, from the formula.
    fn naive(list: &Listed) -> f64 {
        let mut sum = 0.0;
        for (above, _) in list.ranking.iter().enumerate().filter(|(_, kind)| **kind == 'p') {
            let of = |wanted: char| {
                list.ranking[..above].iter().filter(|kind| **kind == wanted).count() as f64
            };
            let (p, n, c, k) = (of('p'), of('n'), of('c'), above as f64 + 1.0);
            sum += if above == 0 {
                1.0
            } else {
                1.0 / k + (p + n + c) / k * ((p + 1e-5) / (p + n + 2e-5))
            };
        }
        sum / list.positives() as f64
    }

    #[test]
    fn value_is_that_of_trec_eval() {
        let value = fixture().value(&InfAp, 0);
        assert!((value - 0.333_334_999_966_667_3).abs() < 1e-15, "{value}");
    }

    proptest! {
        #[test]
        fn value_equals_counting_item_by_item(list in lists()) {
            prop_assert!((list.value(&InfAp, 0) - naive(&list)).abs() < 1e-12);
        }
    }
}
