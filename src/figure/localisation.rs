//! Predicted boxes of phrases with all that it takes to show them: on a picture, or in a figure.

use std::sync::Arc;

use super::boxes::{Boxed, BoxedFigure};
use crate::data::text::{grouped, shown};
use crate::phrase::Entities;
use crate::phrase::localisation::{
    Failure, Measured, Protocol, SortBy, TargetImage, Targets, failures, parts,
};
use crate::phrase::rect::Rect;
use crate::picture::ImageFiles;

/// What models predict, held against what is true.
#[derive(Debug, Clone, Copy)]
pub struct Localisation<'a> {
    /// The sentences.
    pub entities: &'a Entities,
    /// The phrases that have a box.
    pub targets: &'a Targets,
    /// How it was measured.
    pub protocol: &'a Protocol,
    /// The models.
    pub models: &'a [Measured],
    /// Where pictures are.
    pub pictures: Option<&'a Arc<ImageFiles>>,
}

impl<'a> Localisation<'a> {
    /// The phrases whose first box is no hit, of all models.
    pub fn failures(&self, by: SortBy) -> Vec<Failure<'a>> {
        failures(self.targets, self.models, by)
    }

    /// The number of predictions.
    pub fn predictions(&self) -> usize {
        self.targets.phrases.len() * self.models.len()
    }

    /// The image of a failure.
    pub fn image(&self, failure: &Failure<'_>) -> &'a TargetImage {
        &self.targets.images[failure.target.image]
    }

    /// The sentence in three: before the phrase, the phrase, after it.
    pub fn parts(&self, failure: &Failure<'_>) -> [&'a str; 3] {
        parts(self.entities, self.targets, failure.target)
    }

    /// What a box has to cover to be a hit, by the protocol.
    pub fn truth(&self, failure: &Failure<'_>) -> Vec<Rect> {
        self.protocol.truth(&self.targets.chain(failure.target).boxes)
    }

    /// The edges of a box as shares of a failure's picture: pixels are counted from 1, and the last is part of the
    /// box.
    pub fn shares(&self, failure: &Failure<'_>, rect: Rect) -> [f64; 4] {
        let (width, height) = self.image(failure).size;
        let [width, height] = [width, height].map(|side| f64::from(side.max(1)));
        let [x1, y1, x2, y2] = rect.0;
        [(x1 - 1.0) / width, (y1 - 1.0) / height, x2 / width, y2 / height]
    }

    fn boxed(&self, failure: &Failure<'_>) -> Boxed {
        let image = self.image(failure);
        let [before, words, after] = self.parts(failure);
        let none = if failure.outcome.first.is_none() { ", no box" } else { "" };
        let model = match self.models {
            [_] => String::new(),
            _ => format!("{}: ", failure.model.name),
        };
        let edges = |rect| self.shares(failure, rect).map(|edge| edge as f32);
        Boxed {
            file_name: image.file_name.clone(),
            proportion: image.size.0.max(1) as f32 / image.size.1.max(1) as f32,
            words: [
                shown(&format!("{before}[{words}]{after}")),
                format!(
                    "{model}{}, IoU {:.2}{none}, image {}",
                    failure.target.types.names(),
                    failure.outcome.best[0],
                    image.id
                ),
            ],
            truths: self.truth(failure).into_iter().map(edges).collect(),
            predicted: failure.outcome.first.map(edges),
        }
    }

    /// A figure of some failures, of so many.
    pub fn figure(&self, some: &[Failure<'_>], of: usize, by: SortBy) -> BoxedFigure {
        let note = format!(
            "{} of {} predictions fail under the protocol {}; sorted by {}.",
            grouped(of),
            grouped(self.predictions()),
            self.protocol.key,
            by.words()
        );
        BoxedFigure {
            title: format!(
                "Phrases whose first box is no hit: {} of {}",
                grouped(some.len()),
                grouped(of)
            ),
            note,
            all: some.iter().map(|failure| self.boxed(failure)).collect(),
            files: self.pictures.cloned(),
        }
    }
}
