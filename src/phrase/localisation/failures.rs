//! Phrases whose first box is no hit.

use std::cmp::Ordering;

use super::measured::{Measured, Outcome};
use super::targets::{Target, Targets};
use crate::phrase::Entities;
use crate::phrase::rect::{Extent, Rect};

/// What failures are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortBy {
    /// The intersection over union of the first box, the least first.
    Iou,
    /// The type, in the order of the paper's tables, and then the same.
    Type,
    /// The part of the picture that the true boxes take, the least first.
    Size,
}

impl SortBy {
    /// Each of them.
    pub const ALL: [SortBy; 3] = [SortBy::Iou, SortBy::Type, SortBy::Size];

    /// What it is, for below a list.
    pub fn words(self) -> &'static str {
        match self {
            SortBy::Iou => "the IoU of the first box",
            SortBy::Type => "type and the IoU of the first box",
            SortBy::Size => "the size of the true boxes",
        }
    }
}

/// A phrase whose first box is no hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failure<'a> {
    /// The model.
    pub model: &'a Measured,
    /// The phrase.
    pub target: &'a Target,
    /// What its boxes are worth.
    pub outcome: &'a Outcome,
    /// The part of the picture that the box around the true boxes takes; 0 where the size is unknown.
    pub size: f64,
}

/// The failures of all models, sorted; those of one order stay in the order of files and phrases.
pub fn failures<'a>(targets: &'a Targets, models: &'a [Measured], by: SortBy) -> Vec<Failure<'a>> {
    let of_model = |model: &'a Measured| {
        let each = targets.phrases.iter().zip(&model.outcomes);
        let failed = each.filter(|(_, outcome)| !outcome.is_hit(0));
        failed.map(move |(target, outcome)| Failure {
            model,
            target,
            outcome,
            size: size(targets, target),
        })
    };
    let mut all: Vec<Failure<'a>> = models.iter().flat_map(of_model).collect();
    all.sort_by(|one, other| by.order(one, other));
    all
}

impl SortBy {
    fn order(self, one: &Failure<'_>, other: &Failure<'_>) -> Ordering {
        let kind = |of: &Failure<'_>| of.target.types.visual().next();
        let iou = one.outcome.best[0].total_cmp(&other.outcome.best[0]);
        match self {
            SortBy::Iou => iou,
            SortBy::Type => kind(one).cmp(&kind(other)).then(iou),
            SortBy::Size => one.size.total_cmp(&other.size),
        }
    }
}

fn size(targets: &Targets, target: &Target) -> f64 {
    let (width, height) = targets.images[target.image].size;
    let picture = f64::from(width) * f64::from(height);
    let boxes = targets.chain(target).boxes.iter().copied();
    let around = boxes.reduce(Rect::joined);
    // Boxes of the annotations are made of whole pixels.
    around.map_or(0.0, |around| around.area(Extent::PlusOne) / picture.max(1.0))
}

/// A sentence in three: what stands before the phrase, the phrase, and what comes after it.
pub fn parts<'a>(entities: &'a Entities, targets: &Targets, target: &Target) -> [&'a str; 3] {
    let image = entities.image(&targets.images[target.image].id);
    let sentence = image.and_then(|image| image.sentence(target.sentence));
    let of = sentence.and_then(|sentence| Some((sentence, sentence.phrases.get(target.phrase)?)));
    of.map_or([""; 3], |(sentence, phrase)| {
        let text = sentence.text.as_str();
        let bytes = phrase.bytes.clone();
        [&text[..bytes.start], sentence.words_of(phrase), &text[bytes.end..]]
    })
}
