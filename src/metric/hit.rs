//! R@K as image-text matching uses it: is any positive in the top K?

use super::{Label, Metric, Reads, Spec};
use crate::rank::QueryRanks;

/// R@K at a fixed depth.
pub struct HitAt {
    key: &'static str,
    title: &'static str,
    depth: u32,
}

/// R@1: top-1 is a positive.
pub const R1: HitAt = HitAt { key: "r1", title: "R@1", depth: 1 };
/// R@5: any positive at rank 5 or better.
pub const R5: HitAt = HitAt { key: "r5", title: "R@5", depth: 5 };
/// R@10: any positive at rank 10 or better.
pub const R10: HitAt = HitAt { key: "r10", title: "R@10", depth: 10 };

/// Definition of R@K at any depth.
const DOC: &str = "Share of queries with any positive at rank <= K; undefined without positives. Papers on image-text \
                   matching call this recall; elsewhere it is success or hit rate. Source: Hodosh et al. 2013, \
                   doi:10.1613/jair.3994; the package eccv_caption computes the same.";

/// Whether top-1 is correct; `None` if R@1 is undefined, or if the ranking is too short.
pub fn is_correct(query: QueryRanks<'_>) -> Option<bool> {
    Some(Spec::new(&R1).per_query(query)? > 0.0)
}

impl Metric for HitAt {
    fn label(&self) -> Label {
        Label { key: self.key, title: self.title, doc: DOC }
    }

    fn is_default(&self) -> bool {
        true
    }

    fn is_flag(&self) -> bool {
        true
    }

    /// 1 for a hit, else 0, also if all positives are outside the gallery; undefined without positives.
    fn per_query(&self, query: QueryRanks<'_>, _: u32) -> Option<f64> {
        let hit = query.first().is_some_and(|rank| rank <= self.depth);
        (query.listed > 0).then(|| f64::from(u8::from(hit)))
    }

    /// The top K, or only down to the first positive if it is in the top K: later ranks cannot change a hit.
    fn reads(&self, query: QueryRanks<'_>, _: u32) -> Reads {
        Reads::Top(query.first().unwrap_or(self.depth).min(self.depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_positive_within_the_depth() {
        let of = |metric: HitAt, ranks: &[u32]| {
            metric.per_query(QueryRanks::complete(ranks, 2), super::super::NO_DEPTH)
        };
        assert_eq!(of(R1, &[1, 9]), Some(1.0));
        assert_eq!(of(R1, &[2]), Some(0.0));
        assert_eq!(of(R5, &[5]), Some(1.0));
        assert_eq!(of(R10, &[11]), Some(0.0));
        assert_eq!(of(R10, &[]), Some(0.0));
        let none = QueryRanks::complete(&[], 0);
        assert_eq!(R10.per_query(none, super::super::NO_DEPTH), None);
    }
}
