//! What the doctor found, as the explorer's state.

use std::sync::Arc;

use super::app::App;
use crate::doctor::{Finding, Severity};

impl App {
    /// Whether it is time for the doctor: nothing that is on screen waits for a count.
    pub fn wants_check(&self) -> bool {
        self.findings.is_none() && self.wanted_counts().is_empty()
    }

    /// Numbers of problems and of notes: the doctor's, or until it has looked, what was remarked
    /// while the files were read.
    pub fn remarks(&self) -> [usize; 2] {
        let Some(findings) = &self.findings else {
            let notes = self.study.notes.iter();
            return [0, notes.filter(|note| note.warning).count()];
        };
        [Severity::Problem, Severity::Note]
            .map(|severity| findings.iter().filter(|f| f.severity == severity).count())
    }

    /// Takes what the doctor found; a sheet that is open shows it at once.
    pub(super) fn take_findings(&mut self, findings: Arc<[Finding]>) {
        self.findings = Some(findings);
        self.refresh_popup();
    }
}
