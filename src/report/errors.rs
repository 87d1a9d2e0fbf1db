//! Why models fail.

mod data;
mod lacking;
pub mod listed;
mod tables;
mod words;

use super::{Json, Report, caption_text};
use crate::analysis::evidence::Evidence;
use crate::analysis::survey::{Detail, Survey};
use crate::analysis::words::{Word, over_represented};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::study::Study;

/// The result of `errors`: error types, hubs and words of every model.
pub struct Errors<'a> {
    /// What it was found in.
    pub evidence: &'a Evidence<'a>,
    /// What was found.
    pub survey: &'a Survey,
    /// The most hubs to tell of a model.
    pub hubs: usize,
    /// The most words to tell of a model.
    pub words: usize,
    /// Whether tables show every ground truth, hub and word (`--full`).
    pub is_full: bool,
}

impl Errors<'_> {
    /// What share is correct, and why the rest is not: for each model the parts of the covered queries and the error
    /// types; in full also hubs, words, and what rescaled scores would change.
    pub fn report(&self) -> Report<'_> {
        let sentence = |detail: &Detail| {
            let (study, name) = (self.study(), self.truth(detail.view.truth));
            detail.breakdown.sentences(study, detail.view, &name).swap_remove(0) + "."
        };
        let answers: Vec<String> = self.survey.details.iter().map(sentence).collect();
        Report {
            heading: answers.join("\n"),
            notes: if self.is_full { tables::legend(self) } else { tables::notes(self) },
            ..Report::new(tables::tables(self), data::data(self), Json::tree(|| data::json(self)))
        }
    }

    fn study(&self) -> &Study {
        self.evidence.study
    }

    fn model(&self, model: ModelIx) -> &str {
        &self.study().models[model].name
    }

    fn truth(&self, truth: TruthIx) -> String {
        self.evidence.truth_name(truth)
    }

    /// Words that are over-represented among failures, as many as are told.
    fn words<'a>(&self, detail: &'a Detail) -> impl Iterator<Item = &'a Word> {
        over_represented(&detail.words).take(self.words)
    }

    /// An item's id.
    fn item(&self, item: u32) -> String {
        let items = self.study().gallery.items(self.evidence.direction);
        items[item as usize].to_string()
    }

    /// An item in words: the caption itself; an image's first caption, its file name without any.
    fn item_text(&self, item: u32) -> String {
        let gallery = &self.study().gallery;
        match self.evidence.direction {
            Direction::I2t => caption_text(self.study(), item),
            Direction::T2i => match self.study().own(Direction::I2t, item as usize).first() {
                Some(caption) if !gallery.texts.is_empty() => caption_text(self.study(), caption),
                _ => gallery.image(item as usize),
            },
        }
    }
}

/// The queries of a direction, in words.
fn queries(direction: Direction) -> &'static str {
    match direction {
        Direction::I2t => "images",
        Direction::T2i => "captions",
    }
}

/// The items of a direction, in words.
fn items(direction: Direction) -> &'static str {
    queries(direction.flipped())
}
