//! Overlap of the top items of two ranked lists.

/// Persistence p of rank-biased overlap: probability of going on to the next item.
pub const RBO_PERSISTENCE: f64 = 0.9;

/// Numbers of items that two ranked lists have in common, by depth.
pub struct SharedItems {
    /// Number of items common to the first `depth` of both lists, from depth 0 to the length of the longer list.
    at_depth: Vec<usize>,
    /// The length of the shorter list.
    shorter: usize,
}

impl SharedItems {
    /// Compares two lists without duplicates.
    pub fn from_lists(first: &[u32], second: &[u32]) -> Self {
        let mut at_depth = vec![0; first.len().max(second.len()) + 1];
        for (at, item) in first.iter().enumerate() {
            // An item is common from the lower of its two ranks on.
            if let Some(other) = second.iter().position(|listed| listed == item) {
                at_depth[at.max(other) + 1] += 1;
            }
        }
        for depth in 1..at_depth.len() {
            at_depth[depth] += at_depth[depth - 1];
        }
        let shorter = first.len().min(second.len());
        SharedItems { at_depth, shorter }
    }

    /// Share of the first `k` items in both lists: |A and B| / k; `None` if either is shorter, and for k = 0.
    ///
    /// Source: Wu and Crestani 2003, *Methods for ranking information retrieval systems without relevance
    /// judgments*, doi:10.1145/952532.952693.
    pub fn overlap(&self, k: usize) -> Option<f64> {
        (1..=self.shorter).contains(&k).then(|| self.at_depth[k] as f64 / k as f64)
    }

    /// The length of the shorter list.
    pub fn shorter(&self) -> usize {
        self.shorter
    }

    /// Rank-biased overlap, `RBO_EXT`, extrapolated from the depth that both lists reach: mean of the overlap over all
    /// depths, with weights falling by [`RBO_PERSISTENCE`]. `None` if a list is empty.
    ///
    /// RBO = (X_k / k) p^k + (1 - p) / p * sum over d <= k of (X_d / d) p^d, with X_d the common items of the first d
    /// of both lists.
    ///
    /// Source: Webber, Moffat and Zobel 2010, *A similarity measure for indefinite rankings*, equation 30,
    /// doi:10.1145/1852102.1852106.
    #[expect(clippy::doc_markdown, reason = "a formula")]
    pub fn rank_biased(&self) -> Option<f64> {
        let (mut weight, mut sum, mut agreement) = (1.0, 0.0, None);
        for depth in 1..=self.shorter {
            weight *= RBO_PERSISTENCE;
            let overlap = self.at_depth[depth] as f64 / depth as f64;
            sum += overlap * weight;
            agreement = Some(overlap);
        }
        Some(agreement? * weight + (1.0 - RBO_PERSISTENCE) / RBO_PERSISTENCE * sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(first: &[u32], second: &[u32], k: usize) -> Option<f64> {
        SharedItems::from_lists(first, second).overlap(k)
    }

    fn rank_biased(first: &[u32], second: &[u32]) -> Option<f64> {
        SharedItems::from_lists(first, second).rank_biased()
    }

    #[test]
    fn overlap_by_hand() {
        let (first, second) = ([1, 2, 3, 4], [2, 1, 9, 3]);
        assert_eq!(at(&first, &second, 1), Some(0.0));
        assert_eq!(at(&first, &second, 2), Some(1.0));
        assert_eq!(at(&first, &second, 4), Some(0.75));
        assert_eq!(at(&first, &second[..2], 2), Some(1.0));
        for (list, k) in [(&second[..], 25), (&second[..2], 4), (&[], 4), (&second, 0)] {
            assert_eq!(at(&first, list, k), None);
        }
    }

    /// Formula: agreement 0, 1, 2/3, 3/4 at depths 1 to 4.
    #[test]
    fn rank_biased_overlap_by_the_formula() {
        let found = rank_biased(&[1, 2, 3, 4], &[2, 1, 9, 3]).unwrap();
        let p: f64 = 0.9;
        let sum = p.powi(2) + 2.0 / 3.0 * p.powi(3) + 0.75 * p.powi(4);
        assert!((found - (0.75 * p.powi(4) + 0.1 / 0.9 * sum)).abs() < 1e-12);
    }

    #[test]
    fn overlap_is_1_for_equal_and_0_for_disjoint_lists() {
        let list: Vec<u32> = (0..25).collect();
        let other: Vec<u32> = (100..125).collect();
        assert!((rank_biased(&list, &list).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(rank_biased(&list, &other), Some(0.0));
        assert_eq!(rank_biased(&list, &[]), None);
        // The shorter list limits the depth.
        assert_eq!(rank_biased(&list, &list[..3]), rank_biased(&list[..3], &list[..3]));
    }
}
