//! How much the rankings of two models have in common, over all queries.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::pool::Pool;
use super::worker::{Job, Worker};
use super::{Event, Notify};
use crate::analysis::overlap::Overlaps;
use crate::analysis::similarity::HEAD;
use crate::data::Direction;
use crate::error::Result;
use crate::rank::heads::{Heads, heads};
use crate::rank::pass::Watch;
use crate::study::Study;

/// The depth of the overlap that is told; rank-biased overlap goes down to [`HEAD`].
pub const FIRST: usize = 10;

static POOL: Pool = Pool::new();

/// Two models in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PairKey {
    /// Indices of the models.
    pub models: [usize; 2],
    /// Who asks whom.
    pub direction: Direction,
}

/// Compares rankings in the background; the newest wish wins.
pub(super) fn worker(study: Arc<Study>, notify: &Notify) -> Worker<PairKey> {
    let of_worker = notify.clone();
    let mut known = Known::default();
    let compare = move |key: PairKey, job: &Job<PairKey>| {
        let found = POOL.run(|| known.overlaps(&study, key, &job.watch));
        // A model that cannot be ranked is told by its count.
        if let Ok(Some(found)) = found {
            of_worker(Event::Overlapped(key, Arc::new(found)));
        }
    };
    Worker::start("overlaps", notify.clone(), compare)
}

/// The heads of the models that were read.
#[derive(Default)]
struct Known(FxHashMap<(usize, Direction), Arc<Heads>>);

impl Known {
    fn overlaps(&mut self, study: &Study, key: PairKey, watch: &Watch) -> Result<Option<Overlaps>> {
        let [first, second] = key.models;
        let Some(first) = self.heads(study, (first, key.direction), watch)? else {
            return Ok(None);
        };
        let second = self.heads(study, (second, key.direction), watch)?;
        Ok(second.map(|second| Overlaps::of(&first, &second, FIRST)))
    }

    fn heads(
        &mut self,
        study: &Study,
        key: (usize, Direction),
        watch: &Watch,
    ) -> Result<Option<Arc<Heads>>> {
        if let Some(heads) = self.0.get(&key) {
            return Ok(Some(heads.clone()));
        }
        let arena = study.arena.as_deref();
        let (model, direction) = (&study.models[key.0], key.1);
        let found = heads(&study.gallery, model, arena, direction, HEAD, watch)?.map(Arc::new);
        self.0
            .extend(found.iter().map(|heads| (key, heads.clone())));
        Ok(found)
    }
}
