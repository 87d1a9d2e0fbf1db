//! Predicted boxes of phrases, from files.

mod problem;
mod record;

pub use problem::{Mistake, Problems};

use super::protocol::Protocol;
use super::targets::Targets;
use crate::data::parallel;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::phrase::rect::{Extent, Rect};
use record::{About, Record, Written};

/// How boxes are written, and what is done with them before they count.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reading {
    /// Whether a box is its upper left corner, its width and its height.
    pub is_xywh: bool,
    /// Whether boxes are sorted by their scores, best first; else they stand so.
    pub by_score: bool,
    /// Boxes that cover a better one by more than that are left out.
    pub nms: Option<f64>,
}

/// The boxes that a model predicts for a phrase.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prediction {
    /// Best first.
    pub boxes: Vec<Rect>,
    /// The score of the first; `None` where the file tells none.
    pub score: Option<f64>,
}

/// Non-maximum suppression: the boxes that stay, best first, each with an intersection over union of at most `threshold` with
/// every one that stays before it.
fn suppressed(boxes: &[Rect], threshold: f64, extent: Extent) -> Vec<Rect> {
    let mut kept: Vec<Rect> = Vec::new();
    for rect in boxes {
        if kept.iter().all(|other| rect.iou(*other, extent) <= threshold) {
            kept.push(*rect);
        }
    }
    kept
}

/// What a model predicts for the phrases of a split.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// The name of the model: that of its file.
    pub name: String,
    /// Its file.
    pub source: String,
    /// By the place of the phrase; `None` where nothing is predicted for it.
    pub of: Vec<Option<Prediction>>,
    /// What is wrong with it, counted.
    pub problems: Problems,
    /// Records that cannot be read.
    pub unread: Vec<Error>,
}

impl Predictions {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read, or that is neither JSON lines nor a JSON list.
    pub fn read(
        source: &Source,
        targets: &Targets,
        reading: Reading,
        protocol: &Protocol,
    ) -> Result<Self> {
        let mut read = Predictions {
            name: source.stem(),
            source: source.display(),
            of: vec![None; targets.phrases.len()],
            problems: Problems::default(),
            unread: Vec::new(),
        };
        let mut rejected = vec![false; targets.phrases.len()];
        for record in record::records(source)? {
            match record {
                Ok(record) => read.take(&record, targets, &mut rejected, (reading, protocol)),
                Err(error) => read.unread.push(error),
            }
        }
        read.check_pixels(targets);
        if let Some(threshold) = reading.nms {
            parallel::for_each_mut(&mut read.of, |prediction| {
                if let Some(Prediction { boxes, .. }) = prediction {
                    *boxes = suppressed(boxes, threshold, protocol.extent);
                }
            });
        }
        read.count_misses(targets, &rejected);
        Ok(read)
    }

    /// What is wrong with it, a message for each kind and for each record that cannot be read.
    pub fn messages(&self) -> Vec<Error> {
        let mut messages: Vec<Error> = self.unread.iter().take(MAX_UNREAD).cloned().collect();
        if let Some(more @ 1..) = self.unread.len().checked_sub(MAX_UNREAD) {
            let found = format!("{more} more records that cannot be read");
            messages.push(Error::new(&self.source, found));
        }
        messages.extend(self.problems.messages(&self.source));
        messages
    }

    /// Puts the boxes of a record to their phrases.
    fn take(
        &mut self,
        record: &Record,
        targets: &Targets,
        rejected: &mut [bool],
        how: (Reading, &Protocol),
    ) {
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
        let places: Vec<usize> = range.clone().filter(is_about).collect();
        match about {
            About::Sentence if lists.len() != places.len() => {
                rejected[range].fill(true);
                let counts = format!("{place}, {} for {}", lists.len(), places.len());
                return self.problems.add(problem::OTHER_NUMBER, counts);
            }
            About::Phrase(phrase) if places.is_empty() => {
                let phrase = format!("{place}, phrase {phrase}");
                return self.problems.add(problem::UNKNOWN_PHRASE, phrase);
            }
            About::Chain(chain) if places.is_empty() => {
                let chain = format!("{place}, chain {chain}");
                return self.problems.add(problem::UNKNOWN_PHRASE, chain);
            }
            _ => {}
        }
        for (at, place) in places.into_iter().enumerate() {
            let list = lists.get(at).or(lists.first());
            let named = || targets.named(&targets.phrases[place]);
            if self.of[place].is_some() {
                self.problems.add(problem::TWICE, named());
            } else if let Some(list) = list {
                self.of[place] = Some(prediction(list, how, &mut self.problems, &named));
            }
        }
    }

    /// Counts boxes that are no pixels of their image.
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

    /// Counts phrases without boxes; those of rejected records are told already.
    fn count_misses(&mut self, targets: &Targets, rejected: &[bool]) {
        let each = targets.phrases.iter().zip(&self.of).zip(rejected);
        for ((target, prediction), is_rejected) in each {
            let mistake = match prediction {
                None if !is_rejected => problem::MISSING,
                Some(of) if of.boxes.is_empty() => problem::EMPTY,
                _ => continue,
            };
            self.problems.add(mistake, targets.named(target));
        }
    }
}

/// No edge of a normalised box is beyond it; models predict a little more than 1.
const ONE_PIXEL: f64 = 1.5;
/// How far beyond its image a box ends that is in other units; predicted boxes reach beyond it by a little.
const BEYOND: f64 = 1.1;

/// Records that cannot be read, each told by itself, at most.
const MAX_UNREAD: usize = 5;

/// The boxes of a phrase that count, best first.
fn prediction(
    list: &Written,
    (reading, protocol): (Reading, &Protocol),
    problems: &mut Problems,
    named: &dyn Fn() -> String,
) -> Prediction {
    let rect = |numbers: &[f64; 4]| {
        if reading.is_xywh { Rect::of_sides(*numbers, protocol.extent) } else { Rect(*numbers) }
    };
    let mut boxes: Vec<Rect> = list.boxes.iter().map(rect).collect();
    for rect in boxes.iter().filter(|rect| !rect.is_sound()) {
        problems.add(problem::NO_BOX, format!("{}, {:?}", named(), rect.0));
    }
    let order = order(list, reading, problems, named);
    boxes = order.iter().map(|&place| boxes[place]).collect();
    boxes.truncate(protocol.most.unwrap_or(usize::MAX));
    let first = order.first().and_then(|&place| list.scores.get(place));
    Prediction { boxes, score: first.copied().filter(|score| !score.is_nan()) }
}

/// The places of the boxes in the order in which they count.
fn order(
    list: &Written,
    reading: Reading,
    problems: &mut Problems,
    named: &dyn Fn() -> String,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..list.boxes.len()).collect();
    let scores = &list.scores;
    if scores.is_empty() {
        return order;
    }
    if scores.len() != order.len() {
        problems.add(problem::OTHER_SCORES, named());
        return order;
    }
    for _ in scores.iter().filter(|score| score.is_nan()) {
        problems.add(problem::NO_SCORE, named());
    }
    if reading.by_score {
        let score = |place: &usize| Some(scores[*place]).filter(|score| !score.is_nan());
        let key = |place: &usize| score(place).unwrap_or(f64::NEG_INFINITY);
        order.sort_by(|one, other| key(other).total_cmp(&key(one)));
    } else if scores.windows(2).any(|two| two[1] > two[0]) {
        problems.add(problem::ASCENDING, named());
    }
    order
}

#[cfg(test)]
mod tests;
