//! Share of retrieved items that were judged or pooled.

use super::{Depth, Label, Metric, Reads};
use crate::rank::QueryRanks;

/// Share of the top K that is positive, judged not relevant, or pooled.
pub struct JudgedAtK;

impl Metric for JudgedAtK {
    fn label(&self) -> Label {
        Label {
            key: "judged_at_k",
            title: "Judged@K",
            doc: "Share of the first K items that are positives, judged not relevant, or pooled (-1 in qrels), over all covered queries. \
         Same as in ir_measures.",
        }
    }

    fn is_merit(&self) -> bool {
        false
    }

    fn depth(&self) -> Depth {
        Depth::AtK
    }

    fn needs_judgments(&self) -> bool {
        true
    }

    fn has_relevant(&self, _: QueryRanks<'_>) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        let judged = query.judged?;
        let k = query.depth.map_or(k, |depth| depth.min(k));
        let pooled = judged.pooled().take_while(|rank| *rank <= k).count();
        let known = pooled + query.ranks.count_to(k);
        (k > 0).then(|| known as f64 / f64::from(k))
    }

    fn reads(&self, _: QueryRanks<'_>, _: u32) -> Reads {
        Reads::Top(0)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::metric::Spec;
    use crate::rank::judged_ranks::JudgedRanks;
    use proptest::prelude::*;

    /// A ranking, item by item: `p`ositive, judged `n`ot relevant, pooled (`c`), or unknown (`-`); and unranked
    /// positives and items judged not relevant.
    #[derive(Debug, Clone)]
    pub(in crate::metric) struct Listed {
        pub ranking: Vec<char>,
        pub lost: [u32; 2],
    }

    impl Listed {
        fn ranks(&self, wanted: char) -> Vec<u32> {
            let ranks = (1..).zip(&self.ranking);
            let of_kind = ranks.filter(|(_, kind)| **kind == wanted);
            of_kind.map(|(rank, _)| rank).collect()
        }

        pub fn positives(&self) -> usize {
            self.ranks('p').len() + self.lost[0] as usize
        }

        pub fn nonrelevant(&self) -> usize {
            self.ranks('n').len() + self.lost[1] as usize
        }

        /// Its value by a metric.
        pub fn value(&self, metric: &'static dyn Metric, k: u32) -> f64 {
            let nonrelevant = self.ranks('n').into_iter().map(|rank| (rank, true));
            let pooled = self.ranks('c').into_iter().map(|rank| (rank, false));
            let judged = JudgedRanks::new(nonrelevant.chain(pooled), self.lost[1]);
            let positives = self.ranks('p');
            let query = QueryRanks {
                judged: Some(&judged),
                depth: Some(self.ranking.len() as u32),
                ..QueryRanks::complete(&positives, self.positives() as u32)
            };
            Spec { metric, k }.per_query(query).unwrap()
        }
    }

    /// qrels a1 b0 c-1 d1 e0 f1 g0, run b a x c d e.
    pub(in crate::metric) fn fixture() -> Listed {
        Listed { ranking: "np-cpn".chars().collect(), lost: [1, 1] }
    }

    /// Rankings with a positive somewhere.
    pub(in crate::metric) fn lists() -> impl Strategy<Value = Listed> {
        let kinds = prop::sample::select(vec!['p', 'n', 'c', '-']);
        let ranking = prop::collection::vec(kinds, 1..200);
        let lost = [1u32..5, 0..5];
        (ranking, lost).prop_map(|(ranking, lost)| Listed { ranking, lost })
    }

    #[test]
    fn value_is_that_of_the_reference() {
        let of = |k| Some(fixture().value(&JudgedAtK, k));
        assert_eq!([5, 50].map(of), [Some(0.8), Some(5.0 / 6.0)]);
    }

    #[test]
    fn a_query_without_positives_counts() {
        let query = Listed { ranking: "n--c".chars().collect(), lost: [0, 0] };
        assert!((query.value(&JudgedAtK, 4) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_truth_without_judgments_has_no_value() {
        assert_eq!(JudgedAtK.per_query(QueryRanks::complete(&[1], 1), 5), None);
    }

    proptest! {
        #[test]
        fn value_equals_counting_item_by_item(list in lists(), k in 1u32..300) {
            let top = list.ranking.iter().take(k as usize);
            let known = top.clone().filter(|kind| **kind != '-').count() as f64;
            prop_assert!((list.value(&JudgedAtK, k) - known / top.count() as f64).abs() < 1e-12);
        }
    }
}
