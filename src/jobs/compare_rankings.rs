//! How much the rankings of two models have in common, over all queries.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Job, Run, Stamp, Wanted};
use crate::analysis::overlap::Overlaps;
use crate::analysis::similarity::HEAD;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::rank::top_k::{TopK, top_k};
use crate::study::Study;
use crate::tui::app::App;
use crate::tui::model::changes::Dirty;

/// The depth of the overlap that is told; rank-biased overlap goes down to [`HEAD`].
pub const FIRST: usize = 10;

/// Two models in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PairKey {
    /// Indices of the models.
    pub models: [ModelIx; 2],
    /// Direction of retrieval.
    pub direction: Direction,
}

/// Compares rankings; keeps the top k of the models that were read.
#[derive(Default)]
pub struct CompareRankings {
    of: Stamp,
    top_k: FxHashMap<(ModelIx, Direction), TopK>,
}

impl Job for CompareRankings {
    const IS_LONG: bool = true;
    /// The study.
    type Key = Stamp;
    type Part = PairKey;
    type Input = Arc<Study>;
    type Output = (PairKey, Arc<Overlaps>);

    /// Nothing where a model cannot be ranked, which its count tells.
    fn run(&mut self, &PairKey { models, direction }: &PairKey, run: &Run<'_, Self>) {
        if self.of != *run.key {
            *self = CompareRankings { of: *run.key, ..CompareRankings::default() };
        }
        let (study, mask) = (run.input, run.input.mask.as_deref());
        for model in models {
            if let Entry::Vacant(place) = self.top_k.entry((model, direction)) {
                let model = &study.models[model];
                let found = top_k(&study.gallery, model, mask, direction, HEAD, run.token);
                let Ok(Some(found)) = found else {
                    return;
                };
                place.insert(found);
            }
        }
        let [first, second] = models.map(|model| &self.top_k[&(model, direction)]);
        let overlaps = Arc::new(Overlaps::of(first, second, FIRST));
        run.send((PairKey { models, direction }, overlaps));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let pair = Vec::from_iter(model.wanted_overlaps());
        Some(Wanted::parts(model.known.study_stamp, pair, || model.study.clone()))
    }

    fn take(app: &mut App, _: Stamp, (key, overlaps): Self::Output) {
        let model = &mut app.model;
        model.known.overlaps.insert(key, overlaps);
        if model.selection.sort.is_of_top_k() && Some(key) == model.pair_key() {
            // Until now the list stood in the order of the gallery: a query that was chosen there, or stayed when the
            // models changed, stays in sight.
            if model.selection.selected == 0 {
                model.select_from_top();
            }
            model.dirty |= Dirty::ROWS;
        }
    }
}
