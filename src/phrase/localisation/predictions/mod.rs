//! Predicted boxes of phrases, from files.

mod problem;
mod record;

pub use problem::{Mistake, Problems};

use super::protocol::Protocol;
use super::targets::Targets;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::phrase::rect::Rect;
use record::{About, Record, Scored};

/// The boxes that a model predicts for a phrase.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prediction {
    /// Best first.
    pub boxes: Vec<Rect>,
    /// The score of the first; `None` if the file has none.
    pub score: Option<f64>,
}

/// Predictions of a model for phrases of a split.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// The name of the model: that of its file.
    pub name: String,
    /// Its file.
    pub source: String,
    /// By index of the phrase; `None` if it has no prediction.
    pub of: Vec<Option<Prediction>>,
    /// Its problems, counted.
    pub problems: Problems,
}

impl Predictions {
    /// Reads a file; with `is_xywh` a box is its upper left corner, its width and its height.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(
        source: &Source,
        targets: &Targets,
        is_xywh: bool,
        protocol: &Protocol,
    ) -> Result<Self> {
        let mut read = Predictions {
            name: source.stem(),
            source: source.display(),
            of: vec![None; targets.phrases.len()],
            problems: Problems::default(),
        };
        for record in record::records(source)? {
            read.take(&record, targets, is_xywh, protocol);
        }
        read.check_pixels(targets);
        read.count_misses(targets);
        Ok(read)
    }

    /// Its problems, a message for each kind.
    pub fn messages(&self) -> Vec<Error> {
        self.problems.messages(&self.source)
    }

    /// Assigns a record's boxes to their phrases.
    fn take(&mut self, record: &Record, targets: &Targets, is_xywh: bool, protocol: &Protocol) {
        let Record { image: id, sentence, about, lists } = record;
        let Some(image) = targets.image(id) else {
            return self.problems.add(problem::UNKNOWN_IMAGE, id);
        };
        let place = format!("image {id}, sentence {sentence}");
        let Some(range) = targets.of_sentence(image, *sentence) else {
            return self.problems.add(problem::UNKNOWN_SENTENCE, place);
        };
        let is_about = |at: &usize| {
            let target = &targets.phrases[*at];
            match *about {
                About::Sentence => true,
                About::Phrase(phrase) => target.phrase == phrase,
                About::Chain(chain) => targets.chain(target).chain.0 == chain,
            }
        };
        let places: Vec<usize> = range.filter(is_about).collect();
        if *about != About::Sentence && places.is_empty() {
            return self.problems.add(problem::UNKNOWN_PHRASE, place);
        }
        if *about == About::Sentence && lists.len() != places.len() {
            let counts = format!("{place}, {} for {}", lists.len(), places.len());
            return self.problems.add(problem::OTHER_NUMBER, counts);
        }
        // The one list of a chain applies to each of its phrases.
        for (place, list) in places.into_iter().zip(lists.iter().cycle()) {
            let named = || targets.named(&targets.phrases[place]);
            if self.of[place].is_some() {
                self.problems.add(problem::TWICE, named());
                continue;
            }
            let rect = |(edges, _): &Scored| {
                if is_xywh { Rect::of_sides(*edges, protocol.extent) } else { Rect(*edges) }
            };
            let boxes = list.iter().take(protocol.most.unwrap_or(usize::MAX)).map(rect);
            let boxes: Vec<Rect> = boxes.collect();
            for rect in boxes.iter().filter(|rect| !rect.is_sound()) {
                self.problems.add(problem::NO_BOX, format!("{}, {:?}", named(), rect.0));
            }
            let score = list.first().and_then(|(_, score)| *score);
            self.of[place] = Some(Prediction { boxes, score });
        }
    }

    /// Counts boxes that are not in pixels.
    fn check_pixels(&mut self, targets: &Targets) {
        let each = targets.phrases.iter().zip(&self.of);
        let boxes = each.flat_map(|(target, of)| {
            let boxes = of.iter().flat_map(|of| &of.boxes).filter(|rect| rect.is_sound());
            boxes.map(move |rect| (target, rect.0))
        });
        let is_small = |(_, edges): (_, [f64; 4])| edges.iter().all(|edge| edge.abs() <= ONE_PIXEL);
        let is_normalised = boxes.clone().all(is_small);
        for (target, [_, _, right, bottom]) in boxes {
            let (width, height) = targets.images[target.image].size;
            let is_beyond = |edge: f64, side: u32| side > 0 && edge > f64::from(side) * BEYOND;
            if is_normalised {
                self.problems.add(problem::NORMALISED, targets.named(target));
            }
            if is_beyond(right, width) || is_beyond(bottom, height) {
                self.problems.add(problem::BEYOND, targets.named(target));
            }
        }
    }

    /// Counts phrases without boxes.
    fn count_misses(&mut self, targets: &Targets) {
        for (target, prediction) in targets.phrases.iter().zip(&self.of) {
            let mistake = match prediction {
                None => problem::MISSING,
                Some(of) if of.boxes.is_empty() => problem::EMPTY,
                Some(_) => continue,
            };
            self.problems.add(mistake, targets.named(target));
        }
    }
}

/// No edge of a normalised box is beyond it; models predict a little more than 1.
const ONE_PIXEL: f64 = 1.5;
/// Boxes that end this far beyond their image are in other units; predicted boxes end slightly beyond it.
const BEYOND: f64 = 1.1;

#[cfg(test)]
mod tests;
