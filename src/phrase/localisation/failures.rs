//! Phrases whose first box is no hit.

use super::recall::{Outcome, Outcomes};
use super::targets::{Target, Targets};
use crate::phrase::Entities;
use crate::phrase::rect::{Extent, Rect};

/// A phrase whose first box is no hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failure<'a> {
    /// The model that predicted its boxes.
    pub model: &'a Outcomes,
    /// The phrase.
    pub target: &'a Target,
    /// Quality of the predicted boxes.
    pub outcome: &'a Outcome,
    /// Share of the image inside the smallest box around the annotated boxes.
    pub size: f64,
}

/// The failures of all models, lowest intersection over union first; ties in the order of files and phrases.
pub fn failures<'a>(targets: &'a Targets, models: &'a [Outcomes]) -> Vec<Failure<'a>> {
    let failed_by = |model: &'a Outcomes| {
        let each = targets.phrases.iter().zip(&model.outcomes);
        let failed = each.filter(|(_, outcome)| !outcome.is_hit(0));
        failed.map(move |(target, outcome)| Failure {
            model,
            target,
            outcome,
            size: image_share(targets, target),
        })
    };
    let mut all: Vec<Failure<'a>> = models.iter().flat_map(failed_by).collect();
    all.sort_by(|one, other| one.outcome.best[0].total_cmp(&other.outcome.best[0]));
    all
}

/// Share of the image inside the smallest box around the annotated boxes of a phrase: [`Failure::size`].
fn image_share(targets: &Targets, target: &Target) -> f64 {
    let (width, height) = targets.images[target.image].size;
    let whole = f64::from(width) * f64::from(height);
    let around = targets.chain(target).boxes.iter().copied().reduce(Rect::enclosing);
    // Boxes of the annotations are made of whole pixels.
    around.map_or(0.0, |around| around.area(Extent::PlusOne) / whole.max(1.0))
}

/// The sentence of a phrase in three parts: text before the phrase, the phrase, and text after it. Empty if the
/// sentence is unknown.
pub fn split_text<'a>(entities: &'a Entities, targets: &Targets, target: &Target) -> [&'a str; 3] {
    let image = entities.image(&targets.images[target.image].id);
    let sentence = image.and_then(|image| image.sentence(target.sentence));
    let found =
        sentence.and_then(|sentence| Some((sentence, sentence.phrases.get(target.phrase)?)));
    found.map_or([""; 3], |(sentence, phrase)| {
        let text = sentence.text.as_str();
        let bytes = phrase.bytes.clone();
        [&text[..bytes.start], sentence.phrase_text(phrase), &text[bytes.end..]]
    })
}
