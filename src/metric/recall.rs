//! Recall as defined in information retrieval.

use super::{Depth, Label, Metric, Reads};
use crate::rank::QueryRanks;

/// Share of a query's positives in the top K.
pub struct RecallAtK;

impl Metric for RecallAtK {
    fn label(&self) -> Label {
        Label {
            key: "ir_recall_at_k",
            title: "IR-Recall@K",
            doc: "Share of a query's R positives at rank <= K; undefined without positives. This is recall in information \
         retrieval; papers on image-text matching call R@K recall. Source: Manning, Raghavan, Schütze, Introduction \
         to Information Retrieval, ch. 8.",
        }
    }

    fn depth(&self) -> Depth {
        Depth::AtK
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        (query.listed > 0).then(|| query.ranks.count_to(k) as f64 / f64::from(query.listed))
    }

    fn reads(&self, _: QueryRanks<'_>, k: u32) -> Reads {
        Reads::Top(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_of_the_listed_positives() {
        let of = |ranks, listed| RecallAtK.per_query(QueryRanks::complete(ranks, listed), 5);
        assert_eq!(of(&[1, 5, 6], 4), Some(2.0 / 4.0));
        assert_eq!(of(&[], 1), Some(0.0));
        assert_eq!(of(&[], 0), None);
    }
}
