//! Predicted boxes of phrases with all that it takes to show them: on a picture, or in a figure.

use std::sync::Arc;

use super::boxes::{Boxed, BoxedFigure};
use crate::data::text::{grouped, shown};
use crate::phrase::Entities;
use crate::phrase::localisation::{Failure, Measured, Protocol, SortBy, Targets, failures, parts};
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

    fn boxed(&self, failure: &Failure<'_>) -> Boxed {
        let image = &self.targets.images[failure.target.image];
        let [before, words, after] = parts(self.entities, self.targets, failure.target);
        let none = if failure.outcome.first.is_none() { ", no box" } else { "" };
        let model = match self.models {
            [_] => String::new(),
            _ => format!("{}: ", failure.model.name),
        };
        let [width, height] = [image.size.0, image.size.1].map(|side| f64::from(side.max(1)));
        // Pixels are counted from 1, and the last is part of the box.
        let edges = |Rect([x1, y1, x2, y2]): Rect| {
            let shares = [(x1 - 1.0) / width, (y1 - 1.0) / height, x2 / width, y2 / height];
            shares.map(|edge| edge as f32)
        };
        Boxed {
            file_name: image.file_name.clone(),
            proportion: (width / height) as f32,
            words: [
                shown(&format!("{before}[{words}]{after}")),
                format!(
                    "{model}{}, IoU {:.2}{none}, image {}",
                    failure.target.types.names(),
                    failure.outcome.best[0],
                    image.id
                ),
            ],
            truths: self
                .protocol
                .truth(&self.targets.chain(failure.target).boxes)
                .into_iter()
                .map(edges)
                .collect(),
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
