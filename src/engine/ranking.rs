//! Rankings of one query, by one model after the other.

use std::sync::Arc;

use super::Stamp;
use super::job::{Job, Run};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::rank::ranking::Ranking;
use crate::study::Study;

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

/// The job that sorts the ranking of one query.
#[derive(Default)]
pub struct QueryRanking;

impl Job for QueryRanking {
    const NAME: &'static str = "ranking";
    const IS_LONG: bool = false;
    /// The study, who asks whom, and the query.
    type Key = (Stamp, Direction, usize);
    type Part = RankingKey;
    type Input = Arc<Study>;
    type Output = (RankingKey, Arc<Ranking>);

    fn run(&mut self, &key: &RankingKey, run: &Run<'_, Self>) {
        let study = run.input;
        let mask = study.mask.as_deref();
        let ranking = Ranking::among(&study.models[key.model], mask, key.direction, key.query);
        run.send((key, Arc::new(ranking)));
    }
}
