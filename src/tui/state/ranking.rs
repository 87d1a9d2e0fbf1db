//! Rankings of the selected query by models and by similarities, and the order in which one is listed.

use std::sync::Arc;

use super::Model;
use super::query_list::Item;
use super::results::RankingsOf;
use crate::data::Direction;
use crate::data::index::{ModelIx, PhiIx};
use crate::data::scores::Model as Scores;
use crate::error::Error;
use crate::jobs::{RankingKey, Stamp};
use crate::rank::ranking::Ranking;
use crate::tui::signs;
use crate::tui::signs::ordinal;

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

impl Model {
    /// The ranking of the selected query by a model; `None` where no query is in sight.
    pub fn ranking_key(&self, model: ModelIx) -> Option<RankingKey> {
        let is_shown = self.demand.rankings != RankingsOf::Nothing;
        let query = self.selection.query().filter(|_| is_shown)?;
        Some(RankingKey { model, direction: self.view.direction, query })
    }

    /// The ranking of the model looked at, where the screen shows it.
    pub fn wanted_ranking(&self) -> Option<RankingKey> {
        self.ranking_key(self.view.model)
    }

    /// Whether a ranking that the screen shows is being made.
    pub(in crate::tui) fn awaits_ranking(&self) -> bool {
        let is_made = self.wanted_ranking().is_some() && !self.files.is_overwritten();
        is_made && self.ranking().is_none()
    }

    /// The rankings that the screen shows, that of the model looked at first.
    pub fn wanted_rankings(&self) -> Vec<RankingKey> {
        let models = self.shown_models().into_iter();
        models.filter_map(|model| self.ranking_key(model)).collect()
    }

    /// The ranking of the selected query, once it is there.
    pub fn ranking(&self) -> Option<&Ranking> {
        let ranked = self.ranked_by(self.view.model)?;
        Some(&ranked.ranking)
    }

    /// The same by another model.
    pub fn ranked_by(&self, model: ModelIx) -> Option<&Ranked> {
        self.known.rankings.get(self.ranking_key(model)?)
    }
}

/// What is known of similarities.
#[derive(Debug, Default)]
pub struct Similarities {
    /// Why there is none.
    pub(crate) failure: Option<Error>,
    /// The study, who asks whom, and the query that rankings are of.
    of: Option<(Stamp, Direction, usize)>,
    rankings: Vec<(PhiIx, Arc<Ranking>)>,
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

impl Model {
    /// The query whose phi is shown; `None` where there is none, or no similarity.
    pub(crate) fn phi_query(&self) -> Option<(Stamp, Direction, usize)> {
        let has_phi = !self.study.phis.is_empty() && self.known.similarities.failure.is_none();
        let is_shown = self.demand.rankings != RankingsOf::Nothing;
        let query = self.selection.query().filter(|_| has_phi && is_shown)?;
        Some((self.known.study_stamp, self.view.direction, query))
    }

    /// The similarity that rankings show: the one whose truth is looked at, else the first.
    pub fn phi_in_force(&self) -> Option<PhiIx> {
        self.phi_query()?;
        let of_truth = |phi: &Scores| phi.name == self.truth().name;
        let looked_at = PhiIx::find(&self.study.phis, of_truth);
        looked_at.or(self.study.phis().map(|(phi, _)| phi).next())
    }

    /// The items by a phi of the selected query, once they are there.
    pub fn phi_ranking(&self, phi: PhiIx) -> Option<&Ranking> {
        let found = self.known.similarities.get(self.phi_query()?, phi)?;
        Some(found)
    }

    /// phi of an item with the selected query; `None` until it is there, and where there is none.
    pub fn phi_of(&self, phi: PhiIx, item: usize) -> Option<f64> {
        let phi = *self.phi_ranking(phi)?.scores.get(item)?;
        (!phi.is_nan()).then_some(phi)
    }

    /// The greatest phi of the selected query.
    pub fn greatest_phi(&self, phi: PhiIx) -> Option<f64> {
        let ranking = self.phi_ranking(phi)?;
        let first = *ranking.order.first()? as usize;
        Some(ranking.scores[first])
    }

    /// phi of an item as it is shown, and its share of the query's greatest.
    pub fn phi_shown(&self, phi: PhiIx, item: usize) -> (String, f64) {
        if self.phi_ranking(phi).is_none() {
            return ("…".into(), 0.0);
        }
        let value = self.phi_of(phi, item);
        let greatest = self.greatest_phi(phi).filter(|phi| *phi > 0.0);
        let both = value.zip(greatest);
        let share = both.map_or(0.0, |(value, greatest)| value / greatest);
        (signs::phi(value), share)
    }

    /// phi of an item with the selected query in words, a line each.
    pub fn phi_words(&self, item: usize) -> Vec<String> {
        if self.known.similarities.failure.is_some() {
            return Vec::new();
        }
        let words = |(phi, of): (PhiIx, &Scores)| {
            let Some(ranking) = self.phi_ranking(phi) else {
                return format!("{}: {}", of.name, self.files.waiting());
            };
            let place = ranking.order.iter().position(|&one| one as usize == item);
            let place =
                place.map_or(String::new(), |at| format!(", {} of this query", ordinal(at + 1)));
            format!("{} {}{place}", of.name, signs::phi(self.phi_of(phi, item)))
        };
        self.study.phis().map(words).collect()
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
        let ranked = self.ranked_by(self.view.model).filter(|_| key.is_some());
        let queued = ranked.and_then(|ranked| self.queued_items(ranked));
        let first = queued.as_ref().and_then(|items| ranked?.rank(*items.first()? as usize));
        self.known.queued = key.zip(queued);
        if let Some(rank) = first.filter(|_| self.selection.item == 0)
            && self.listed_place().is_none()
        {
            self.selection.item = rank - 1;
        }
    }

    /// The items of the ranking in the order in which they are listed; `None` until they are there.
    pub fn listed_items(&self) -> Option<&[u32]> {
        if !self.lists_queue() {
            return Some(&self.ranking()?.order);
        }
        let (of, listed) = self.known.queued.as_ref()?;
        (Some(*of) == self.wanted_ranking()).then_some(listed)
    }

    /// The item at a place of this list.
    pub fn listed_item(&self, place: usize) -> Option<Item> {
        let item = *self.listed_items()?.get(place)? as usize;
        let ranked = self.ranked_by(self.view.model)?;
        self.item_at(ranked.rank(item)? - 1)
    }

    /// The place of the selected item in this list; `None` where it is not listed.
    pub fn listed_place(&self) -> Option<usize> {
        if !self.lists_queue() {
            return Some(self.selection.item);
        }
        let item = self.item_at(self.selection.item)?.item;
        self.listed_items()?.iter().position(|&listed| listed as usize == item)
    }

    /// Selects the item at a place of this list.
    pub(in crate::tui) fn select_listed(&mut self, place: usize) {
        match self.listed_item(place) {
            Some(item) => self.selection.item = item.rank - 1,
            None => self.selection.item = 0,
        }
    }
}
