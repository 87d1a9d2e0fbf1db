//! Metrics over condensed lists: unjudged items are removed, the order of the rest is kept.

use super::average_precision::Map;
use super::map_at_r::MapAtR;
use super::rprecision::RPrecision;
use super::{Label, Metric, Reads, hit};
use crate::rank::QueryRanks;

/// Another metric, computed on each query's ranking without its unjudged items.
pub struct Condensed {
    key: &'static str,
    title: &'static str,
    metric: &'static dyn Metric,
}

const DOC: &str = "The metric of this name on the ranking without unjudged items, also without pooled unjudged ones. Source: \
                   Sakai 2007, doi:10.1145/1277741.1277756; condensed_map is the same as trec_eval -J.";

/// R@1 on condensed lists.
pub const R1: Condensed = Condensed { key: "condensed_r1", title: "R@1-c", metric: &hit::R1 };

/// mAP@R on condensed lists.
pub const MAP_AT_R: Condensed =
    Condensed { key: "condensed_map_at_r", title: "mAP@R-c", metric: &MapAtR };

/// R-Precision on condensed lists.
pub const R_PRECISION: Condensed =
    Condensed { key: "condensed_rprecision", title: "R-P-c", metric: &RPrecision };

/// mAP on condensed lists.
pub const MAP: Condensed = Condensed { key: "condensed_map", title: "mAP-c", metric: &Map };

impl Condensed {
    /// Applies `compute` to the query's ranking without its unjudged items; `None` if the truth judges nothing as not
    /// relevant.
    fn on_judged<T>(query: QueryRanks<'_>, compute: impl Fn(QueryRanks<'_>) -> T) -> Option<T> {
        let judged = query.judged?;
        let mut nonrelevant = judged.nonrelevant().peekable();
        let mut above = 0;
        let ranks = (1..).zip(query.ranks).map(|(positives, rank)| {
            while nonrelevant.next_if(|other| *other < rank).is_some() {
                above += 1;
            }
            positives + above
        });
        let ranks: Vec<u32> = ranks.collect();
        let length = ranks.len() as u32 + judged.nonrelevant().count() as u32;
        Some(compute(QueryRanks {
            ranks: ranks.as_slice().into(),
            depth: query.depth.map(|_| length),
            gains: None,
            judged: None,
            similarity: None,
            ..query
        }))
    }
}

impl Metric for Condensed {
    fn label(&self) -> Label {
        Label { key: self.key, title: self.title, doc: DOC }
    }

    fn is_flag(&self) -> bool {
        self.metric.is_flag()
    }

    fn needs_judgments(&self) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        Condensed::on_judged(query, |query| self.metric.per_query(query, k)).flatten()
    }

    /// All of the ranking, unless the judged items in it already decide the value.
    fn reads(&self, query: QueryRanks<'_>, k: u32) -> Reads {
        let is_known = |query: QueryRanks<'_>| self.metric.reads(query, k).is_known_in(query);
        match Condensed::on_judged(query, is_known) {
            Some(false) => Reads::All,
            _ => Reads::Top(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::judged_at_k::tests::{Listed, fixture, lists};
    use proptest::prelude::*;

    #[test]
    fn value_is_that_of_trec_eval() {
        assert!((fixture().value(&MAP, 0) - 0.388_888_888_888_888_84).abs() < 1e-15);
        assert!((fixture().value(&Map, 0) - 0.3).abs() < 1e-15);
    }

    proptest! {
        /// Equals the metric itself on a list without the rest.
        #[test]
        fn value_equals_that_of_the_list_without_unjudged_items(list in lists()) {
            let is_judged = |kind: &char| matches!(kind, 'p' | 'n');
            let left: Vec<char> = list.ranking.iter().copied().filter(is_judged).collect();
            prop_assume!(!left.is_empty());
            let judged = Listed { ranking: left, lost: list.lost };
            for one in [&R1, &MAP_AT_R, &R_PRECISION, &MAP] {
                let apart = list.value(one, 0) - judged.value(one.metric, 0);
                prop_assert!(apart.abs() < 1e-15);
            }
        }
    }
}
