//! Mean reciprocal rank.

use super::{Label, Metric, Reads};
use crate::rank::QueryRanks;

/// One over the rank of the first positive.
pub struct Mrr;

impl Metric for Mrr {
    fn label(&self) -> Label {
        Label {
            key: "mrr",
            title: "MRR",
            doc: "Mean over queries of 1 / rank of the first positive; 0 where all positives are outside the \
         gallery, undefined without positives. Source: Voorhees 1999, The TREC-8 Question Answering \
         Track Report.",
        }
    }

    fn per_query(&self, query: QueryRanks<'_>, _: u32) -> Option<f64> {
        let value = query.first().map_or(0.0, |rank| 1.0 / f64::from(rank));
        (query.listed > 0).then_some(value)
    }

    fn reads(&self, _: QueryRanks<'_>, _: u32) -> Reads {
        Reads::First
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_over_the_first_rank() {
        let of = |ranks, listed| Mrr.per_query(QueryRanks::complete(ranks, listed), 0);
        assert_eq!(of(&[4, 9], 2), Some(0.25));
        assert_eq!(of(&[], 2), Some(0.0));
        assert_eq!(of(&[], 0), None);
    }
}
