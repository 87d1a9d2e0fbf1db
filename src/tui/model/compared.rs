//! The models that are compared, and what one has beside the others.

use super::Model;
use super::demand::RankingsOf;
use super::moved::Moved;
use super::numbers::Numbers;
use super::selection::Apart;
use crate::data::index::ModelIx;
use crate::metric::{Spec, map_at_r::MapAtR};
use crate::rank::QueryRanks;
use crate::study::View;

/// The most models that are shown.
const MOST: usize = 4;

/// The depth of what is told of the first items.
pub(in crate::tui) const FIRST: usize = 10;

impl Model {
    /// The models that are compared: the one looked at, and those after it, counted round; after a mixture the two that it
    /// is of, the one that it began with first. Models without numbers are left out.
    pub fn compared(&self) -> Vec<ModelIx> {
        let count = self.numbers.len();
        let here = self.view.model;
        let mix = self.study_dials.mix;
        let mixed = mix.filter(|_| here.get() == self.base.models.len());
        let mixed = mixed.map_or(Vec::new(), |mix| mix.models.to_vec());
        let round = (1..count).map(|step| ModelIx::new((here.get() + step) % count));
        let others = round.filter(|model| !mixed.contains(model));
        let all = [here].into_iter().chain(mixed.iter().copied()).chain(others);
        all.filter(|&model| self.has_numbers(model)).take(MOST).collect()
    }

    /// All models that could be compared.
    pub(in crate::tui) fn comparable(&self) -> impl Iterator<Item = ModelIx> + '_ {
        ModelIx::all(&self.numbers).filter(|&model| self.has_numbers(model))
    }

    fn has_numbers(&self, model: ModelIx) -> bool {
        !matches!(self.numbers[model], Numbers::Failed(_))
    }

    /// The two models that differences are of; `None` with one model.
    pub fn two(&self) -> Option<[ModelIx; 2]> {
        match *self.compared() {
            [first, second, ..] => Some([first, second]),
            _ => None,
        }
    }

    /// The models whose rankings are on screen, the one looked at first.
    pub(in crate::tui) fn shown_models(&self) -> Vec<ModelIx> {
        match self.demand.rankings {
            RankingsOf::Compared => self.compared(),
            RankingsOf::Nothing | RankingsOf::LookedAt => vec![self.view.model],
        }
    }

    /// The ranks of a query by a model, under the truth looked at.
    pub(in crate::tui) fn ranks_by(&self, model: ModelIx, query: usize) -> Option<QueryRanks<'_>> {
        self.ranks_at(View { model, ..self.view }, query)
    }

    /// AP@R of a query by a model.
    pub fn ap_by(&self, model: ModelIx, query: usize) -> Option<f64> {
        Spec::new(&MapAtR).per_query(self.ranks_by(model, query)?)
    }

    /// The selected item, where the model looked at does not rank it.
    pub(in crate::tui) fn item_apart(&self) -> Option<u32> {
        let apart = self.selection.apart?;
        let (key, place) = apart.at;
        let is_here = self.demand.rankings == RankingsOf::Compared
            && self.wanted_ranking() == Some(key)
            && self.selection.item == place;
        is_here.then_some(apart.item)
    }

    /// The item that is linked over all rankings.
    pub(in crate::tui) fn linked(&self) -> Option<usize> {
        let ranked = || Some(self.item_at(self.selection.item)?.item);
        self.item_apart().map(|item| item as usize).or_else(ranked)
    }

    /// How an item stands in a ranking against the first model's; `None` until that is there.
    pub(in crate::tui) fn change_of(&self, item: usize, rank: usize) -> Option<Moved> {
        let first = self.ranked_by(self.view.model)?;
        Some(Moved::between(first.rank(item), rank))
    }

    /// Whether of the models compared this one alone has an item among its first [`FIRST`]. It is not
    /// said before all rankings are there.
    pub(in crate::tui) fn is_only(&self, model: ModelIx, item: usize) -> bool {
        let is_among = |other: ModelIx| {
            let ranked = self.ranked_by(other)?;
            Some(ranked.rank(item).is_some_and(|rank| rank <= FIRST))
        };
        let mut all = self.compared().into_iter();
        all.all(|other| is_among(other) == Some(other == model))
    }

    /// Selects an item in all rankings.
    pub(in crate::tui) fn link(&mut self, item: u32) {
        let first = self.ranked_by(self.view.model);
        let rank = first.and_then(|ranked| ranked.rank(item as usize));
        self.selection.apart = None;
        match (rank, self.wanted_ranking()) {
            (Some(rank), _) => self.selection.item = rank - 1,
            (None, Some(key)) => {
                let at = (key, self.selection.item);
                self.selection.apart = Some(Apart { at, item });
            }
            (None, None) => {}
        }
    }
}
