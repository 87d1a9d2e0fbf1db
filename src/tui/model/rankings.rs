//! Rankings of one query, one a model.

use std::sync::Arc;

use crate::jobs::RankingKey;
use crate::rank::ranking::Ranking;

/// A ranking, and where each item stands in it.
#[derive(Debug)]
pub struct Ranked {
    key: RankingKey,
    /// The items, best first.
    pub ranking: Arc<Ranking>,
    /// Rank by gallery index; 0 where the item is not ranked.
    ranks: Vec<u32>,
}

impl Ranked {
    fn new(key: RankingKey, ranking: Arc<Ranking>) -> Self {
        let mut ranks = vec![0; ranking.scores.len()];
        for (rank, &item) in (1..).zip(&ranking.order) {
            ranks[item as usize] = rank;
        }
        Ranked { key, ranking, ranks }
    }

    /// The rank of an item, from 1; `None` where it is not ranked.
    pub fn rank(&self, item: usize) -> Option<usize> {
        let rank = self.ranks[item] as usize;
        (rank > 0).then_some(rank)
    }
}

/// Rankings of one query, one a model.
#[derive(Debug, Default)]
pub struct Rankings(Vec<Ranked>);

impl Rankings {
    /// A ranking, if it is there.
    pub fn get(&self, key: RankingKey) -> Option<&Ranked> {
        self.0.iter().find(|ranked| ranked.key == key)
    }

    /// Forgets them: others compete, or a model is no longer the same.
    pub(in crate::tui) fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps a ranking in the place of those of other queries.
    pub(crate) fn take(&mut self, key: RankingKey, ranking: Arc<Ranking>) {
        let asks = |key: RankingKey| (key.direction, key.query);
        self.0.retain(|ranked| asks(ranked.key) == asks(key) && ranked.key != key);
        self.0.push(Ranked::new(key, ranking));
    }
}
