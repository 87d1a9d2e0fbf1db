//! Ranking of one query by a model or a similarity, and ranks of judged items.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::data::Direction;
use crate::data::index::{ItemIx, ModelIx, PhiIx, QueryIx};
use crate::rank::ranking::{Ranking, item_ranks};
use crate::study::Study;
use crate::truth::judgment::Pair;
use crate::tui::app::App;

/// Cache key of the ranking of one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankingKey {
    /// Model or similarity.
    pub by: RankBy,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Gallery index of the query.
    pub query: usize,
}

/// Source of a ranking's scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankBy {
    /// The scores of a model.
    Model(ModelIx),
    /// A similarity of captions.
    Phi(PhiIx),
}

/// Ranks all items for the selected query.
pub struct RankQuery;

impl Job for RankQuery {
    /// Stamp of the study, direction of retrieval, and gallery index of the query.
    type Key = (Stamp, Direction, usize);
    type Part = RankBy;
    type Input = Arc<Study>;
    type Output = (RankBy, Arc<Ranking>);

    fn run(&mut self, &by: &RankBy, run: &Run<'_, Self>) {
        let (_, direction, query) = *run.key;
        let study = run.input;
        let scores = match by {
            RankBy::Model(model) => &study.models[model],
            RankBy::Phi(phi) => &study.phis[phi],
        };
        let ranking = Ranking::in_pool(scores, study.mask.as_deref(), direction, query);
        run.send((by, Arc::new(ranking)));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let rankings = model.wanted_rankings();
        let RankingKey { direction, query, .. } = *rankings.first()?;
        let missing = rankings.iter().filter(|key| model.known.rankings.get(**key).is_none());
        let key = (model.known.study_stamp, direction, query);
        Some(Wanted::with_parts(key, missing.map(|key| key.by).collect(), || model.study.clone()))
    }

    fn apply(app: &mut App, (_, direction, query): Self::Key, (by, ranking): Self::Output) {
        let model = &mut app.model;
        let key = RankingKey { by, direction, query };
        if Some(key) == model.wanted_ranking() {
            let last = ranking.order.len().saturating_sub(1);
            model.selection.item = model.selection.item.min(last);
        }
        model.known.rankings.insert(key, ranking);
    }
}

/// A pair whose rank by a model is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PairRankKey {
    /// Index of the model.
    pub model: ModelIx,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Gallery index of the query.
    pub query: QueryIx,
    /// Gallery index of the item.
    pub item: ItemIx,
}

impl PairRankKey {
    /// Key of a pair in a direction.
    pub fn for_pair(model: ModelIx, direction: Direction, pair: Pair) -> Self {
        let (query, item) = pair.query_and_item(direction);
        PairRankKey { model, direction, query, item }
    }

    /// Whether both keys are equal except for the item.
    fn is_same_query(&self, other: &Self) -> bool {
        PairRankKey { item: self.item, ..*other } == *self
    }
}

/// Keys with their ranks, from 1 on; `None` if the model does not rank the item.
pub type PairRanks = Vec<(PairRankKey, Option<u32>)>;

/// Approximate number of ranks in an answer: the screen updates after each.
const RANKS_PER_ANSWER: usize = 64;

/// Looks up ranks of judged items, so that a judgment changes numbers without ranking the study again.
pub struct RankJudged;

impl RankJudged {
    /// Splits keys into parts, in order; adjacent keys of one query stay together.
    pub fn split_keys(keys: &[PairRankKey]) -> Vec<Arc<[PairRankKey]>> {
        let mut parts: Vec<Vec<PairRankKey>> = Vec::new();
        for of_query in keys.chunk_by(PairRankKey::is_same_query) {
            match parts.last_mut().filter(|part| part.len() < RANKS_PER_ANSWER) {
                Some(part) => part.extend(of_query),
                None => parts.push(of_query.to_vec()),
            }
        }
        parts.into_iter().map(Arc::from).collect()
    }
}

impl Job for RankJudged {
    /// The study.
    type Key = Stamp;
    type Part = Arc<[PairRankKey]>;
    type Input = Arc<Study>;
    type Output = PairRanks;

    fn run(&mut self, part: &Arc<[PairRankKey]>, run: &Run<'_, Self>) {
        let study = run.input;
        let mut found = PairRanks::new();
        for of_query in part.chunk_by(PairRankKey::is_same_query) {
            if run.token.is_cancelled() {
                break;
            }
            let items: Vec<u32> = of_query.iter().map(|key| key.item.raw()).collect();
            let PairRankKey { model, direction, query, .. } = of_query[0];
            let (model, mask) = (&study.models[model], study.mask.as_deref());
            let ranks = item_ranks(model, mask, direction, query.get(), &items);
            found.extend(of_query.iter().copied().zip(ranks));
        }
        run.send(found);
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let (key, parts) = (model.known.study_stamp, model.known.judged.missing_ranks.clone());
        Some(Wanted::with_parts(key, parts, || model.study.clone()))
    }

    fn apply(app: &mut App, _: Stamp, ranks: PairRanks) {
        app.model.store_judged_ranks(ranks);
    }
}
