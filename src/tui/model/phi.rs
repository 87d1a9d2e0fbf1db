//! Similarities of the study: their truths, phi of the selected query, and the ranking in the order of phi.

use super::Model;
use super::demand::RankingsOf;
use super::dirty::Dirty;
use super::selection::Item;
use super::similarities::{Arrangement, MISSED};
use crate::data::Direction;
use crate::data::index::{PhiIx, TruthIx};
use crate::data::scores::Model as Scores;
use crate::jobs::Stamp;
use crate::rank::ranking::Ranking;
use crate::truth::standing::Badge;
use crate::tui::signs::{self, ordinal};

impl Model {
    /// Whether a similarity makes a truth of this name.
    pub(in crate::tui::model) fn makes_truth(&self, name: &str) -> bool {
        self.base.phis.iter().any(|phi| phi.name == name)
    }

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
    pub fn phi_words(&self, item: usize, badge: Badge) -> Vec<String> {
        if self.known.similarities.failure.is_some() {
            return Vec::new();
        }
        let words = |(phi, of): (PhiIx, &Scores)| {
            let Some(ranking) = self.phi_ranking(phi) else {
                return format!("{}: {}", of.name, self.files.waiting());
            };
            let value = self.phi_of(phi, item);
            let place = ranking.order.iter().position(|&one| one as usize == item);
            let greatest = signs::phi(self.greatest_phi(phi));
            let place = match place {
                None => String::new(),
                Some(0) => ", the greatest of this query".into(),
                Some(at) => format!(", the {}; the greatest is {greatest}", ordinal(at + 1)),
            };
            let but = if badge.is_positive() {
                String::new()
            } else {
                format!("{}, but ", badge.words())
            };
            format!("{but}{} {}{place}", of.name, signs::phi(value))
        };
        self.study.phis().map(words).collect()
    }

    /// Lists the ranking in the next order.
    pub(in crate::tui) fn next_arrangement(&mut self) {
        if self.phi_in_force().is_none() {
            self.message = Some("no similarity is loaded: --phi cider, or --phi NAME=FILE".into());
            return;
        }
        self.arrangement = self.arrangement.next();
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
        let least = match self.arrangement() {
            Arrangement::ByRank => return None,
            Arrangement::Queued => return self.queued_items(ranked),
            Arrangement::ByPhi => 0,
            Arrangement::Missed => MISSED,
        };
        let by_phi = self.phi_ranking(self.phi_in_force()?)?;
        let is_listed = |item: &u32| ranked.rank(*item as usize).is_some_and(|rank| rank > least);
        Some(by_phi.order.iter().copied().filter(is_listed).collect())
    }

    /// Puts the ranking into its order once all is there, and selects an item of it. What is to be seen at another
    /// place of the ranking is listed by rank.
    pub(crate) fn arrange(&mut self) {
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
        self.dirty |= Dirty::SCROLL;
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
