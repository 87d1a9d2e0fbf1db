//! The items of the selected query in the order of each model, and of each similarity.

use std::sync::Arc;

use super::{Asks, Job, Run, Stamp, Wanted};
use crate::data::Direction;
use crate::data::index::{ModelIx, PhiIx};
use crate::rank::ranking::Ranking;
use crate::study::Study;
use crate::tui::app::App;

/// A ranking that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RankingKey {
    /// Index of the model.
    pub model: ModelIx,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Gallery index of the query.
    pub query: usize,
}

/// By what the items are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankBy {
    /// The scores of a model.
    Model(ModelIx),
    /// A similarity of captions.
    Phi(PhiIx),
}

/// Ranks the items of one query.
#[derive(Default)]
pub struct RankQuery;

impl Job for RankQuery {
    const NAME: &'static str = "ranking";
    const IS_LONG: bool = false;
    /// State of the study, direction of retrieval, and gallery index of the query.
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
        let ranking = Ranking::among(scores, study.mask.as_deref(), direction, query);
        run.send((by, Arc::new(ranking)));
    }
}

impl Asks for RankQuery {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let rankings = model.wanted_rankings();
        let RankingKey { direction, query, .. } = *rankings.first()?;
        let missing = rankings.iter().filter(|key| model.known.rankings.get(**key).is_none());
        let mut parts: Vec<RankBy> = missing.map(|key| RankBy::Model(key.model)).collect();
        if let Some(of) = model.phi_query() {
            let phis = model.study.phis().map(|(phi, _)| phi);
            let missing = phis.filter(|&phi| model.known.similarities.get(of, phi).is_none());
            parts.extend(missing.map(RankBy::Phi));
        }
        let key = (model.known.study_stamp, direction, query);
        Some(Wanted::parts(key, parts, || model.study.clone()))
    }

    fn take(app: &mut App, of: Self::Key, (by, ranking): Self::Output) {
        let model = &mut app.model;
        match by {
            RankBy::Phi(phi) => model.known.similarities.take(of, phi, ranking),
            RankBy::Model(by) => {
                let key = RankingKey { model: by, direction: of.1, query: of.2 };
                if Some(key) == model.wanted_ranking() {
                    let last = ranking.order.len().saturating_sub(1);
                    model.selection.item = model.selection.item.min(last);
                }
                model.known.rankings.take(key, ranking);
            }
        }
    }
}
