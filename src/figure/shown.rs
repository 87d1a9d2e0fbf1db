//! What of a scene is left out on request: scores, ids, notes.

use super::scene::{FigureItem, Scene, Subject};
use super::sign::Sign;
use crate::data::text::score;
use crate::truth::standing::Badge;

/// What is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hidden {
    /// The models' scores.
    pub scores: bool,
    /// Ids and file names.
    pub ids: bool,
    /// Remarks on queries, and how these were chosen.
    pub notes: bool,
}

impl Scene {
    /// The scene without what is hidden.
    #[must_use]
    pub fn without(mut self, hidden: Hidden) -> Self {
        if hidden.notes {
            self.statements.clear();
        }
        for asked in &mut self.queries {
            asked.query.is_named = !hidden.ids;
            if hidden.notes {
                asked.note.clear();
            }
            for item in asked.rows.iter_mut().flat_map(|row| &mut row.items) {
                item.is_scored = !hidden.scores;
                item.subject.is_named = !hidden.ids;
            }
        }
        self
    }
}

impl FigureItem {
    /// Its score and what a person said of it, as far as they are shown; beside a verdict against an annotation what this
    /// says.
    pub fn numbers(&self) -> String {
        let score = self.is_scored.then(|| score(self.score));
        // What an annotation says otherwise is told beside it.
        let is_against = self.badge.is_positive() || self.badge == Badge::NotRelevant;
        let is_against = is_against && self.sign() != Sign::Standing(self.badge);
        let badge = is_against.then(|| format!(" ({})", self.badge.in_lists()));
        let badge = badge.unwrap_or_default();
        let verdict = self.verdict.map(|verdict| format!("{}{badge}", verdict.key()));
        let both: Vec<String> = score.into_iter().chain(verdict).collect();
        both.join(" ")
    }

    /// The same after its rank.
    pub fn with_rank(&self) -> String {
        let line = format!("{}. {}", self.rank, self.numbers());
        line.trim_end().to_owned()
    }
}

impl Subject {
    /// What it is, and its id where ids are shown.
    pub fn label(&self) -> String {
        let kind = if self.is_image { "image" } else { "caption" };
        if self.is_named { format!("{kind} {}", self.id) } else { kind.to_owned() }
    }

    /// What is read of it where no picture is seen: of an image the first caption written for it.
    pub fn words(&self) -> &str {
        self.own.first().unwrap_or(&self.text)
    }

    /// What a picture shows, in words: its name, where names are shown, and the first caption written for it.
    pub fn alt(&self) -> String {
        match self.own.first() {
            Some(caption) if self.is_image && self.is_named => format!("{}: {caption}", self.text),
            Some(caption) if self.is_image => caption.clone(),
            _ => self.text.clone(),
        }
    }
}
