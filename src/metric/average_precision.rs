//! Mean average precision over the whole ranking.

use super::mean::total;
use super::{Label, Metric, Reads};
use crate::rank::QueryRanks;

/// Mean over a query's positives of the precision at their ranks.
pub struct Map;

impl Metric for Map {
    fn label(&self) -> Label {
        Label {
            key: "map",
            title: "mAP",
            doc: "AP of a query = (1/R) * sum over all its positives of the precision at their rank, down the \
         whole ranking (mAP@R stops at rank R); undefined without positives. Source: Manning, \
         Raghavan, Schütze, Introduction to Information Retrieval, ch. 8.",
        }
    }

    fn per_query(&self, query: QueryRanks<'_>, _: u32) -> Option<f64> {
        let precisions =
            (1..).zip(query.ranks).map(|(hits, rank)| f64::from(hits) / f64::from(rank));
        (query.listed > 0).then(|| total(precisions) / f64::from(query.listed))
    }

    fn reads(&self, _: QueryRanks<'_>, _: u32) -> Reads {
        Reads::All
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_precision_at_the_positives() {
        let of = |ranks, listed| Map.per_query(QueryRanks::complete(ranks, listed), 0);
        assert_eq!(of(&[1, 4], 2), Some(0.5 * (1.0 / 1.0 + 2.0 / 4.0)));
        assert_eq!(of(&[2], 2), Some((1.0 / 2.0) / 2.0));
        assert_eq!(of(&[], 0), None);
    }
}
