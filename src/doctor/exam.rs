//! Measurements shared by all checks.

use std::sync::{Arc, OnceLock};

use super::inputs;
use super::sample::Sample;
use crate::data::scores::{Model, ScoreMatrix, Scores};
use crate::data::{Direction, PerDirection};
use crate::study::Study;
use crate::truth::{Kind, Truth};

/// A study and its measurements.
pub struct Exam<'a> {
    pub(super) study: &'a Study,
    pub(super) depth: Depth,
    pub(super) matrix_files: Vec<MatrixFile<'a>>,
    same_text: OnceLock<Option<Vec<u32>>>,
    samples: Vec<PerDirection<Option<Sample>>>,
}

/// How much of the scores an [`Exam`] reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// A few queries, of one direction if that suffices: a few milliseconds.
    Quick,
    /// Every cell, and some queries of both directions.
    Whole,
}

impl Depth {
    /// Maximum number of sampled queries of a model and direction.
    pub(super) fn max_queries(self) -> usize {
        match self {
            Depth::Whole => 500,
            Depth::Quick => 256,
        }
    }
}

/// A matrix in a file.
pub(super) struct MatrixFile<'a> {
    pub model: &'a Model,
    pub matrix: &'a ScoreMatrix,
    /// The value of cells without a score; `None` if every cell is a score.
    pub fill: Option<f64>,
}

impl<'a> Exam<'a> {
    /// Reads the scores of a study to the given depth.
    pub fn new(study: &'a Study, depth: Depth) -> Self {
        let mut exam = Exam {
            study,
            depth,
            matrix_files: study.models.iter().flat_map(matrix_files).collect(),
            same_text: OnceLock::new(),
            samples: Vec::new(),
        };
        let sample = |model| {
            let is_sampled = |direction| exam.is_sampled(model, direction);
            PerDirection::from_fn(|d| is_sampled(d).then(|| Sample::new(&exam, model, d)).flatten())
        };
        exam.samples = study.models.iter().map(sample).collect();
        exam
    }

    /// For each caption, the gallery index of the first one with an equal text; `None` if no caption has a text.
    pub(super) fn same_text(&self) -> Option<&[u32]> {
        self.same_text.get_or_init(|| inputs::number_texts(&self.study.gallery.texts)).as_deref()
    }

    /// Whether queries of a direction are sampled. A few images show whether a matrix is in order; captions are
    /// scattered in most files and take far longer to read.
    fn is_sampled(&self, model: &Model, direction: Direction) -> bool {
        let covers = |d: Direction| self.truth().is_none_or(|truth| truth.relevance[d].is_some());
        self.depth == Depth::Whole
            || direction == Direction::I2t
            || matches!(model.scores, Scores::Two(_) | Scores::Lists(_))
            || !covers(Direction::I2t)
    }

    /// Each model with its samples; `None` for a direction that is not sampled or has no queries.
    pub(super) fn samples(
        &self,
    ) -> impl Iterator<Item = (&'a Model, &PerDirection<Option<Sample>>)> {
        self.study.models.iter().zip(&self.samples)
    }

    /// The truth whose positives should score high: the original, else the first annotated one; `None` if all truths
    /// are by a rule or a similarity.
    pub(super) fn truth(&self) -> Option<&'a Truth> {
        let is_annotated = |truth: &&Truth| truth.kind <= Kind::Rich;
        self.study.truths.iter().find(is_annotated)
    }
}

/// The matrices of a model; one for both directions is listed once. Empty for scores in another form.
fn matrix_files(model: &Model) -> Vec<MatrixFile<'_>> {
    let file = |matrix, fill| MatrixFile { model, matrix, fill };
    match &model.scores {
        Scores::Matrix(matrix) => vec![file(matrix, None)],
        Scores::Two(sides) => {
            let [i2t, t2i] = [&sides.i2t, &sides.t2i];
            if Arc::ptr_eq(i2t.matrix.npy().source(), t2i.matrix.npy().source()) {
                return vec![file(&i2t.matrix, i2t.fill)];
            }
            vec![file(&i2t.matrix, i2t.fill), file(&t2i.matrix, t2i.fill)]
        }
        // Mixtures have files too, but these are models of their own.
        _ => Vec::new(),
    }
}

impl MatrixFile<'_> {
    /// Its path, for messages.
    pub fn path(&self) -> String {
        self.matrix.npy().source().display()
    }

    /// Its path and model, for the subject of a finding.
    pub fn subject(&self) -> String {
        format!("{} (model {})", self.path(), self.model.name)
    }
}
