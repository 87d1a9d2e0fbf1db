//! What a person says of a pair when asked: a verdict, or that it cannot be told.

use std::fmt;

use super::verdict::Verdict;
use crate::data::text::grouped;

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

/// How many answers there are, in words: verdicts, and pairs of which it could not be told where there are any.
pub fn counted(verdicts: usize, cant_tell: usize) -> String {
    let noun = if verdicts == 1 { "verdict" } else { "verdicts" };
    let told = format!("{} {noun}", grouped(verdicts));
    match cant_tell {
        0 => told,
        count => format!("{told}, {} can't tell", grouped(count)),
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn answers_are_counted_the_same_everywhere() {
        assert_eq!(counted(1, 0), "1 verdict");
        assert_eq!(counted(1234, 0), "1,234 verdicts");
        assert_eq!(counted(41, 9), "41 verdicts, 9 can't tell");
        assert_eq!(counted(0, 1), "0 verdicts, 1 can't tell");
    }
}
