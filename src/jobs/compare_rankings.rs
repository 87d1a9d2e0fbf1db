//! How much the rankings of two models have in common, over all queries.

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
    top_k: FxHashMap<(ModelIx, Direction), Arc<TopK>>,
}

impl Job for CompareRankings {
    const NAME: &'static str = "overlaps";
    const IS_LONG: bool = true;
    /// The study.
    type Key = Stamp;
    type Part = PairKey;
    type Input = Arc<Study>;
    type Output = (PairKey, Arc<Overlaps>);

    fn run(&mut self, &key: &PairKey, run: &Run<'_, Self>) {
        if self.of != *run.key {
            self.of = *run.key;
            self.top_k.clear();
        }
        let top_k = key.models.map(|model| self.top_k((model, key.direction), run));
        if let [Some(first), Some(second)] = top_k {
            run.send((key, Arc::new(Overlaps::of(&first, &second, FIRST))));
        }
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

impl CompareRankings {
    /// `None` where it was cancelled, or where the model cannot be ranked, which its count tells.
    fn top_k(&mut self, key: (ModelIx, Direction), run: &Run<'_, Self>) -> Option<Arc<TopK>> {
        if let Some(known) = self.top_k.get(&key) {
            return Some(known.clone());
        }
        let study = run.input;
        let (model, mask) = (&study.models[key.0], study.mask.as_deref());
        let found = top_k(&study.gallery, model, mask, key.1, HEAD, run.token);
        let found = Arc::new(found.ok()??);
        self.top_k.insert(key, found.clone());
        Some(found)
    }
}
