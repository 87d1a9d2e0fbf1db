//! Phrases whose first box is no hit, one a row.

use super::super::cell::{Cell, row};
use super::super::{Json, Report, Table};
use crate::data::text::{grouped, shown};
use crate::metric::Unit;
use crate::phrase::Entities;
use crate::phrase::localisation::{Extent, Measured, Outcome, Protocol, Rect, Target, Targets};

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
    let kind = |failure: &Failure<'_>| failure.target.types.visual().next();
    let key = |failure: &Failure<'_>| match by {
        SortBy::Size => failure.size,
        _ => failure.outcome.best[0],
    };
    all.sort_by(|one, other| {
        let types = kind(one).cmp(&kind(other));
        let types = if by == SortBy::Type {
            types
        } else {
            std::cmp::Ordering::Equal
        };
        types.then(key(one).total_cmp(&key(other)))
    });
    all
}

fn size(targets: &Targets, target: &Target) -> f64 {
    let (width, height) = targets.images[target.image].size;
    let picture = f64::from(width) * f64::from(height);
    let boxes = targets.chain(target).boxes.iter().copied();
    let around = boxes.reduce(Rect::joined);
    // Boxes of the annotations are made of whole pixels.
    around.map_or(0.0, |around| {
        around.area(Extent::PlusOne) / picture.max(1.0)
    })
}

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
            let Outcome {
                best, first, hit, ..
            } = *of.outcome;
            row![
                &of.model.name,
                Cell::Id(self.targets.images[of.target.image].id.to_string()),
                of.target.sentence,
                of.target.types.names(),
                Cell::Number(best[0], 3),
                Cell::Number(best[best.len() - 1], 3),
                hit.map(|place| place + 1),
                Cell::Value(of.size, Unit::Share),
                first.map(edges),
                self.truths(of.target)
                    .into_iter()
                    .map(edges)
                    .collect::<Vec<String>>()
                    .join("; "),
                self.marked(of.target)
            ]
        };
        let mut table = Table::new(title, head, 2, self.failures.iter().map(row));
        table.numbers = 4..8;
        table
    }

    fn data(&self) -> Table<'_> {
        let row = |of: &Failure<'_>| {
            let Outcome {
                best, first, hit, ..
            } = *of.outcome;
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
                Cell::List(self.truths(target).into_iter().map(edges).collect())
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

/// A sentence in three: what stands before the phrase, the phrase, and what comes after it.
pub fn parts<'a>(entities: &'a Entities, targets: &Targets, target: &Target) -> [&'a str; 3] {
    let image = entities.image(&targets.images[target.image].id);
    let sentence = image.and_then(|image| image.sentence(target.sentence));
    let of = sentence.and_then(|sentence| Some((sentence, sentence.phrases.get(target.phrase)?)));
    of.map_or([""; 3], |(sentence, phrase)| {
        let text = sentence.text.as_str();
        let bytes = phrase.bytes.clone();
        [
            &text[..bytes.start],
            sentence.words_of(phrase),
            &text[bytes.end..],
        ]
    })
}

/// The edges of a box with as many decimals as they have, two at most.
fn edges(rect: Rect) -> String {
    let edge = |edge: f64| {
        let two = format!("{edge:.2}");
        two.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    rect.0.map(edge).join(" ")
}
