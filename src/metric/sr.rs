//! Semantic recall: retrieved share of the most similar items.

use super::recall::RecallAtK;
use super::{Depth, Label, Metric, Reads};
use crate::rank::QueryRanks;

/// Recall of information retrieval, with the most similar items as positives.
pub struct SrAtK;

impl Metric for SrAtK {
    fn label(&self) -> Label {
        Label {
            key: "sr_at_k",
            title: "SR@K",
            doc: "Semantic recall: share of the m most similar items at rank <= K, by a similarity phi (--phi, --phi-m). It is \
         IR-Recall@K under the ground truth of phi. Source: Biten et al. 2022, arXiv:2110.02623.",
        }
    }

    fn depth(&self) -> Depth {
        Depth::AtK
    }

    fn needs_phi(&self) -> bool {
        true
    }

    fn is_default(&self) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        RecallAtK.per_query(query, k)
    }

    fn reads(&self, query: QueryRanks<'_>, k: u32) -> Reads {
        RecallAtK.reads(query, k)
    }
}
