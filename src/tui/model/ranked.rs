//! The rankings of the selected query: by the model looked at, or by all that are compared.

use super::Model;
use super::demand::RankingsOf;
use super::rankings::Ranked;
use crate::data::index::ModelIx;
use crate::jobs::RankingKey;
use crate::rank::ranking::Ranking;

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
