//! Ranks of items that a truth knows but that are no positives: judged not relevant, or in the annotation pool and not
//! judged.

/// Ranks of the items of a query that are judged not relevant, or in the annotation pool and not judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgedRanks {
    /// Rank of the ranked items, and whether each was judged not relevant; by rank.
    ranked: Vec<(u32, bool)>,
    /// Number of items judged not relevant that are unranked, or outside the gallery.
    unranked: u32,
}

impl JudgedRanks {
    /// From the rank of each item and whether it was judged not relevant (else pooled), and from the number of unranked
    /// items judged not relevant.
    pub fn new(ranked: impl IntoIterator<Item = (u32, bool)>, unranked: u32) -> Self {
        let mut ranked: Vec<(u32, bool)> = ranked.into_iter().collect();
        ranked.sort_unstable();
        JudgedRanks { ranked, unranked }
    }

    /// From the counted rank of each item (0 if outside the candidate pool) and whether it was judged not relevant, and
    /// from the number of items outside the gallery judged not relevant. Ranks beyond `depth`, the length of the
    /// ranking, are unknown.
    pub(super) fn from_ranks(
        items: impl Iterator<Item = (u32, bool)>,
        outside: u32,
        depth: Option<u32>,
    ) -> Self {
        let in_pool: Vec<(u32, bool)> = items.filter(|(rank, _)| *rank > 0).collect();
        let is_known = |rank: u32| rank <= depth.unwrap_or(u32::MAX - 1);
        let unknown = in_pool.iter().filter(|(rank, is_judged)| *is_judged && !is_known(*rank));
        let unranked = outside + unknown.count() as u32;
        JudgedRanks::new(in_pool.into_iter().filter(|(rank, _)| is_known(*rank)), unranked)
    }

    /// The known ranks of the items judged not relevant, ascending.
    pub fn nonrelevant(&self) -> impl Iterator<Item = u32> + '_ {
        let judged = self.ranked.iter().filter(|(_, is_judged)| *is_judged);
        judged.map(|(rank, _)| *rank)
    }

    /// The known ranks of the items judged not relevant and of those pooled and not judged, ascending.
    pub fn pooled(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranked.iter().map(|(rank, _)| *rank)
    }

    /// N: number of items judged not relevant, ranked or not.
    pub fn nonrelevant_count(&self) -> u32 {
        self.nonrelevant().count() as u32 + self.unranked
    }

    /// Changes the state of an item; `rank` is `None` if it is unranked. States: `Some(true)` judged not relevant,
    /// `Some(false)` pooled, `None` neither (a positive, or an unjudged item).
    pub(super) fn set_state(&mut self, rank: Option<u32>, [before, after]: [Option<bool>; 2]) {
        let Some(rank) = rank else {
            let [was, is] = [before, after].map(|state| u32::from(state == Some(true)));
            self.unranked = (self.unranked + is).saturating_sub(was);
            return;
        };
        self.ranked.retain(|(known, _)| *known != rank);
        if let Some(is_judged) = after {
            let at = self.ranked.partition_point(|(known, _)| *known < rank);
            self.ranked.insert(at, (rank, is_judged));
        }
    }

    /// The ranks that a perfect model gives to these items: below `positives` positives, first those judged not
    /// relevant, then pooled ones.
    pub(super) fn ideal(&self, positives: u32) -> Self {
        let judged = self.ranked.iter().filter(|(_, is_judged)| *is_judged);
        let pooled = self.ranked.iter().filter(|(_, is_judged)| !*is_judged);
        let ranks = positives + 1..;
        let kinds = judged.chain(pooled).map(|(_, is_judged)| *is_judged);
        JudgedRanks::new(ranks.zip(kinds), self.unranked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unranked_items_count_if_judged_not_relevant() {
        let items = [(7, true), (0, true), (3, false), (12, true), (11, false)];
        let mut judged = JudgedRanks::from_ranks(items.into_iter(), 2, Some(10));
        assert_eq!(judged.nonrelevant().collect::<Vec<_>>(), [7]);
        assert_eq!(judged.pooled().collect::<Vec<_>>(), [3, 7]);
        assert_eq!(judged.nonrelevant_count(), 4);
        judged.set_state(Some(3), [Some(false), Some(true)]);
        judged.set_state(Some(7), [Some(true), None]);
        judged.set_state(None, [Some(true), None]);
        judged.set_state(Some(5), [None, Some(true)]);
        assert_eq!(judged, JudgedRanks::new([(3, true), (5, true)], 2));
        let ideal = JudgedRanks::new([(1, false), (9, true)], 1).ideal(2);
        assert_eq!(ideal, JudgedRanks::new([(3, true), (4, false)], 1));
    }
}
