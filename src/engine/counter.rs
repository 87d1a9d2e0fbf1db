//! Counts all ranks of a model, on threads of low priority.

use super::ModelScores;
use super::pool::Pool;
use crate::error::Error;
use crate::rank::counter;
use crate::rank::pass::Watch;
use crate::study::Study;

static POOL: Pool = Pool::new();

/// What counting needs once per study.
pub(super) struct Counter(counter::Counter);

impl Counter {
    pub(super) fn new(study: &Study) -> Self {
        let new = || counter::Counter::new(&study.truths, &study.gallery, study.arena.as_ref());
        Counter(POOL.run(new))
    }

    pub(super) fn count(
        &self,
        study: &Study,
        model: usize,
        watch: &Watch,
    ) -> Result<Option<ModelScores>, Error> {
        POOL.run(|| {
            let ranks = self.0.ranks(&study.models[model], watch)?;
            Ok(ranks.and_then(|ranks| ModelScores::new(study, &ranks, watch)))
        })
    }
}

/// Computes every metric of numbers that are there; whether it was not cancelled.
pub(super) fn measure(scores: &ModelScores, watch: &Watch) -> bool {
    POOL.run(|| scores.measure(watch))
}
