//! R-Precision.

use super::map_at_r::precision;
use super::{Label, Metric, Reads};
use crate::rank::QueryRanks;

/// Positives in the top R, over R.
pub struct RPrecision;

impl Metric for RPrecision {
    fn label(&self) -> Label {
        Label {
            key: "rprecision",
            title: "R-P",
            doc: "R-Precision: share of positives among the first R items, R being the number of positives that \
         the ground truth lists; undefined without positives. Source: Manning, Raghavan, Schütze, \
         Introduction to Information Retrieval, ch. 8.",
        }
    }

    fn is_default(&self) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, _: u32) -> Option<f64> {
        precision_at(query, query.listed)
    }

    fn reads(&self, query: QueryRanks<'_>, _: u32) -> Reads {
        Reads::Top(query.listed)
    }
}

/// Share of positives in the first `depth` items; `None` at depth 0.
pub(super) fn precision_at(query: QueryRanks<'_>, depth: u32) -> Option<f64> {
    (depth > 0).then(|| precision(depth, query.ranks.count_to(depth) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positives_in_the_top_r() {
        let of = |ranks, listed| RPrecision.per_query(QueryRanks::complete(ranks, listed), 0);
        assert_eq!(of(&[1, 4, 5], 4), Some(2.0 / 4.0));
        assert_eq!(of(&[], 4), Some(0.0));
        assert_eq!(of(&[], 0), None);
    }
}
