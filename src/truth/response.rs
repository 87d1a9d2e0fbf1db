//! What a person says of a pair when asked: a verdict, or that it cannot be told.

use std::fmt;

use super::verdict::Verdict;

/// What a person says of a pair when asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Response {
    /// A verdict: it counts.
    Verdict(Verdict),
    /// It cannot be told: nothing that counts, but the pair is not asked again.
    CantTell,
}

impl Response {
    /// The verdict, if it is one.
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Response::Verdict(verdict) => Some(verdict),
            Response::CantTell => None,
        }
    }

    /// Its word on screen.
    pub fn key(self) -> &'static str {
        self.verdict().map_or("can't tell", Verdict::key)
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}
