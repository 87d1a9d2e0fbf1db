//! The candidate pool that numbers are of, said by every report alike.

use serde_json::json;

use super::Report;
use crate::data::index::ModelIx;
use crate::study::{Pool, Study};

impl Report<'_> {
    /// Names the pool, unless it is the whole gallery, and warns where it favours one of several `models`.
    #[must_use]
    pub fn among(self, study: &Study, pool: Pool, models: &[ModelIx]) -> Self {
        let name = study.pool_name(pool);
        let mut named = self.with_json("pool", json!(name));
        if pool != Pool::All {
            named.add_note(format!("candidate pool: {name}"));
        }
        named.warned(study.pool_caveats(&[pool], models))
    }

    /// Adds warnings to the notes of all formats.
    #[must_use]
    pub fn warned(self, lines: Vec<String>) -> Self {
        if lines.is_empty() {
            return self;
        }
        let mut warned = self.with_json("warnings", json!(lines));
        for line in lines {
            warned.add_note(format!("warning: {line}"));
        }
        warned
    }

    fn add_note(&mut self, note: String) {
        self.notes.push(note);
        self.essential += 1;
    }
}
