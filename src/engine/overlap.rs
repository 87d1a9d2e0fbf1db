//! How much the rankings of two models have in common, over all queries.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Stamp;
use super::job::{Job, Run};
use crate::analysis::overlap::Overlaps;
use crate::analysis::similarity::HEAD;
use crate::data::Direction;
use crate::error::Result;
use crate::rank::heads::{Heads, heads};
use crate::rank::pass::Watch;
use crate::study::Study;

/// The depth of the overlap that is told; rank-biased overlap goes down to [`HEAD`].
pub const FIRST: usize = 10;

/// Two models in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PairKey {
    /// Indices of the models.
    pub models: [usize; 2],
    /// Who asks whom.
    pub direction: Direction,
}

/// Compares rankings; keeps the heads of the models that were read.
#[derive(Default)]
pub struct Overlapping {
    of: Stamp,
    heads: FxHashMap<(usize, Direction), Arc<Heads>>,
}

impl Job for Overlapping {
    const NAME: &'static str = "overlaps";
    /// The study.
    type Key = Stamp;
    type Part = PairKey;
    type Input = Arc<Study>;
    type Output = (PairKey, Arc<Overlaps>);

    fn run(&mut self, &key: &PairKey, run: &Run<'_, Self>) {
        if self.of != *run.key {
            self.of = *run.key;
            self.heads.clear();
        }
        // A model that cannot be ranked is named by its count.
        if let Ok(Some(found)) = self.overlaps(run.input, key, run.watch) {
            run.send((key, Arc::new(found)));
        }
    }
}

impl Overlapping {
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
        if let Some(heads) = self.heads.get(&key) {
            return Ok(Some(heads.clone()));
        }
        let arena = study.arena.as_deref();
        let (model, direction) = (&study.models[key.0], key.1);
        let found = heads(&study.gallery, model, arena, direction, HEAD, watch)?.map(Arc::new);
        self.heads
            .extend(found.iter().map(|heads| (key, heads.clone())));
        Ok(found)
    }
}
