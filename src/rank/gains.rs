//! Gains of a query's items in graded metrics: grades of the truth, and a person's judgments.

use super::QueryRanks;
use crate::truth::relevance::WHOLE;

/// Gains of the items of a query that have one, positive or not; a positive without a grade has the gain [`WHOLE`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gains {
    /// Rank and gain of the ranked items, by rank.
    ranked: Vec<(u32, u32)>,
    /// Gains of items in the pool that are unranked.
    unranked: Vec<u32>,
    /// Gains of items outside the gallery.
    outside: Vec<u32>,
}

impl Gains {
    /// From the rank (`None` if unranked) and gain of each item, and the gains of items outside the gallery.
    pub fn new(items: impl IntoIterator<Item = (Option<u32>, u32)>, outside: Vec<u32>) -> Self {
        let mut gains = Gains { outside, ..Gains::default() };
        for (rank, gain) in items {
            match rank {
                Some(rank) => gains.ranked.push((rank, gain)),
                None => gains.unranked.push(gain),
            }
        }
        gains.ranked.sort_unstable();
        gains
    }

    /// From the counted rank (0 if outside the pool) and gain of each item, and the gains of items outside the gallery.
    /// Ranks beyond `depth`, the length of the ranking, are unknown.
    pub(super) fn from_ranks(
        items: impl Iterator<Item = (u32, u32)>,
        outside: Vec<u32>,
        depth: Option<u32>,
    ) -> Self {
        let in_pool = items.filter(|(rank, _)| *rank > 0);
        let known = |rank: u32| Some(rank).filter(|rank| *rank <= depth.unwrap_or(u32::MAX));
        Gains::new(in_pool.map(|(rank, gain)| (known(rank), gain)), outside)
    }

    /// Gains of a query whose positives all have the gain [`WHOLE`].
    pub(super) fn uniform(query: QueryRanks<'_>) -> Self {
        let known = query.ranks.iter().map(|rank| (Some(rank), WHOLE));
        let unranked = (0..query.unranked).map(|_| (None, WHOLE));
        let competing = query.ranks.len() as u32 + query.unranked;
        let outside = query.listed.saturating_sub(competing);
        Gains::new(known.chain(unranked), vec![WHOLE; outside as usize])
    }

    /// Changes the gain of the item at a rank, `None` if unranked, from `before` to `after`; 0 is no gain.
    pub(super) fn set_gain(&mut self, rank: Option<u32>, [before, after]: [u32; 2]) {
        if let Some(rank) = rank {
            self.ranked.retain(|(known, _)| *known != rank);
            if after > 0 {
                let at = self.ranked.partition_point(|(known, _)| *known < rank);
                self.ranked.insert(at, (rank, after));
            }
            return;
        }
        if let Some(at) = self.unranked.iter().position(|gain| *gain == before) {
            self.unranked.swap_remove(at);
        }
        self.unranked.extend((after > 0).then_some(after));
    }

    /// The gains by the ranks of a perfect model: the highest gain of the pool first.
    pub(super) fn ideal(&self) -> Self {
        let known = self.ranked.iter().map(|(_, gain)| gain);
        let competing = descending(known.chain(&self.unranked).copied());
        Gains {
            ranked: (1..).zip(competing).collect(),
            unranked: Vec::new(),
            outside: self.outside.clone(),
        }
    }

    /// Rank and gain of the items in the top `k`, by rank.
    pub fn top(&self, k: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.ranked.iter().copied().take_while(move |(rank, _)| *rank <= k)
    }

    /// The gains of all items, also outside the gallery, highest first: the best possible ranking.
    pub fn best(&self) -> Vec<u32> {
        let known = self.ranked.iter().map(|(_, gain)| gain);
        descending(known.chain(&self.unranked).chain(&self.outside).copied())
    }

    /// Whether the gains at the ranks up to `k` are known in a ranking of length `depth`.
    pub fn is_known_up_to(&self, k: u32, depth: Option<u32>) -> bool {
        self.unranked.is_empty() || depth.is_none_or(|depth| depth >= k)
    }
}

/// Gains sorted from high to low.
fn descending(gains: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut gains: Vec<u32> = gains.collect();
    gains.sort_unstable_by(|one, other| other.cmp(one));
    gains
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_model_ranks_the_pool_by_gain() {
        let gains = Gains::new([(Some(7), 2), (None, 6), (Some(2), 4)], vec![5]);
        assert_eq!(gains.top(6).collect::<Vec<_>>(), [(2, 4)]);
        assert_eq!(gains.best(), [6, 5, 4, 2]);
        assert!(gains.is_known_up_to(9, None) && !gains.is_known_up_to(9, Some(8)));
        let ideal = gains.ideal();
        assert_eq!(ideal.top(9).collect::<Vec<_>>(), [(1, 6), (2, 4), (3, 2)]);
        assert_eq!(ideal.best(), gains.best());
    }

    #[test]
    fn one_gain_changes() {
        let query = QueryRanks { unranked: 1, depth: Some(5), ..QueryRanks::complete(&[1, 4], 4) };
        let mut gains = Gains::uniform(query);
        assert_eq!(gains.best(), [2; 4], "one is outside the gallery");
        gains.set_gain(Some(4), [2, 0]);
        gains.set_gain(Some(3), [0, 1]);
        gains.set_gain(None, [2, 1]);
        assert_eq!(gains.top(5).collect::<Vec<_>>(), [(1, 2), (3, 1)]);
        assert_eq!(gains.best(), [2, 2, 1, 1]);
    }
}
