//! Phrases whose first box is no hit, one a row.

use super::super::cell::{Cell, row};
use super::super::{Json, Report, Table};
use crate::data::text::{grouped, shown};
use crate::metric::Unit;
use crate::phrase::Entities;
use crate::phrase::localisation::{Failure, Outcome, Protocol, Rect, Target, Targets, parts};

/// Failures, with what names their phrases.
#[derive(Debug)]
pub struct Failures<'a> {
    /// The sentences.
    pub entities: &'a Entities,
    /// The phrases.
    pub targets: &'a Targets,
    /// How it was measured.
    pub protocol: &'a Protocol,
    /// Those to be told.
    pub failures: &'a [Failure<'a>],
    /// How many there are of how many predictions.
    pub of: [usize; 2],
}

/// The columns, which are the keys of JSON.
const HEAD: [&str; 17] = [
    "model",
    "image",
    "sentence",
    "phrase",
    "chain",
    "types",
    "words",
    "iou",
    "best_iou",
    "first_hit",
    "size",
    "score",
    "x1",
    "y1",
    "x2",
    "y2",
    "true",
];

impl Failures<'_> {
    /// A row for each.
    pub fn report(&self) -> Report<'_> {
        let [failed, all] = self.of.map(grouped);
        let title = format!(
            "{failed} of {all} predictions without a hit in the first box, protocol {}",
            self.protocol.key
        );
        let legend = "IoU of the first box, and the best of all; hit: place of the first box that is one; size: part of the \
                      picture that the true boxes take, in percent; boxes: x1 y1 x2 y2";
        Report {
            notes: vec![
                format!("{}: {}", self.protocol.key, self.protocol.rules()),
                legend.to_owned(),
            ],
            ..Report::new(vec![self.table(title)], self.data(), Json::Rows)
        }
    }

    fn table(&self, title: String) -> Table<'_> {
        let head = [
            "model",
            "image",
            "sentence",
            "types",
            "IoU",
            "best",
            "hit",
            "size",
            "predicted",
            "true",
            "phrase",
        ];
        let row = |of: &Failure<'_>| {
            let Outcome { best, first, hit, .. } = *of.outcome;
            row![
                &of.model.name,
                Cell::Id(self.targets.images[of.target.image].id.to_string()),
                of.target.sentence,
                of.target.types.names(),
                Cell::Number(best[0], 3),
                Cell::Number(best[best.len() - 1], 3),
                hit.map(|place| place + 1),
                Cell::Value(of.size, Unit::Share),
                first.map(|first| first.to_string()),
                self.truths(of.target)
                    .into_iter()
                    .map(|of| of.to_string())
                    .collect::<Vec<String>>()
                    .join("; "),
                self.marked(of.target)
            ]
        };
        Table::new(title, head, 2, self.failures.iter().map(row)).with_numbers(4..8)
    }

    fn data(&self) -> Table<'_> {
        let row = |of: &Failure<'_>| {
            let Outcome { best, first, hit, .. } = *of.outcome;
            let target = of.target;
            let edge = |at: usize| first.map(|first| first.0[at]);
            row![
                &of.model.name,
                Cell::Id(self.targets.images[target.image].id.to_string()),
                target.sentence,
                target.phrase,
                self.targets.chain(target).chain.0,
                target.types.names(),
                self.words(target),
                best[0],
                best[best.len() - 1],
                hit.map(|place| place + 1),
                of.size,
                of.outcome.score,
                edge(0),
                edge(1),
                edge(2),
                edge(3),
                Cell::List(self.truths(target).into_iter().map(|of| of.to_string()).collect())
            ]
        };
        Table::new("", HEAD, 7, self.failures.iter().map(row))
    }

    fn truths(&self, target: &Target) -> Vec<Rect> {
        self.protocol.truth(&self.targets.chain(target).boxes)
    }

    fn words(&self, target: &Target) -> String {
        let [_, words, _] = parts(self.entities, self.targets, target);
        shown(words)
    }

    /// The sentence with the phrase in brackets.
    fn marked(&self, target: &Target) -> String {
        let [before, words, after] = parts(self.entities, self.targets, target);
        shown(&format!("{before}[{words}]{after}"))
    }
}
