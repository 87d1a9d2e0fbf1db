//! What the doctor found, as the explorer's state.

use std::sync::Arc;

use super::app::{App, Effect};
use super::backend::AppJob;
use crate::doctor::{Finding, Severity};
use crate::engine::{Checking, Wanted};
use crate::study::Study;

/// The doctor comes when nothing that is on screen waits for a count.
impl AppJob for Checking {
    fn wanted(app: &App) -> Option<Wanted<Self>> {
        let is_time = app.findings.is_none() && app.wanted_counts().is_empty();
        Some(Wanted::parts((), vec![(); usize::from(is_time)]))
    }

    fn input(app: &App, _: &Wanted<Self>) -> Option<Arc<Study>> {
        Some(app.base.clone())
    }

    /// A sheet that is open shows the findings at once.
    fn take(app: &mut App, (): (), findings: Arc<[Finding]>) -> Option<Effect> {
        app.findings = Some(findings);
        app.rewrap_overlay();
        None
    }
}

impl App {
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
}
