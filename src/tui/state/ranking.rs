//! Rankings of the selected query by models and by similarities, and the list order of one.

use std::sync::Arc;

use super::Model;
use super::query_list::Item;
use super::results::RankingsOf;
use crate::data::index::{ModelIx, PhiIx};
use crate::data::scores::Model as Scores;
use crate::jobs::{RankBy, RankingKey};
use crate::rank::ranking::Ranking;
use crate::tui::signs;
use crate::tui::signs::ordinal;

/// A ranking with the rank of each item.
#[derive(Debug)]
pub struct IndexedRanking {
    key: RankingKey,
    /// The items, best first.
    pub ranking: Arc<Ranking>,
    /// Rank by gallery index; 0 if not ranked.
    ranks: Vec<u32>,
}

impl IndexedRanking {
    fn new(key: RankingKey, ranking: Arc<Ranking>) -> Self {
        let mut ranks = vec![0; ranking.scores.len()];
        for (rank, &item) in (1..).zip(&ranking.order) {
            ranks[item as usize] = rank;
        }
        IndexedRanking { key, ranking, ranks }
    }

    /// The rank of an item, from 1; `None` if not ranked.
    pub fn rank(&self, item: usize) -> Option<usize> {
        let rank = self.ranks[item] as usize;
        (rank > 0).then_some(rank)
    }
}

/// Rankings of one query, by models and by similarities.
#[derive(Debug, Default)]
pub struct Rankings(Vec<IndexedRanking>);

impl Rankings {
    /// A ranking, if it is there.
    pub fn get(&self, key: RankingKey) -> Option<&IndexedRanking> {
        self.0.iter().find(|ranked| ranked.key == key)
    }

    /// Drops all rankings: the pool or a model changed.
    pub(in crate::tui) fn clear(&mut self) {
        self.0.clear();
    }

    /// Stores a ranking, and drops those of other queries.
    pub(crate) fn take(&mut self, key: RankingKey, ranking: Arc<Ranking>) {
        let asks = |key: RankingKey| (key.direction, key.query);
        self.0.retain(|ranked| asks(ranked.key) == asks(key) && ranked.key != key);
        self.0.push(IndexedRanking::new(key, ranking));
    }
}

impl Model {
    /// Key of a selected query's ranking; `None` if no query is visible.
    fn ranking_key(&self, by: RankBy) -> Option<RankingKey> {
        let is_shown = self.demand.rankings != RankingsOf::Nothing;
        let query = self.selection.query().filter(|_| is_shown)?;
        Some(RankingKey { by, direction: self.view.direction, query })
    }

    /// The ranking of the current model, if the screen shows it.
    pub fn wanted_ranking(&self) -> Option<RankingKey> {
        self.ranking_key(RankBy::Model(self.view.model))
    }

    /// Whether a visible ranking is being computed.
    pub(in crate::tui) fn awaits_ranking(&self) -> bool {
        let is_made = self.wanted_ranking().is_some() && !self.files.is_overwritten();
        is_made && self.ranking().is_none()
    }

    /// Rankings on the screen: of the current model, of other models, of similarities.
    pub fn wanted_rankings(&self) -> Vec<RankingKey> {
        let models = self.shown_models().into_iter().map(RankBy::Model);
        let phis = self.phis().map(|(phi, _)| RankBy::Phi(phi));
        models.chain(phis).filter_map(|by| self.ranking_key(by)).collect()
    }

    /// The ranking of the selected query, once it is there.
    pub fn ranking(&self) -> Option<&Ranking> {
        let ranked = self.ranking_by(self.view.model)?;
        Some(&ranked.ranking)
    }

    /// Ranking by another model.
    pub fn ranking_by(&self, model: ModelIx) -> Option<&IndexedRanking> {
        self.known.rankings.get(self.ranking_key(RankBy::Model(model))?)
    }

    /// The similarities; none if they cannot be used.
    fn phis(&self) -> impl Iterator<Item = (PhiIx, &Scores)> {
        self.study.phis().filter(|_| self.known.phi_failure.is_none())
    }

    /// The similarity in rankings: the one of the current truth, else the first.
    pub fn phi_in_force(&self) -> Option<PhiIx> {
        let looked_at = self.phis().find(|(_, phi)| phi.name == self.truth().name);
        looked_at.or_else(|| self.phis().next()).map(|(phi, _)| phi)
    }

    fn ranking_by_phi(&self, phi: PhiIx) -> Option<&IndexedRanking> {
        self.known.rankings.get(self.ranking_key(RankBy::Phi(phi))?)
    }

    /// Formatted phi of an item with the selected query, and its share of the query's highest.
    pub fn phi_shown(&self, phi: PhiIx, item: usize) -> (String, f64) {
        let Some(IndexedRanking { ranking, .. }) = self.ranking_by_phi(phi) else {
            return ("…".into(), 0.0);
        };
        let value = ranking.scores.get(item).copied().filter(|phi| !phi.is_nan());
        let greatest = ranking.order.first().map(|&first| ranking.scores[first as usize]);
        let both = value.zip(greatest.filter(|phi| *phi > 0.0));
        (signs::phi(value), both.map_or(0.0, |(value, greatest)| value / greatest))
    }

    /// phi of an item with the selected query, one line each.
    pub fn phi_words(&self, item: usize) -> Vec<String> {
        let words = |(phi, of): (PhiIx, &Scores)| {
            let Some(ranked) = self.ranking_by_phi(phi) else {
                return format!("{}: {}", of.name, self.files.waiting());
            };
            let place = ranked.rank(item).map(ordinal);
            let place = place.map_or(String::new(), |place| format!(", {place} of this query"));
            format!("{} {}{place}", of.name, self.phi_shown(phi, item).0)
        };
        self.phis().map(words).collect()
    }

    /// Whether the list has the items of an annotation pool, in an order that does not reveal ranks.
    pub fn lists_queue(&self) -> bool {
        self.demand.rankings == RankingsOf::LookedAt && self.queue_in_force().is_some()
    }

    /// Lists the items of an annotation pool once the ranking is computed, and selects one.
    pub(super) fn list_queue(&mut self) {
        let key = self.wanted_ranking().filter(|_| self.lists_queue());
        if self.known.queued.as_ref().map(|(of, _)| *of) == key {
            return;
        }
        let ranked = self.ranking_by(self.view.model).filter(|_| key.is_some());
        let queued = ranked.and_then(|ranked| self.queued_items(ranked));
        let first = queued.as_ref().and_then(|items| ranked?.rank(*items.first()? as usize));
        self.known.queued = key.zip(queued);
        if let Some(rank) = first.filter(|_| self.selection.item == 0)
            && self.listed_place().is_none()
        {
            self.selection.item = rank - 1;
        }
    }

    /// Items of the ranking in list order; `None` until they are there.
    pub fn listed_items(&self) -> Option<&[u32]> {
        if !self.lists_queue() {
            return Some(&self.ranking()?.order);
        }
        let (of, listed) = self.known.queued.as_ref()?;
        (Some(*of) == self.wanted_ranking()).then_some(listed)
    }

    /// The item at a list index.
    pub fn listed_item(&self, place: usize) -> Option<Item> {
        let item = *self.listed_items()?.get(place)? as usize;
        let ranked = self.ranking_by(self.view.model)?;
        self.item_at(ranked.rank(item)? - 1)
    }

    /// List index of the selected item; `None` if it is not listed.
    pub fn listed_place(&self) -> Option<usize> {
        if !self.lists_queue() {
            return Some(self.selection.item);
        }
        let item = self.item_at(self.selection.item)?.item;
        self.listed_items()?.iter().position(|&listed| listed as usize == item)
    }

    /// Selects the item at a list index.
    pub(in crate::tui) fn select_listed(&mut self, place: usize) {
        match self.listed_item(place) {
            Some(item) => self.selection.item = item.rank - 1,
            None => self.selection.item = 0,
        }
    }
}
