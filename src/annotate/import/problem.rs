//! What is wrong with an answer.

/// Where an answer stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, by its place among those that were read.
    pub file: usize,
    /// Which of its answers, lines, tasks or records, from 1.
    pub nth: usize,
}

/// What kind of trouble an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// It cannot be read as an answer.
    Broken,
    /// The same person gave the same answer to the same question before: it counts once.
    Duplicate,
    /// The same person gave another answer to the same pair: the latest counts.
    Contradictory,
    /// Nobody asked for it.
    Foreign,
}

impl Trouble {
    /// Each kind.
    pub const ALL: [Trouble; 4] =
        [Trouble::Broken, Trouble::Duplicate, Trouble::Contradictory, Trouble::Foreign];

    /// Its word in reports.
    pub fn key(self) -> &'static str {
        match self {
            Trouble::Broken => "broken",
            Trouble::Duplicate => "duplicate",
            Trouble::Contradictory => "contradictory",
            Trouble::Foreign => "foreign",
        }
    }
}

/// An answer that does not count, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind.
    pub trouble: Trouble,
    /// Where it stands.
    pub place: Place,
    /// What was found.
    pub found: String,
}

impl Problem {
    pub(super) fn broken(place: Place, found: String) -> Self {
        Problem { trouble: Trouble::Broken, place, found }
    }
}
