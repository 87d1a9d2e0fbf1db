//! The name of a ground truth as verdicts change it.

use super::Model;
use crate::data::index::TruthIx;
use crate::rank::edited::label_edits;
use crate::study::View;

impl Model {
    /// The name of a truth as it is in force for the model and direction looked at: with verdicts laid over
    /// it where they change its numbers. While one judges blind, whether they do is not told: it would tell what the
    /// truth lists.
    pub fn name_in_force(&self, truth: TruthIx) -> String {
        let (name, view) = (&self.study.truths[truth].name, View { truth, ..self.view });
        // Before there are numbers of the model, it is told what verdicts will change.
        let is_changed = match self.counted_at(view) {
            Some(_) => self.judged_at(view).is_some(),
            None => self.may_change(truth),
        };
        if is_changed && !self.is_blind() {
            self.study.name_with_verdicts(name)
        } else {
            name.clone()
        }
    }

    /// Whether verdicts change what a truth lists in the direction looked at.
    fn may_change(&self, truth: TruthIx) -> bool {
        let direction = self.view.direction;
        let relevance = self.study.truths[truth].relevance[direction].as_ref();
        let verdicts = &self.judgements.verdicts;
        relevance.is_some_and(|of| !label_edits(of, direction, verdicts).is_empty())
    }
}
