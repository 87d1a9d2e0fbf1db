//! Models side by side: tests, flips and similarity, in every format.

mod data;
pub(super) mod sheets;

use crate::analysis::bootstrap::Draws;
use crate::analysis::compare::{Family, Row};
use crate::analysis::similarity::Similarity;
use crate::study::{Pool, Study};

/// Everything that was compared.
#[derive(Debug)]
pub struct Compared<'a> {
    /// Names of models and truths.
    pub study: &'a Study,
    /// Who competed.
    pub pool: Pool,
    /// What was drawn.
    pub draws: Draws,
    /// Whether captions of one image were drawn together.
    pub by_image: bool,
    /// What p-values are corrected over.
    pub family: Family,
    /// The tests.
    pub rows: &'a [Row],
    /// How alike each two models rank, by their indices.
    pub similarities: &'a [([usize; 2], Similarity)],
}

/// A way of writing a [`Compared`].
type Write = fn(&Compared<'_>) -> String;

/// Every format, by the word after `--format`.
pub const FORMATS: &[(&str, Write)] = &[
    ("table", sheets::text),
    ("json", data::json),
    ("csv", data::csv),
    ("markdown", sheets::markdown),
    ("latex", sheets::latex),
];

impl Compared<'_> {
    /// The names of two models.
    fn names(&self, models: [usize; 2]) -> [&str; 2] {
        models.map(|model| self.study.models[model].name.as_str())
    }

    /// Each two models, in the order of their rows.
    fn pairs(&self) -> Vec<[usize; 2]> {
        let mut pairs: Vec<[usize; 2]> = self.rows.iter().map(|row| row.models).collect();
        pairs.dedup();
        pairs
    }
}
