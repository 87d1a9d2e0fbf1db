//! The texts of the captions that are shown: those that the model looked at was given.

use std::sync::Arc;

use super::Model;
use crate::jobs::Stamp;

impl Model {
    /// Shows the texts of the model looked at; what was found in others is forgotten.
    pub(in crate::tui::model) fn follow_texts(&mut self) {
        let Some(study) = self.study.with_texts_of(self.view.model) else {
            return;
        };
        self.study = Arc::new(study);
        self.known.study_stamp = Stamp::fresh();
        self.forget_error_analysis();
        self.known.error_analysis.texts = None;
        self.search.forget_results();
    }
}
