//! What a check found.

use std::fmt;

use crate::data::text::{count, shown};

/// How bad a finding is; the worse comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A number is wrong, or not to be believed.
    Problem,
    /// Good to know; found in published files that are in order.
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

/// One thing that a check found. All text is safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name of the check.
    pub check: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The file, model or truth it is about.
    pub subject: String,
    /// The fault, without numbers where `detail` has them.
    pub found: String,
    /// The numbers that show it.
    pub detail: Option<String>,
    /// What was expected instead, where the study could not be opened.
    pub expected: Option<String>,
    /// What it does to numbers.
    pub effect: Option<String>,
    /// The flag or command that mends it.
    pub mend: Option<String>,
    /// Ids of what is nearly the same, the largest groups first.
    pub groups: Vec<Vec<String>>,
}

impl Finding {
    /// Something that makes a number wrong.
    pub fn problem(subject: impl fmt::Display, found: impl fmt::Display) -> Self {
        Finding {
            check: "",
            severity: Severity::Problem,
            subject: shown(&subject.to_string()),
            found: shown(&found.to_string()),
            detail: None,
            expected: None,
            effect: None,
            mend: None,
            groups: Vec::new(),
        }
    }

    /// A finding of severity note: no number is wrong by it.
    pub fn note(subject: impl fmt::Display, found: impl fmt::Display) -> Self {
        Finding { severity: Severity::Note, ..Finding::problem(subject, found) }
    }

    /// Adds the numbers that show it.
    #[must_use]
    pub fn detail(mut self, detail: impl fmt::Display) -> Self {
        self.detail = Some(shown(&detail.to_string()));
        self
    }

    /// The fault and the numbers that show it.
    pub fn in_full(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{}: {detail}", self.found),
            None => self.found.clone(),
        }
    }

    /// Adds what it does to numbers.
    #[must_use]
    pub fn effect(mut self, effect: impl fmt::Display) -> Self {
        self.effect = Some(shown(&effect.to_string()));
        self
    }

    /// Adds the flag or command that fixes it.
    #[must_use]
    pub fn mend(mut self, mend: impl fmt::Display) -> Self {
        self.mend = Some(shown(&mend.to_string()));
        self
    }

    /// What else is said: names and texts.
    pub fn rest(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [("expected", &self.expected), ("effect", &self.effect), ("fix", &self.mend)];
        all.into_iter().filter_map(|(what, said)| Some((what, said.as_deref()?)))
    }

    /// Says which check it is from.
    #[must_use]
    pub(super) fn of(self, check: &'static str) -> Self {
        Finding { check, ..self }
    }
}

/// The subject and what was found, with effect and fix on lines below.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.in_full())?;
        self.rest().try_for_each(|(what, text)| write!(f, "\n  {what}: {text}"))
    }
}

/// `1 problem, 2 notes`; `nothing wrong` without any.
pub fn counted(problems: usize, notes: usize) -> String {
    let both = [(problems, "problem"), (notes, "note")].into_iter().filter(|(n, _)| *n > 0);
    let told: Vec<String> = both.map(|(n, what)| count(n, what)).collect();
    if told.is_empty() {
        return "nothing wrong".into();
    }
    told.join(", ")
}
