//! How similar items are to the selected query, and the order in which its ranking is listed.

use std::sync::Arc;

use crate::data::Direction;
use crate::data::index::PhiIx;
use crate::error::Error;
use crate::jobs::{RankingKey, Stamp};
use crate::rank::ranking::Ranking;

/// An item counts as missed below this rank.
pub const MISSED: usize = 10;

/// The order in which a ranking is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arrangement {
    /// By rank.
    #[default]
    ByRank,
    /// The most similar first.
    ByPhi,
    /// The same without the first [`MISSED`] of the ranking.
    Missed,
    /// What a pool asks about, in an order that tells nothing of ranks.
    Queued,
}

impl Arrangement {
    /// The order that comes after this one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Arrangement::ByRank => Arrangement::ByPhi,
            Arrangement::ByPhi => Arrangement::Missed,
            Arrangement::Missed | Arrangement::Queued => Arrangement::ByRank,
        }
    }
}

/// What a listed ranking is made of: the ranking, the similarity if there is one, and the order.
type ArrangedBy = (RankingKey, Option<PhiIx>, Arrangement);

/// What is known of similarities.
#[derive(Debug, Default)]
pub struct Similarities {
    /// Why there is none.
    pub(crate) failure: Option<Error>,
    /// The study, who asks whom, and the query that rankings are of.
    of: Option<(Stamp, Direction, usize)>,
    rankings: Vec<(PhiIx, Arc<Ranking>)>,
    /// The ranking in the order in which it is listed, with what it was made of.
    pub(in crate::tui::model) arranged: Option<(ArrangedBy, Vec<u32>)>,
}

impl Similarities {
    /// The items by a phi, if that is there.
    pub(crate) fn get(&self, of: (Stamp, Direction, usize), phi: PhiIx) -> Option<&Arc<Ranking>> {
        let mut known = self.rankings.iter().filter(|_| self.of == Some(of));
        known.find(|(one, _)| *one == phi).map(|(_, ranking)| ranking)
    }

    /// Keeps the items by a phi in the place of those of other queries.
    pub(crate) fn take(
        &mut self,
        of: (Stamp, Direction, usize),
        phi: PhiIx,
        ranking: Arc<Ranking>,
    ) {
        if self.of != Some(of) {
            self.rankings.clear();
        }
        self.of = Some(of);
        self.rankings.push((phi, ranking));
    }
}
