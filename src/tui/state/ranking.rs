//! Rankings of the selected query by models and by similarities, and the order in which one is listed.

use std::sync::Arc;

use super::Model;
use super::changes::Dirty;
use super::query_list::Item;
use super::results::RankingsOf;
use crate::data::Direction;
use crate::data::index::{ModelIx, PhiIx, TruthIx};
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

/// The order in which a ranking is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arrangement {
    /// By rank.
    #[default]
    ByRank,
    /// The most similar first.
    ByPhi,
    /// What a pool asks about, in an order that tells nothing of ranks.
    Queued,
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
    pub(super) arranged: Option<(ArrangedBy, Vec<u32>)>,
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
    /// Looks at the truth of a similarity that was looked at when the study was left.
    pub(crate) fn look_at_awaited_truth(&mut self) {
        let name = self.known.awaited_truth.take();
        let truth =
            name.and_then(|name| TruthIx::find(&self.study.truths, |truth| truth.name == name));
        if let Some(truth) = truth {
            self.view.truth = truth;
            self.dirty |= Dirty::VIEW;
        }
    }

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

    /// Lists the ranking in the next order.
    pub(in crate::tui) fn next_arrangement(&mut self) {
        if self.phi_in_force().is_none() {
            self.message = Some("no similarity is loaded: --phi cider, or --phi NAME=FILE".into());
            return;
        }
        self.arrangement = match self.arrangement {
            Arrangement::ByRank => Arrangement::ByPhi,
            _ => Arrangement::ByRank,
        };
        let listed = self.arranged();
        if listed.is_none_or(|listed| self.place_in(&listed).is_none()) {
            self.selection.item = 0;
        }
    }

    /// In which order the ranking is listed: another one than by rank on the screen of one model alone.
    pub fn arrangement(&self) -> Arrangement {
        let is_alone = self.demand.rankings == RankingsOf::LookedAt;
        if is_alone && self.queue_in_force().is_some() {
            return Arrangement::Queued;
        }
        let can = is_alone && !self.is_blind() && self.phi_in_force().is_some();
        if can { self.arrangement } else { Arrangement::ByRank }
    }

    /// The ranking in its order, made anew; `None` where that is by rank, or while something is not there.
    fn arranged(&self) -> Option<Vec<u32>> {
        let ranked = self.ranked_by(self.view.model)?;
        match self.arrangement() {
            Arrangement::ByRank => return None,
            Arrangement::Queued => return self.queued_items(ranked),
            Arrangement::ByPhi => {}
        }
        let by_phi = self.phi_ranking(self.phi_in_force()?)?;
        let is_listed = |item: &u32| ranked.rank(*item as usize).is_some();
        Some(by_phi.order.iter().copied().filter(is_listed).collect())
    }

    /// Puts the ranking into its order once all is there, and selects an item of it. What is to be seen at another
    /// place of the ranking is listed by rank.
    pub(super) fn arrange(&mut self) {
        let (phi, how) = (self.phi_in_force(), self.arrangement());
        let key = self.wanted_ranking().map(|ranking| (ranking, phi, how));
        let known = self.known.similarities.arranged.as_ref();
        if known.map(|(key, _)| *key) == key.filter(|_| how != Arrangement::ByRank) {
            return;
        }
        let was_arranged = known.is_some();
        self.known.similarities.arranged = key.zip(self.arranged());
        if !was_arranged && self.known.similarities.arranged.is_none() {
            return;
        }
        let listed = self.known.similarities.arranged.as_ref();
        let first = listed.and_then(|(_, listed)| listed.first().copied());
        let is_selected = how == Arrangement::Queued && self.listed_place().is_some();
        if let Some(first) = first.filter(|_| self.selection.item == 0 && !is_selected) {
            self.select_ranked(first);
        } else if first.is_some() && self.listed_place().is_none() {
            self.arrangement = Arrangement::ByRank;
        }
    }

    fn select_ranked(&mut self, item: u32) {
        let ranked = self.ranked_by(self.view.model);
        let rank = ranked.and_then(|ranked| ranked.rank(item as usize));
        self.selection.item = rank.map_or(0, |rank| rank - 1);
    }

    /// The items of the ranking in the order in which they are listed; `None` until they are there.
    pub fn listed_items(&self) -> Option<&[u32]> {
        if self.arrangement() == Arrangement::ByRank {
            return Some(&self.ranking()?.order);
        }
        let ((ranking, phi, how), listed) = self.known.similarities.arranged.as_ref()?;
        let is_here = Some(*ranking) == self.wanted_ranking()
            && *phi == self.phi_in_force()
            && *how == self.arrangement();
        is_here.then_some(listed)
    }

    /// The item at a place of this list.
    pub fn listed_item(&self, place: usize) -> Option<Item> {
        let item = *self.listed_items()?.get(place)? as usize;
        let ranked = self.ranked_by(self.view.model)?;
        self.item_at(ranked.rank(item)? - 1)
    }

    /// The place of the selected item in this list; `None` where it is not listed.
    pub fn listed_place(&self) -> Option<usize> {
        match self.arrangement() {
            Arrangement::ByRank => Some(self.selection.item),
            _ => self.place_in(self.listed_items()?),
        }
    }

    fn place_in(&self, listed: &[u32]) -> Option<usize> {
        let item = self.item_at(self.selection.item)?.item;
        listed.iter().position(|&listed| listed as usize == item)
    }

    /// Selects the item at a place of this list.
    pub(in crate::tui) fn select_listed(&mut self, place: usize) {
        match self.listed_item(place) {
            Some(item) => self.selection.item = item.rank - 1,
            None => self.selection.item = 0,
        }
    }
}
