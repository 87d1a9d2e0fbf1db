//! Phrases whose first predicted box is no hit.

use super::super::Report;
use super::super::cell::Cell;
use super::super::list::List;
use crate::data::text::{grouped, shown};
use crate::phrase::Entities;
use crate::phrase::localisation::{ALL, Failure, Protocol, Target, Targets, split_text};

/// Failures of localisation, with their phrases.
#[derive(Debug)]
pub struct Failures<'a> {
    /// The sentences.
    pub entities: &'a Entities,
    /// The phrases.
    pub targets: &'a Targets,
    /// The protocol.
    pub protocol: &'a Protocol,
    /// The listed failures.
    pub failures: &'a [Failure<'a>],
    /// Number of all failures and of all predictions.
    pub counts: [usize; 2],
}

impl Failures<'_> {
    /// A row for each failure.
    pub fn report(&self) -> Report<'_> {
        let [failed, all] = self.counts.map(grouped);
        let title = format!(
            "{failed} of {all} predictions without a hit in the first box, protocol {}",
            self.protocol.key
        );
        let mut list = List::new("failures", title, self.failures)
            .column("model", "model", |failure| &failure.model.name)
            .column("image", "image", |failure| {
                Cell::Id(self.targets.images[failure.target.image].id.to_string())
            })
            .column("sentence", "sentence", |failure| failure.target.sentence)
            .data("phrase", |failure| failure.target.phrase)
            .data("chain", |failure| self.targets.chain(failure.target).chain.0)
            .column("types", "types", |failure| failure.target.types.names())
            .data("words", |one| shown(split_text(self.entities, self.targets, one.target)[1]))
            .column("iou", "IoU", |failure| Cell::Number(failure.outcome.best[0], 3))
            .column("best_iou", "best", |failure| Cell::Number(failure.outcome.best[ALL], 3))
            .column("first_hit", "hit", |failure| failure.outcome.hit.map(|place| place + 1))
            .column("size", "size", |failure| Cell::share(failure.size))
            .data("score", |failure| failure.outcome.score)
            .display("predicted", |failure| failure.outcome.first.map(|first| first.to_string()));
        for (at, key) in ["x1", "y1", "x2", "y2"].into_iter().enumerate() {
            list = list.data(key, move |failure| failure.outcome.first.map(|first| first.0[at]));
        }
        let list = list
            .data("true", |failure| Cell::List(self.true_boxes(failure.target)))
            .display("true", |failure| self.true_boxes(failure.target).join("; "))
            .display("phrase", |failure| self.marked_sentence(failure.target));
        Report {
            notes: vec![
                format!("{}: {}", self.protocol.key, self.protocol.rules()),
                "IoU of the first box, and the best of all; hit: place of the first box that is one; size: share of the image \
                 that the true boxes cover, in percent"
                    .to_owned(),
            ],
            ..Report::from_sections(vec![list.section()])
        }
    }

    /// The true boxes of a phrase, as text.
    fn true_boxes(&self, target: &Target) -> Vec<String> {
        let boxes = self.protocol.reference_boxes(&self.targets.chain(target).boxes);
        boxes.into_iter().map(|one| one.to_string()).collect()
    }

    /// The sentence with the phrase in brackets.
    fn marked_sentence(&self, target: &Target) -> String {
        let [before, words, after] = split_text(self.entities, self.targets, target);
        shown(&format!("{before}[{words}]{after}"))
    }
}
