//! Metrics over condensed lists: unjudged items are removed, the order of the rest is kept.

use super::average_precision::Map;
use super::map_at_r::MapAtR;
use super::rprecision::RPrecision;
use super::{Metric, Reads, hit};
use crate::rank::QueryRanks;

/// A metric over judged items.
pub struct Condensed {
    key: &'static str,
    title: &'static str,
    metric: &'static dyn Metric,
}

const DOC: &str = "The metric of this name on the ranking without unjudged items, also without pooled unjudged ones. Source: \
                   Sakai 2007, doi:10.1145/1277741.1277756; condensed_map is the same as trec_eval -J.";

/// R@1.
pub const R1: Condensed = Condensed { key: "condensed_r1", title: "R@1-c", metric: &hit::R1 };

/// mAP@R.
pub const MAP_AT_R: Condensed =
    Condensed { key: "condensed_map_at_r", title: "mAP@R-c", metric: &MapAtR };

/// R-Precision.
pub const R_PRECISION: Condensed =
    Condensed { key: "condensed_rprecision", title: "R-P-c", metric: &RPrecision };

/// mAP.
pub const MAP: Condensed = Condensed { key: "condensed_map", title: "mAP-c", metric: &Map };

impl Condensed {
    /// Applies `take` to the query with only its judged items ranked.
    fn with_judged_only<T>(query: QueryRanks<'_>, take: impl Fn(QueryRanks<'_>) -> T) -> Option<T> {
        let judged = query.judged?;
        let mut nonrelevant = judged.nonrelevant().peekable();
        let mut above = 0;
        let places = (1..).zip(query.ranks).map(|(positives, rank)| {
            while nonrelevant.next_if(|other| *other < rank).is_some() {
                above += 1;
            }
            positives + above
        });
        let places: Vec<u32> = places.collect();
        let length = places.len() as u32 + judged.nonrelevant().count() as u32;
        Some(take(QueryRanks {
            ranks: places.as_slice().into(),
            depth: query.depth.map(|_| length),
            gains: None,
            judged: None,
            similarity: None,
            ..query
        }))
    }
}

impl Metric for Condensed {
    fn key(&self) -> &'static str {
        self.key
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn doc(&self) -> &'static str {
        DOC
    }

    fn is_flag(&self) -> bool {
        self.metric.is_flag()
    }

    fn takes_judgments(&self) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        Condensed::with_judged_only(query, |query| self.metric.per_query(query, k)).flatten()
    }

    /// Few ranked items may suffice if they are judged.
    fn reads(&self, query: QueryRanks<'_>, k: u32) -> Reads {
        let is_known = |query: QueryRanks<'_>| self.metric.reads(query, k).known_in(query);
        match Condensed::with_judged_only(query, is_known) {
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
        fn as_of_a_list_without_what_nobody_judged(list in lists()) {
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
