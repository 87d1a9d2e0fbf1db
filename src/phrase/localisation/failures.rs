//! Phrases whose first box is no hit.

use super::recall::{Measured, Outcome};
use super::targets::{Target, Targets};
use crate::phrase::Entities;
use crate::phrase::rect::{Extent, Rect};

/// A phrase whose first box is no hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failure<'a> {
    /// The model.
    pub model: &'a Measured,
    /// The phrase.
    pub target: &'a Target,
    /// Quality of its boxes.
    pub outcome: &'a Outcome,
    /// Share of the image inside the box around the true boxes; 0 if the size is unknown.
    pub size: f64,
}

/// The failures of all models, lowest intersection over union first; ties in the order of files and phrases.
pub fn failures<'a>(targets: &'a Targets, models: &'a [Measured]) -> Vec<Failure<'a>> {
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
    all.sort_by(|one, other| one.outcome.best[0].total_cmp(&other.outcome.best[0]));
    all
}

fn size(targets: &Targets, target: &Target) -> f64 {
    let (width, height) = targets.images[target.image].size;
    let whole = f64::from(width) * f64::from(height);
    let boxes = targets.chain(target).boxes.iter().copied();
    let around = boxes.reduce(Rect::joined);
    // Boxes of the annotations are made of whole pixels.
    around.map_or(0.0, |around| around.area(Extent::PlusOne) / whole.max(1.0))
}

/// A sentence in three: text before the phrase, the phrase, and text after it.
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
