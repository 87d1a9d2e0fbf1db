//! Findings of checks.

use std::fmt;

use crate::data::text::{count, shown};

/// How serious a finding is; the most serious first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A number is wrong or unreliable.
    Problem,
    /// Good to know; found in published files that are fine.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Problem => "problem",
            Severity::Note => "note",
        })
    }
}

/// One finding of a check. All text is safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name of the check.
    pub check: &'static str,
    /// How serious it is.
    pub severity: Severity,
    /// The file, model or truth it is about.
    pub subject: String,
    /// The fault, without the numbers of `detail`.
    pub found: String,
    /// Numbers as evidence.
    pub detail: Option<String>,
    /// The expected input; only if the study could not be opened.
    pub expected: Option<String>,
    /// Effect on the metrics.
    pub effect: Option<String>,
    /// The flag or command that fixes it.
    pub fix: Option<String>,
    /// Groups of ids of near-duplicates, largest first; empty for other findings.
    pub groups: Vec<Vec<String>>,
}

impl Finding {
    /// A fault that makes a number wrong.
    pub fn problem(subject: impl fmt::Display, found: impl fmt::Display) -> Self {
        Finding {
            check: "",
            severity: Severity::Problem,
            subject: shown(&subject.to_string()),
            found: shown(&found.to_string()),
            detail: None,
            expected: None,
            effect: None,
            fix: None,
            groups: Vec::new(),
        }
    }

    /// A finding of severity note: no number is wrong.
    pub fn note(subject: impl fmt::Display, found: impl fmt::Display) -> Self {
        Finding { severity: Severity::Note, ..Finding::problem(subject, found) }
    }

    /// Adds numbers as evidence.
    #[must_use]
    pub fn detail(mut self, detail: impl fmt::Display) -> Self {
        self.detail = Some(shown(&detail.to_string()));
        self
    }

    /// The fault and its numbers, as one text.
    pub fn found_with_detail(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{}: {detail}", self.found),
            None => self.found.clone(),
        }
    }

    /// Adds the effect on metrics.
    #[must_use]
    pub fn effect(mut self, effect: impl fmt::Display) -> Self {
        self.effect = Some(shown(&effect.to_string()));
        self
    }

    /// Adds the flag or command that fixes it.
    #[must_use]
    pub fn fix(mut self, fix: impl fmt::Display) -> Self {
        self.fix = Some(shown(&fix.to_string()));
        self
    }

    /// The lines that follow, as name and text: expected input, effect and fix, if known.
    pub fn advice(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [("expected", &self.expected), ("effect", &self.effect), ("fix", &self.fix)];
        all.into_iter().filter_map(|(what, text)| Some((what, text.as_deref()?)))
    }

    /// Sets the check's name.
    #[must_use]
    pub(super) fn with_check(self, check: &'static str) -> Self {
        Finding { check, ..self }
    }
}

/// Subject and fault, with effect and fix on lines below.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.found_with_detail())?;
        self.advice().try_for_each(|(what, text)| write!(f, "\n  {what}: {text}"))
    }
}

/// Text with the number of problems and notes: `1 problem, 2 notes`, or `nothing wrong` without any.
pub fn summary(problems: usize, notes: usize) -> String {
    let both = [(problems, "problem"), (notes, "note")].into_iter().filter(|(n, _)| *n > 0);
    let counts: Vec<String> = both.map(|(n, what)| count(n, what)).collect();
    if counts.is_empty() {
        return "nothing wrong".into();
    }
    counts.join(", ")
}
