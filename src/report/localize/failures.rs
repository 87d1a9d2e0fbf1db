//! Phrases without a hit in the first box.

use super::super::Report;
use super::super::cell::Cell;
use super::super::list::List;
use crate::data::text::{grouped, shown};
use crate::phrase::Entities;
use crate::phrase::localisation::{ALL, Failure, Protocol, Target, Targets, parts};

/// Failures, with their phrases.
#[derive(Debug)]
pub struct Failures<'a> {
    /// The sentences.
    pub entities: &'a Entities,
    /// The phrases.
    pub targets: &'a Targets,
    /// The protocol.
    pub protocol: &'a Protocol,
    /// The listed ones.
    pub failures: &'a [Failure<'a>],
    /// Number of failures and of predictions.
    pub of: [usize; 2],
}

impl Failures<'_> {
    /// A row for each.
    pub fn report(&self) -> Report<'_> {
        let [failed, all] = self.of.map(grouped);
        let title = format!(
            "{failed} of {all} predictions without a hit in the first box, protocol {}",
            self.protocol.key
        );
        let mut list = List::new("failures", title, self.failures)
            .column("model", "model", |of| &of.model.name)
            .column("image", "image", |of| {
                Cell::Id(self.targets.images[of.target.image].id.to_string())
            })
            .column("sentence", "sentence", |of| of.target.sentence)
            .data("phrase", |of| of.target.phrase)
            .data("chain", |of| self.targets.chain(of.target).chain.0)
            .column("types", "types", |of| of.target.types.names())
            .data("words", |of| shown(parts(self.entities, self.targets, of.target)[1]))
            .column("iou", "IoU", |of| Cell::Number(of.outcome.best[0], 3))
            .column("best_iou", "best", |of| Cell::Number(of.outcome.best[ALL], 3))
            .column("first_hit", "hit", |of| of.outcome.hit.map(|place| place + 1))
            .column("size", "size", |of| Cell::share(of.size))
            .data("score", |of| of.outcome.score)
            .shown("predicted", |of| of.outcome.first.map(|first| first.to_string()));
        for (at, key) in ["x1", "y1", "x2", "y2"].into_iter().enumerate() {
            list = list.data(key, move |of| of.outcome.first.map(|first| first.0[at]));
        }
        let list = list
            .data("true", |of| Cell::List(self.truths(of.target)))
            .shown("true", |of| self.truths(of.target).join("; "))
            .shown("phrase", |of| self.marked(of.target));
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

    fn truths(&self, target: &Target) -> Vec<String> {
        let boxes = self.protocol.truth(&self.targets.chain(target).boxes);
        boxes.into_iter().map(|of| of.to_string()).collect()
    }

    /// The sentence with the phrase in brackets.
    fn marked(&self, target: &Target) -> String {
        let [before, words, after] = parts(self.entities, self.targets, target);
        shown(&format!("{before}[{words}]{after}"))
    }
}
