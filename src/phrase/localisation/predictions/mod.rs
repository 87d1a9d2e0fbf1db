//! Predicted boxes of phrases, from files.

mod problem;
mod record;

pub use problem::{Mistake, Problems};

use super::protocol::Protocol;
use super::targets::Targets;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::phrase::rect::Rect;
use record::{Record, Scope, ScoredBox};

/// The boxes that a model predicts for a phrase.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prediction {
    /// Predicted boxes, best first.
    pub boxes: Vec<Rect>,
    /// Score of the first box; `None` if the file has none.
    pub score: Option<f64>,
}

/// Predictions of a model for phrases of a split.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// Name of the model: the stem of its file.
    pub name: String,
    /// Name of its file, for messages.
    pub source: String,
    /// Prediction for each of [`Targets::phrases`]; `None` if the file has none.
    pub by_phrase: Vec<Option<Prediction>>,
    /// Problems of the file, counted by kind.
    pub problems: Problems,
}

impl Predictions {
    /// Reads a file of predictions; with `is_xywh` a box is x, y, width and height, else its four edges. Boxes beyond
    /// `protocol.max_boxes` of a phrase are dropped.
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
            by_phrase: vec![None; targets.phrases.len()],
            problems: Problems::default(),
        };
        for record in record::read_records(source)? {
            read.assign(&record, targets, is_xywh, protocol);
        }
        read.count_wrong_units(targets);
        read.count_misses(targets);
        Ok(read)
    }

    /// Problems of the file, one message for each kind.
    pub fn messages(&self) -> Vec<Error> {
        self.problems.messages(&self.source)
    }

    /// Assigns a record's boxes to their phrases, and adds the mistakes of the record to the problems.
    fn assign(&mut self, record: &Record, targets: &Targets, is_xywh: bool, protocol: &Protocol) {
        let Record { image: id, sentence, scope, lists } = record;
        let Some(image) = targets.image(id) else {
            return self.problems.add(problem::UNKNOWN_IMAGE, id);
        };
        let place = format!("image {id}, sentence {sentence}");
        let Some(range) = targets.phrase_range(image, *sentence) else {
            return self.problems.add(problem::UNKNOWN_SENTENCE, place);
        };
        let is_in_scope = |at: &usize| {
            let target = &targets.phrases[*at];
            match *scope {
                Scope::Sentence => true,
                Scope::Phrase(phrase) => target.phrase == phrase,
                Scope::Chain(chain) => targets.chain(target).chain.0 == chain,
            }
        };
        let places: Vec<usize> = range.filter(is_in_scope).collect();
        if *scope != Scope::Sentence && places.is_empty() {
            return self.problems.add(problem::UNKNOWN_PHRASE, place);
        }
        if *scope == Scope::Sentence && lists.len() != places.len() {
            let counts = format!("{place}, {} for {}", lists.len(), places.len());
            return self.problems.add(problem::OTHER_NUMBER, counts);
        }
        // The one list of a chain applies to each of its phrases.
        for (place, list) in places.into_iter().zip(lists.iter().cycle()) {
            let phrase = || targets.describe(&targets.phrases[place]);
            if self.by_phrase[place].is_some() {
                self.problems.add(problem::TWICE, phrase());
                continue;
            }
            let rect = |(edges, _): &ScoredBox| {
                if is_xywh { Rect::from_xywh(*edges, protocol.extent) } else { Rect(*edges) }
            };
            let boxes = list.iter().take(protocol.max_boxes.unwrap_or(usize::MAX)).map(rect);
            let boxes: Vec<Rect> = boxes.collect();
            for rect in boxes.iter().filter(|rect| !rect.is_valid()) {
                self.problems.add(problem::NO_BOX, format!("{}, {:?}", phrase(), rect.0));
            }
            let score = list.first().and_then(|(_, score)| *score);
            self.by_phrase[place] = Some(Prediction { boxes, score });
        }
    }

    /// Counts boxes that seem to be in other units than pixels, as problems.
    fn count_wrong_units(&mut self, targets: &Targets) {
        let each = targets.phrases.iter().zip(&self.by_phrase);
        let boxes = each.flat_map(|(target, of)| {
            let boxes = of.iter().flat_map(|of| &of.boxes).filter(|rect| rect.is_valid());
            boxes.map(move |rect| (target, rect.0))
        });
        let is_small = |(_, edges): (_, [f64; 4])| edges.iter().all(|edge| edge.abs() <= MAX_SHARE);
        let is_normalised = boxes.clone().all(is_small);
        for (target, [_, _, right, bottom]) in boxes {
            let (width, height) = targets.images[target.image].size;
            let is_beyond = |edge: f64, side: u32| side > 0 && edge > f64::from(side) * OVERSHOOT;
            if is_normalised {
                self.problems.add(problem::NORMALISED, targets.describe(target));
            }
            if is_beyond(right, width) || is_beyond(bottom, height) {
                self.problems.add(problem::BEYOND, targets.describe(target));
            }
        }
    }

    /// Counts phrases without boxes, as problems.
    fn count_misses(&mut self, targets: &Targets) {
        for (target, prediction) in targets.phrases.iter().zip(&self.by_phrase) {
            let mistake = match prediction {
                None => problem::MISSING,
                Some(of) if of.boxes.is_empty() => problem::EMPTY,
                Some(_) => continue,
            };
            self.problems.add(mistake, targets.describe(target));
        }
    }
}

/// Maximum edge of a normalised box; models predict a little more than 1.
const MAX_SHARE: f64 = 1.5;
/// Maximum right or lower edge of a box in pixels, relative to the size of its image: predicted boxes end slightly
/// beyond it, boxes in other units far.
const OVERSHOOT: f64 = 1.1;

#[cfg(test)]
mod tests;
