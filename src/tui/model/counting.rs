//! The numbers of models: which are to be counted, and what follows when they are there.

use std::sync::Arc;

use super::Model;
use super::dirty::Dirty;
use super::numbers::Numbers;
use crate::data::index::ModelIx;
use crate::error::Error;
use crate::jobs::ModelScores;

impl Model {
    /// The models not counted yet, the one looked at first; none while nothing can be counted, or all is read again.
    pub fn wanted_counts(&self) -> Vec<ModelIx> {
        // What is read again is counted with it.
        if self.files.is_overwritten() || self.files.requested.is_some() {
            return Vec::new();
        }
        let waiting = |&model: &ModelIx| {
            let numbers = &self.numbers[model];
            matches!(numbers, Numbers::Waiting | Numbers::Stale(_))
        };
        let others = ModelIx::all(&self.numbers).filter(|&model| model != self.view.model);
        std::iter::once(self.view.model).chain(others).filter(waiting).collect()
    }

    pub(crate) fn take_scores(&mut self, model: ModelIx, scores: Arc<ModelScores>) {
        self.numbers[model] = Numbers::Ready(scores);
        self.dirty |= Dirty::RANKS;
        // A condition or an order may have waited for another model than the one looked at.
        if model == self.view.model || self.is_filtering() || self.is_ordered_by(model) {
            self.dirty |= Dirty::FILTER;
        }
    }

    /// A model without numbers is left; without any other there is nothing to explore.
    pub(crate) fn lose_model(&mut self, model: ModelIx, error: Error) {
        self.message = Some(error.to_string().replace("\n ", ";"));
        self.numbers[model] = Numbers::Failed(error.clone());
        self.dirty |= Dirty::RANKS;
        if self.numbers.iter().all(|numbers| matches!(numbers, Numbers::Failed(_))) {
            self.ended = Some(error);
            return;
        }
        if model == self.view.model {
            let message = self.message.take();
            self.step_model(1);
            self.message = message;
        }
    }
}
