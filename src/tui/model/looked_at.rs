//! What is looked at, and the one path on which it changes.

use std::sync::Arc;

use super::Model;
use super::numbers::Numbers;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::jobs::{Scored, Stamp};
use crate::study::{Study, View};
use crate::truth::{Truth, rule};

impl View {
    /// The first model under the richest truth.
    pub fn first(study: &Study) -> Self {
        let truth = study.richest().unwrap_or_default();
        let directions = study.truths.get(truth.get()).map(directions).unwrap_or_default();
        let direction = directions.first().copied().unwrap_or(Direction::I2t);
        View { model: ModelIx::default(), truth, direction }
    }
}

impl Model {
    /// The numbers of the model, truth and direction looked at.
    pub fn scored(&self) -> Option<&Scored> {
        self.scored_by(self.view.truth)
    }

    /// The numbers of the model and direction looked at, under another truth, with verdicts.
    pub fn scored_by(&self, truth: TruthIx) -> Option<&Scored> {
        self.scored_at(View { truth, ..self.view })
    }

    /// The numbers of a view, with verdicts: of what is looked at, or of any view on a screen that shows
    /// all.
    pub fn scored_at(&self, view: View) -> Option<&Scored> {
        let judged = self.judged_at(view).map(Arc::as_ref);
        judged.or_else(|| self.counted_at(view))
    }

    /// The same without verdicts.
    pub fn counted_by(&self, truth: TruthIx) -> Option<&Scored> {
        self.counted_at(View { truth, ..self.view })
    }

    /// The numbers of a view without verdicts.
    pub fn counted_at(&self, view: View) -> Option<&Scored> {
        match &self.numbers[view.model] {
            Numbers::Ready(scores) | Numbers::Stale(scores) if !self.is_turning(view) => {
                scores.get(view.truth, view.direction)
            }
            _ => None,
        }
    }

    /// Whether dials are turned that make other numbers of a view: those at hand are of what they stood at before.
    pub(in crate::tui::model) fn is_turning(&self, view: View) -> bool {
        let is_mixture = view.model.get() >= self.base.models.len();
        self.is_rejudged(view.truth) || is_mixture && self.dials.mix != self.study_dials.mix
    }

    /// Whether dials are turned that make other queries or positives of a truth.
    pub(in crate::tui) fn is_rejudged(&self, truth: TruthIx) -> bool {
        let (to, from) = (self.dials, self.study_dials);
        let rule = rule::named(&self.study.truths[truth].name);
        to.pool != from.pool
            || rule.is_some_and(|rule| to.numbers[rule.name()] != from.numbers[rule.name()])
    }

    /// Shows the texts that the model looked at was given; whether those are others than before.
    pub(in crate::tui::model) fn show_texts_of_model(&mut self) -> bool {
        let Some(study) = self.study.with_texts_of(self.view.model) else {
            return false;
        };
        self.study = Arc::new(study);
        self.known.study_stamp = Stamp::fresh();
        self.known.error_analysis.texts = None;
        self.search.forget_results();
        true
    }

    pub(in crate::tui) fn flip_direction(&mut self) {
        let flipped = self.view.direction.flipped();
        if self.truth().relevance[flipped].is_some() {
            self.change(|facts| facts.view.direction = flipped);
        } else {
            let others = self.study.truths.iter();
            let others = others.filter(|truth| truth.relevance[flipped].is_some());
            let names: Vec<&str> = others.map(|truth| truth.name.as_str()).collect();
            let others = match names.as_slice() {
                [] => String::new(),
                [one] => format!("; {one} has one"),
                several => format!("; {} have", several.join(", ")),
            };
            self.message =
                Some(format!("ground truth {} has no {flipped} list{others}", self.truth().name));
        }
    }

    pub(in crate::tui) fn step_truth(&mut self, by: isize) {
        let direction = self.view.direction;
        let usable: Vec<TruthIx> = TruthIx::all(&self.study.truths)
            .filter(|&truth| self.study.truths[truth].relevance[direction].is_some())
            .collect();
        let Some(to) = stepped(&usable, self.view.truth, by) else {
            self.message = Some(match self.study.truths.len() {
                1 => "no other ground truth is loaded".into(),
                _ => format!("no other ground truth judges queries in {direction}"),
            });
            return;
        };
        self.change(|facts| facts.view.truth = to);
    }

    pub(in crate::tui) fn step_model(&mut self, by: isize) {
        let usable: Vec<ModelIx> = ModelIx::all(&self.numbers)
            .filter(|&model| !matches!(self.numbers[model], Numbers::Failed(_)))
            .collect();
        match stepped(&usable, self.view.model, by) {
            Some(to) => drop(self.change(|facts| facts.view.model = to)),
            None => self.message = Some("no other model is loaded".into()),
        }
    }
}

/// The directions a truth can be looked at in, captions as queries first: there the extra positives are
/// most.
fn directions(truth: &Truth) -> Vec<Direction> {
    let both = [Direction::T2i, Direction::I2t];
    both.into_iter().filter(|&direction| truth.relevance[direction].is_some()).collect()
}

/// The entry of `usable` that is `by` steps from `from`, counted round; `None` if that is `from`.
fn stepped<T: Copy + PartialEq>(usable: &[T], from: T, by: isize) -> Option<T> {
    let at = usable.iter().position(|&entry| entry == from).map_or(0, |at| at as isize + by);
    let to = *usable.get(at.rem_euclid(usable.len().max(1) as isize) as usize)?;
    (to != from).then_some(to)
}
