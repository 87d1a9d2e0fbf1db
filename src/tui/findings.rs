//! What the doctor found, as the explorer's state.

use std::sync::Arc;

use super::app::{App, Numbers};
use super::backend::AppJob;
use crate::doctor::{Finding, Severity};
use crate::engine::{Checking, Wanted};

/// The doctor comes when the models of the files are counted, and stays when dials are turned.
impl AppJob for Checking {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let mut of_files = app.numbers.iter().take(app.base.models.len());
        let is_time =
            app.findings.is_none() && of_files.all(|numbers| !matches!(numbers, Numbers::Waiting));
        is_time.then(|| Wanted::one((), || app.base.clone()))
    }

    /// A sheet that is open shows the findings at once.
    fn take(app: &mut App, (): (), findings: Arc<[Finding]>) {
        app.findings = Some(findings);
        app.refresh_popup();
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
