//! Rankings of one query, by one model after the other.

use std::sync::Arc;

use super::worker::{Job, Worker};
use super::{Event, Notify};
use crate::data::Direction;
use crate::rank::ranking::Ranking;
use crate::study::Study;

/// A ranking that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RankingKey {
    /// Index of the model.
    pub model: usize,
    /// Who asks whom.
    pub direction: Direction,
    /// Gallery index of the query.
    pub query: usize,
}

/// Ranks, in the order in which models are asked for.
pub(super) fn worker(study: Arc<Study>, notify: &Notify) -> Worker<Vec<RankingKey>> {
    let of_worker = notify.clone();
    let rank = move |keys: Vec<RankingKey>, job: &Job<_>| {
        for key in keys {
            if job.is_over() {
                break;
            }
            let model = &study.models[key.model];
            let arena = study.arena.as_deref();
            let ranking = Ranking::among(model, arena, key.direction, key.query);
            of_worker(Event::Ranked(key, Arc::new(ranking)));
        }
    };
    Worker::start("ranking", notify.clone(), rank)
}
