//! Normalised cumulative semantic score: similarity of the retrieved items over that of the best.

use super::{Depth, Label, Metric, Reads};
use crate::rank::QueryRanks;
use crate::rank::similar::PhiItems;
use crate::truth::similar::DEPTH;

/// NCS@K over all items, or over all but the original positives.
pub struct Ncs {
    key: &'static str,
    title: &'static str,
    doc: &'static str,
    /// Items that its sums are over.
    over: PhiItems,
}

/// Normalised cumulative semantic score of the top K, over all items.
pub const NCS_AT_K: Ncs = Ncs {
    key: "ncs_at_k",
    title: "NCS@K",
    doc: "Sum of phi over the items at rank <= K, divided by the largest possible sum; undefined if that is 0, for K above 30 \
          and in pools. phi is the similarity behind the ground truth (--phi): CIDEr-D of captions, or a file. Source: \
          Biten et al. 2022, arXiv:2110.02623 (there a query whose largest sum is 0 counts as 0).",
    over: PhiItems::All,
};

/// Normalised cumulative semantic score of the top K, without the original positives.
pub const NCS_OTHERS_AT_K: Ncs = Ncs {
    key: "ncs_n_at_k",
    title: "NCS-N@K",
    doc: "NCS@K without the original positives in both rankings, the model's and that by phi. Source: Biten et al. 2022, \
          arXiv:2110.02623.",
    over: PhiItems::Others,
};

impl Metric for Ncs {
    fn label(&self) -> Label {
        Label { key: self.key, title: self.title, doc: self.doc }
    }

    fn depth(&self) -> Depth {
        Depth::AtK
    }

    fn deepest(&self) -> u32 {
        DEPTH as u32
    }

    fn needs_phi(&self) -> bool {
        true
    }

    fn is_of_whole_gallery(&self) -> bool {
        true
    }

    fn is_default(&self) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        query.similarity?.share(self.over, k)
    }

    fn has_relevant(&self, _: QueryRanks<'_>) -> bool {
        true
    }

    fn reads(&self, _: QueryRanks<'_>, k: u32) -> Reads {
        Reads::Items(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::similar::Similarities;
    use crate::truth::similar::Tops;

    /// phi of some items, with a flag for original positives.
    fn tops(items: &[(f64, bool)]) -> Tops {
        let mut tops = Tops::default();
        tops.push(items.iter().copied());
        tops
    }

    /// phi 2, 0, 1 at ranks 1 to 3, the first an original positive; 4, 2, 1 are the greatest, 4 and 2 originals.
    #[test]
    fn sums_over_the_largest() {
        let similarities = Similarities::new(
            tops(&[(2.0, true), (0.0, false), (1.0, false)]),
            tops(&[(4.0, true), (2.0, true), (1.0, false), (0.0, false)]),
        );
        let query =
            QueryRanks { similarity: Some(similarities.get(0)), ..QueryRanks::complete(&[1], 2) };
        let of = |metric: &dyn Metric, k| metric.per_query(query, k);
        assert_eq!(
            [1, 2, 3].map(|k| of(&NCS_AT_K, k)),
            [Some(0.5), Some(2.0 / 6.0), Some(3.0 / 7.0)]
        );
        assert_eq!([1, 2, 9].map(|k| of(&NCS_OTHERS_AT_K, k)), [Some(0.0), Some(1.0), Some(1.0)]);
        assert_eq!(of(&NCS_AT_K, 31), None);
        assert_eq!(NCS_AT_K.per_query(QueryRanks::complete(&[1], 2), 1), None, "no phi");
    }

    #[test]
    fn a_list_that_ends_too_early_has_no_value() {
        let best = tops(&[(4.0, false), (2.0, false), (1.0, false)]);
        let similarities = Similarities::new(tops(&[(2.0, false)]), best);
        let query =
            QueryRanks { similarity: Some(similarities.get(0)), ..QueryRanks::complete(&[], 2) };
        let known = [1, 2].map(|k| NCS_AT_K.reads(query, k).is_known_in(query));
        assert_eq!(known, [true, false]);
    }
}
