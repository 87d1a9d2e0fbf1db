//! What the doctor found, as the explorer's state.

use std::sync::Arc;

use super::Model;
use super::dirty::Dirty;
use super::job::ModelJob;
use super::numbers::Numbers;
use crate::doctor::{Finding, Severity, title};
use crate::engine::{Checking, Wanted};

/// The doctor comes when the models of the files are counted, and stays when dials are turned.
impl ModelJob for Checking {
    fn wanted(model: &Model) -> Option<Wanted<'_, Self>> {
        let mut of_files = model.numbers.iter().take(model.base.models.len());
        let is_time = !model.known.is_examined
            && of_files.all(|numbers| !matches!(numbers, Numbers::Waiting));
        is_time.then(|| Wanted::one((), || model.base.clone()))
    }

    /// A sheet that is open shows the findings at once.
    fn take(model: &mut Model, (): (), (findings, is_examined): (Arc<[Finding]>, bool)) {
        model.known.findings = Some(findings);
        model.known.is_examined = is_examined;
        model.dirty |= Dirty::POPUP;
    }
}

impl Model {
    /// The first problem in two or three words, and how many more there are.
    pub fn problem(&self) -> Option<String> {
        let findings = self.known.findings.as_deref()?;
        let mut problems = findings.iter().filter(|finding| finding.severity == Severity::Problem);
        let first = title(problems.next()?);
        Some(match problems.count() {
            0 => first.into(),
            more => format!("{first}, {more} more"),
        })
    }

    /// Numbers of problems and of notes: the doctor's, or until it has looked, what was remarked
    /// while the files were read.
    pub fn remarks(&self) -> [usize; 2] {
        let Some(findings) = &self.known.findings else {
            let notes = self.study.notes.iter();
            return [0, notes.filter(|note| note.warning).count()];
        };
        [Severity::Problem, Severity::Note]
            .map(|severity| findings.iter().filter(|f| f.severity == severity).count())
    }
}
