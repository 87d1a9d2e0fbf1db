//! The rankings of the selected query: by the model looked at, or by all that are compared.

use std::sync::Arc;

use super::app::App;
use super::backend::AppJob;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::engine::{QueryRanking, RankingKey, Stamp, Wanted};
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
        Ranked {
            key,
            ranking,
            ranks,
        }
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
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps a ranking in the place of those of other queries.
    fn take(&mut self, key: RankingKey, ranking: Arc<Ranking>) {
        let asks = |key: RankingKey| (key.direction, key.query);
        self.0
            .retain(|ranked| asks(ranked.key) == asks(key) && ranked.key != key);
        self.0.push(Ranked::new(key, ranking));
    }
}

impl AppJob for QueryRanking {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let mut missing = app.wanted_rankings();
        let RankingKey {
            direction, query, ..
        } = *missing.first()?;
        missing.retain(|key| app.rankings.get(*key).is_none());
        let key = (app.study_stamp, direction, query);
        Some(Wanted::parts(key, missing, || app.study.clone()))
    }

    fn take(app: &mut App, _: (Stamp, Direction, usize), (key, ranking): Self::Output) {
        if Some(key) == app.wanted_ranking() {
            let last = ranking.order.len().saturating_sub(1);
            app.browse.item = app.browse.item.min(last);
        }
        app.rankings.take(key, ranking);
        app.screen_follow();
    }
}

impl App {
    /// The ranking of the selected query by a model; `None` where no query is in sight.
    pub fn ranking_key(&self, model: ModelIx) -> Option<RankingKey> {
        let is_shown = self.screen.has_items();
        let query = self.browse.query().filter(|_| is_shown)?;
        Some(RankingKey {
            model,
            direction: self.view.direction,
            query,
        })
    }

    /// The ranking of the model looked at, where the screen shows it.
    pub fn wanted_ranking(&self) -> Option<RankingKey> {
        self.ranking_key(self.view.model)
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
        self.rankings.get(self.ranking_key(model)?)
    }
}
