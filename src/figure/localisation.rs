//! Predicted boxes of phrases with all that it takes to show them: on a picture, or in a figure.

use std::path::Path;
use std::sync::Arc;

use super::boxes::{Boxed, in_pages};
use super::{Options, page_height};
use crate::data::text::{grouped, shown};
use crate::error::Result;
use crate::phrase::Entities;
use crate::phrase::localisation::{
    Failure, Measured, Protocol, Rect, SortBy, TargetImage, Targets, failures, parts,
};
use crate::picture::{Folder, Source, Why};

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
    pub pictures: Option<&'a Arc<Folder>>,
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

    /// Some failures as a figure draws them.
    fn boxed(&self, failures: &[Failure<'_>]) -> Vec<Boxed> {
        failures.iter().map(|failure| self.one_boxed(failure)).collect()
    }

    fn one_boxed(&self, failure: &Failure<'_>) -> Boxed {
        let image = self.image(failure);
        let [before, words, after] = self.parts(failure);
        let none = if failure.outcome.first.is_none() { ", no box" } else { "" };
        let model = match self.models {
            [_] => String::new(),
            _ => format!("{}: ", failure.model.name),
        };
        let edges = |rect| self.shares(failure, rect).map(|edge| edge as f32);
        Boxed {
            // It is looked for when it is drawn.
            picture: Err(Why::Missing),
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
            file_names: some.iter().map(|one| self.image(one).file_name.clone()).collect(),
            all: self.boxed(some),
            folder: self.pictures.cloned(),
        }
    }
}

/// Pictures with boxes for a file.
#[derive(Debug, Clone)]
pub struct BoxedFigure {
    title: String,
    note: String,
    all: Vec<Boxed>,
    /// The names of their files, in the same order, and where these are.
    file_names: Vec<String>,
    folder: Option<Arc<Folder>>,
}

impl BoxedFigure {
    /// How many pictures there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Looks for the pictures, which walks their folder; gives how many are missing.
    fn find_pictures(&mut self) -> usize {
        for (one, name) in self.all.iter_mut().zip(&self.file_names) {
            let found = self.folder.as_ref().and_then(|folder| folder.find(name));
            one.picture = found.map(Source::File).ok_or(Why::Missing);
        }
        self.all.iter().filter(|one| one.picture.is_err()).count()
    }

    /// Writes it to a file, on as many pages as it takes; gives how many pictures are missing, and what could not be
    /// shown as it is, a line each.
    ///
    /// # Errors
    /// A font that the system lacks, several pages of a format that has one, a file that cannot be written.
    pub fn write(mut self, file: &Path) -> Result<(usize, Vec<String>)> {
        let missing = self.find_pictures();
        let most = page_height(1);
        let pages = in_pages(&self.title, &self.note, &self.all, &Options::default(), most)?;
        Ok((missing, super::draw_pages(&pages, file)?))
    }
}
