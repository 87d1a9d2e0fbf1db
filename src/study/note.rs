//! What is said of the inputs.

use crate::data::text::brief;

/// One line about an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line.
    pub text: String,
    /// Whether it is something to look at: ids that were not found, a file not used.
    pub warning: bool,
    /// What it is about.
    pub topic: Topic,
}

/// What a [`Note`] is about, so that who knows more of it need not say it twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// How a file was understood.
    File,
    /// That the original pairing is assumed.
    Assumed,
    /// That a matrix has its captions first, as its scores alone say.
    Orientation,
    /// That embeddings differ in length, and scores are their dot products.
    Lengths,
    /// A truth without any positive in a direction.
    NoPositive,
    /// Ids of a truth that the gallery lacks: [`crate::truth::Truth::unresolved`] has them.
    MissingIds,
}

/// The longest note: names and ids of files have any length.
const LONGEST: usize = 4_096;

impl Note {
    /// A line about what was understood.
    pub fn fine(text: String) -> Self {
        Note { text: brief(text, LONGEST), warning: false, topic: Topic::File }
    }

    pub(super) fn warning(text: String) -> Self {
        Note { text: brief(text, LONGEST), warning: true, topic: Topic::File }
    }

    pub(super) fn about(topic: Topic, text: String) -> Self {
        Note { topic, ..Note::warning(text) }
    }

    /// Whether numbers may be others than somebody expects who was not told: what was assumed, what was left out. Ids that the
    /// gallery lacks are told by the quick checks, where they change numbers.
    pub fn is_to_be_heeded(&self) -> bool {
        self.warning && self.topic != Topic::MissingIds
    }
}
