//! What an expression needs to be known, and who tells it.

use super::user_marks::UserMarks;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::words::Texts;
use crate::rank::edited::Edited;
use crate::rank::hubs::OfModel;
use crate::study::{Study, View};
use crate::truth::Truth;

/// What an expression needs to be known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// The views whose ranks, each once.
    pub views: Vec<View>,
    /// The models whose first items, each once.
    pub top_k: Vec<ModelIx>,
    /// Whether captions as words.
    pub texts: bool,
}

/// Ranks that a value is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RanksOf {
    /// Place of their view among those that are needed.
    pub view: usize,
    /// Whether they are as loaded even where verdicts are laid over their truth.
    pub as_loaded: bool,
}

impl RanksOf {
    /// The ranks of a view as they are looked at.
    pub fn view(view: usize) -> Self {
        RanksOf { view, as_loaded: false }
    }
}

impl Needs {
    /// What either of two expressions needs.
    #[must_use]
    pub fn and(mut self, other: &Needs) -> Self {
        for &view in &other.views {
            self.view(view);
        }
        for &model in &other.top_k {
            self.head(model);
        }
        self.texts |= other.texts;
        self
    }

    /// Adds a view; gives its place.
    pub(super) fn view(&mut self, view: View) -> usize {
        let known = self.views.iter().position(|other| *other == view);
        known.unwrap_or_else(|| {
            self.views.push(view);
            self.views.len() - 1
        })
    }

    /// Adds a model's first items.
    pub(super) fn head(&mut self, model: ModelIx) {
        if !self.top_k.contains(&model) {
            self.top_k.push(model);
        }
    }
}

impl From<View> for Needs {
    fn from(view: View) -> Self {
        Needs { views: vec![view], ..Needs::default() }
    }
}

/// What an expression needs and nobody knows (yet).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The ranks of this view.
    Ranks(View),
    /// The first items of this model.
    TopK(ModelIx),
    /// Captions as words.
    Texts,
}

/// What an expression looks up when it is evaluated.
pub trait Facts: Sync {
    /// The study that the expression was parsed for.
    fn study(&self) -> &Study;

    /// A truth of the study, perhaps as a person changed it.
    fn truth(&self, truth: TruthIx) -> &Truth {
        &self.study().truths[truth]
    }

    /// The ranks of a view; `None` where they are not counted (yet).
    fn ranks(&self, view: View) -> Option<&Edited>;

    /// What a model retrieves first; `None` where that is not known (yet).
    fn top_k(&self, _model: ModelIx) -> Option<&OfModel> {
        None
    }

    /// The captions as words; `None` where these are not known (yet).
    fn texts(&self) -> Option<&Texts> {
        None
    }

    /// What a person made of the queries asked; `None` where that is nothing.
    fn user_marks(&self) -> Option<&UserMarks> {
        None
    }
}
