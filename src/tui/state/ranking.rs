//! Rankings of the selected query by models and by similarities, and the list order of one.

use std::sync::Arc;

use super::Model;
use super::query_list::Item;
use super::results::RankingsOf;
use crate::data::index::{ModelIx, PhiIx};
use crate::data::scores::Model as Scores;
use crate::jobs::{RankBy, RankingKey};
use crate::rank::ranking::Ranking;
use crate::tui::signs::{self, ordinal};

/// A ranking in which the rank of an item can be looked up.
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

    /// The rank, from 1, of the item with a gallery index; `None` if not ranked.
    pub fn rank(&self, item: usize) -> Option<usize> {
        let rank = self.ranks[item] as usize;
        (rank > 0).then_some(rank)
    }
}

/// Rankings of one query, by models and by similarities.
#[derive(Debug, Default)]
pub struct Rankings(Vec<IndexedRanking>);

impl Rankings {
    /// The ranking with a key, if it is computed.
    pub fn get(&self, key: RankingKey) -> Option<&IndexedRanking> {
        self.0.iter().find(|ranked| ranked.key == key)
    }

    /// Drops all rankings, after a change of the candidate pool or a model.
    pub(in crate::tui) fn clear(&mut self) {
        self.0.clear();
    }

    /// Stores a ranking, and drops those of other queries.
    pub(crate) fn insert(&mut self, key: RankingKey, ranking: Arc<Ranking>) {
        let query = |key: RankingKey| (key.direction, key.query);
        self.0.retain(|ranked| query(ranked.key) == query(key) && ranked.key != key);
        self.0.push(IndexedRanking::new(key, ranking));
    }
}

impl Model {
    /// Key of a ranking of the selected query; `None` if the screen shows no ranking, or no query is selected.
    fn ranking_key(&self, by: RankBy) -> Option<RankingKey> {
        let is_shown = self.demand.rankings != RankingsOf::Nothing;
        let query = self.selection.query().filter(|_| is_shown)?;
        Some(RankingKey { by, direction: self.view.direction, query })
    }

    /// Key of the ranking by the current model, if the screen shows it.
    pub fn wanted_ranking(&self) -> Option<RankingKey> {
        self.ranking_key(RankBy::Model(self.view.model))
    }

    /// Whether the ranking by the current model is on screen and being computed.
    pub(in crate::tui) fn awaits_ranking(&self) -> bool {
        let is_wanted = self.wanted_ranking().is_some() && !self.files.is_overwritten();
        is_wanted && self.ranking().is_none()
    }

    /// Keys of the rankings on screen: by the current model, by other models, by similarities.
    pub fn wanted_rankings(&self) -> Vec<RankingKey> {
        let models = self.shown_models().into_iter().map(RankBy::Model);
        let phis = self.phis().map(|(phi, _)| RankBy::Phi(phi));
        models.chain(phis).filter_map(|by| self.ranking_key(by)).collect()
    }

    /// The ranking of the selected query by the current model, once it is computed.
    pub fn ranking(&self) -> Option<&Ranking> {
        let ranked = self.ranking_by(self.view.model)?;
        Some(&ranked.ranking)
    }

    /// The ranking of the selected query by a model, once it is computed.
    pub fn ranking_by(&self, model: ModelIx) -> Option<&IndexedRanking> {
        self.known.rankings.get(self.ranking_key(RankBy::Model(model))?)
    }

    /// The similarities of the study; empty if they cannot be used.
    fn phis(&self) -> impl Iterator<Item = (PhiIx, &Scores)> {
        self.study.phis().filter(|_| self.known.phi_failure.is_none())
    }

    /// The similarity shown in rankings: the one named like the current truth, or else the first; `None` if none can be
    /// used.
    pub fn phi_in_force(&self) -> Option<PhiIx> {
        let of_truth = self.phis().find(|(_, phi)| phi.name == self.truth().name);
        of_truth.or_else(|| self.phis().next()).map(|(phi, _)| phi)
    }

    fn ranking_by_phi(&self, phi: PhiIx) -> Option<&IndexedRanking> {
        self.known.rankings.get(self.ranking_key(RankBy::Phi(phi))?)
    }

    /// Formatted phi of an item with the selected query, and phi divided by the query's highest (0 if unknown).
    pub fn format_phi(&self, phi: PhiIx, item: usize) -> (String, f64) {
        let Some(IndexedRanking { ranking, .. }) = self.ranking_by_phi(phi) else {
            return ("…".into(), 0.0);
        };
        let value = ranking.scores.get(item).copied().filter(|phi| !phi.is_nan());
        let highest = ranking.order.first().map(|&first| ranking.scores[first as usize]);
        let both = value.zip(highest.filter(|phi| *phi > 0.0));
        (signs::phi(value), both.map_or(0.0, |(value, highest)| value / highest))
    }

    /// phi of an item with the selected query and the item's rank by it: one line for each similarity.
    pub fn phi_lines(&self, item: usize) -> Vec<String> {
        let line = |(phi, scores): (PhiIx, &Scores)| {
            let Some(ranked) = self.ranking_by_phi(phi) else {
                return format!("{}: {}", scores.name, self.files.placeholder());
            };
            let rank = ranked.rank(item).map(ordinal);
            let rank = rank.map_or(String::new(), |rank| format!(", {rank} of this query"));
            format!("{} {}{rank}", scores.name, self.format_phi(phi, item).0)
        };
        self.phis().map(line).collect()
    }

    /// Whether the ranking lists only items of the annotation pool, in an order that does not reveal ranks.
    pub fn lists_queue(&self) -> bool {
        self.demand.rankings == RankingsOf::Current && self.queue_in_force().is_some()
    }

    /// Updates the listed items of the annotation pool once the ranking is computed, and selects one of them.
    pub(super) fn refresh_queued_items(&mut self) {
        let key = self.wanted_ranking().filter(|_| self.lists_queue());
        if self.known.queued.as_ref().map(|(of, _)| *of) == key {
            return;
        }
        let ranked = self.ranking_by(self.view.model).filter(|_| key.is_some());
        let queued = ranked.and_then(|ranked| self.queued_items(ranked));
        let first = queued.as_ref().and_then(|items| ranked?.rank(*items.first()? as usize));
        self.known.queued = key.zip(queued);
        if let Some(rank) = first.filter(|_| self.selection.item == 0)
            && self.selected_position().is_none()
        {
            self.selection.item = rank - 1;
        }
    }

    /// Gallery indices of the ranked items in list order; `None` until the ranking is computed.
    pub fn listed_items(&self) -> Option<&[u32]> {
        if !self.lists_queue() {
            return Some(&self.ranking()?.order);
        }
        let (of, listed) = self.known.queued.as_ref()?;
        (Some(*of) == self.wanted_ranking()).then_some(listed)
    }

    /// The item at a list index.
    pub fn listed_item(&self, index: usize) -> Option<Item> {
        let item = *self.listed_items()?.get(index)? as usize;
        let ranked = self.ranking_by(self.view.model)?;
        self.item_at(ranked.rank(item)? - 1)
    }

    /// List index of the selected item; `None` if it is not listed.
    pub fn selected_position(&self) -> Option<usize> {
        if !self.lists_queue() {
            return Some(self.selection.item);
        }
        let item = self.item_at(self.selection.item)?.item;
        self.listed_items()?.iter().position(|&listed| listed as usize == item)
    }

    /// Selects the item at a list index; top-1 if there is none.
    pub(in crate::tui) fn select_listed(&mut self, index: usize) {
        match self.listed_item(index) {
            Some(item) => self.selection.item = item.rank - 1,
            None => self.selection.item = 0,
        }
    }
}
