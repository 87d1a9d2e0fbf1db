//! Counts all ranks of a model, on threads of low priority.

use super::{ModelScores, in_pool, low_pool};
use crate::error::Error;
use crate::rank::counter;
use crate::rank::pass::Watch;
use crate::study::Study;

/// What counting needs once per study.
pub(super) struct Counter {
    ranks: counter::Counter,
    pool: Option<rayon::ThreadPool>,
}

impl Counter {
    pub(super) fn new(study: &Study) -> Self {
        let pool = low_pool();
        let new = || counter::Counter::new(&study.truths, &study.gallery, study.arena.as_ref());
        Counter {
            ranks: in_pool(pool.as_ref(), new),
            pool,
        }
    }

    pub(super) fn count(
        &self,
        study: &Study,
        model: usize,
        watch: &Watch,
    ) -> Result<Option<ModelScores>, Error> {
        self.run(|| {
            let ranks = self.ranks.ranks(&study.models[model], watch)?;
            Ok(ranks.map(|ranks| ModelScores::new(study, &ranks)))
        })
    }

    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        in_pool(self.pool.as_ref(), work)
    }
}
