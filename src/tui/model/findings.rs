//! What the doctor found, as the explorer's state.

use super::Model;
use crate::doctor::{Severity, title};

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
