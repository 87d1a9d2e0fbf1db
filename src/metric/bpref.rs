//! bpref: over judged items only, how rarely one that is not relevant is above a positive.

use super::mean::total;
use super::{Label, Metric, Reads};
use crate::rank::QueryRanks;

/// Binary preference.
pub struct Bpref;

impl Metric for Bpref {
    fn label(&self) -> Label {
        Label {
            key: "bpref",
            title: "bpref",
            doc: "(1/R) * sum over the positives of 1 - min(n, R) / min(N, R): N items are judged not relevant, n of them rank \
         above the positive; unjudged items are ignored. Defined if the ground truth has items judged not relevant. Source: \
         Buckley and Voorhees 2004, doi:10.1145/1008992.1009000; same as in trec_eval.",
        }
    }

    fn remark(&self) -> Option<&'static str> {
        Some("bpref: of judged items alone, so near 1 where few were judged not relevant")
    }

    fn needs_judgments(&self) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, _: u32) -> Option<f64> {
        let judged = query.judged?;
        let bound = query.listed.min(judged.nonrelevant_count());
        let mut nonrelevant = judged.nonrelevant().peekable();
        let mut above = 0;
        let preferred = query.ranks.iter().map(|rank| {
            while nonrelevant.next_if(|other| *other < rank).is_some() {
                above += 1;
            }
            match above {
                0 => 1.0,
                _ => 1.0 - f64::from(query.listed.min(above)) / f64::from(bound),
            }
        });
        (query.listed > 0).then(|| total(preferred) / f64::from(query.listed))
    }

    fn reads(&self, query: QueryRanks<'_>, _: u32) -> Reads {
        query.judged.map_or(Reads::Top(0), |_| Reads::All)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::judged_at_k::tests::{Listed, fixture, lists};
    use proptest::prelude::*;

    /// As `trec_eval`: down the list, item by item.
    fn naive(list: &Listed) -> f64 {
        let (r, n) = (list.positives() as f64, list.nonrelevant() as f64);
        let (mut sum, mut above) = (0.0, 0.0);
        for &kind in &list.ranking {
            match kind {
                'n' => above += 1.0,
                'p' if above > 0.0 => sum += 1.0 - f64::min(above, r) / f64::min(n, r),
                'p' => sum += 1.0,
                _ => {}
            }
        }
        sum / r
    }

    #[test]
    fn value_is_that_of_trec_eval() {
        let value = fixture().value(&Bpref, 0);
        assert!((value - 0.444_444_444_444_444_5).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn value_equals_counting_item_by_item(list in lists()) {
            prop_assert!((list.value(&Bpref, 0) - naive(&list)).abs() < 1e-12);
        }
    }
}
