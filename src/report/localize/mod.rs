//! Localisation of phrases: recall, types, thresholds, differences of models.

pub mod failures;

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use super::paired_test;
use crate::analysis::holm::HolmTest;
use crate::analysis::localisation::RecallDifference;
use crate::data::text::grouped;
use crate::phrase::PhraseType;
use crate::phrase::localisation::{Outcomes, Protocol, Recall, THRESHOLD, Targets};

/// Headings of recall at each of [`crate::phrase::localisation::DEPTHS`], and among all boxes.
pub const HEADS: [&str; 4] = ["R@1", "R@5", "R@10", "upper bound"];
/// Keys of recall, in the order of [`HEADS`].
const KEYS: [&str; 4] = ["r1", "r5", "r10", "upper_bound"];
/// The `IoU` thresholds of the table of recall by threshold.
const THRESHOLDS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The result of `phrases localize`.
#[derive(Debug)]
pub struct LocalizationReport<'a> {
    /// The phrases.
    pub targets: &'a Targets,
    /// The protocol.
    pub protocol: &'a Protocol,
    /// Whether boxes were read as x, y, width, height.
    pub is_xywh: bool,
    /// The models, in the order of their files.
    pub models: &'a [Outcomes],
    /// 95 % CI of each model's R@1.
    pub intervals: &'a [Option<[f64; 2]>],
    /// Tests between each two models.
    pub differences: &'a [HolmTest<RecallDifference>],
}

impl LocalizationReport<'_> {
    /// Recall of all phrases, by type and by threshold, and differences of models.
    pub fn report(&self) -> Report<'_> {
        let LocalizationReport { targets, protocol, .. } = self;
        let lists = vec![self.models(), self.by_type(), self.by_threshold(), self.comparisons()];
        Report {
            notes: vec![
                format!("{}: {}", protocol.key, protocol.rules()),
                "R@K: phrases with a hit among the first K boxes, in percent; upper bound: among all; a phrase of several \
                 types counts in each"
                    .to_owned(),
                paired_test::note(!self.differences.is_empty()),
            ],
            ..Report::from_sections(lists)
        }
        .with_json("protocol", json!(protocol.key))
        .with_json("xywh", json!(self.is_xywh))
        .with_json("images", json!(targets.images.len()))
        .with_json("sentences", json!(targets.sentence_count()))
        .with_json("phrases", json!(targets.phrases.len()))
    }

    /// Recall of each model over all phrases.
    fn models(&self) -> Section {
        let targets = self.targets;
        let title = format!(
            "{} phrases of {} sentences and {} images, protocol {}",
            grouped(targets.phrases.len()),
            grouped(targets.sentence_count()),
            grouped(targets.images.len()),
            self.protocol.key
        );
        let list = List::new("models", title, self.models.iter().zip(self.intervals))
            .column("model", "model", |(model, _)| &model.name)
            .data("source", |(model, _)| &model.source);
        add_recalls(list, |(model, _)| model.recall_at(THRESHOLD))
            .interval(["r1_low", "r1_high"], "95 % CI of R@1", |(_, ends)| **ends, Cell::share)
            .column("boxes_per_phrase", "boxes", |(model, _)| Cell::Number(model.box_counts().0, 1))
            .column("most_boxes", "most", |(model, _)| model.box_counts().1)
            .column("without_boxes", "without", |(model, _)| model.without_box_count())
            .section()
    }

    /// Each type of phrase with each model, types in the order of the paper's tables.
    fn types_and_models(&self) -> impl Iterator<Item = (PhraseType, &Outcomes)> {
        let occurs = |kind: &PhraseType| {
            self.targets.phrases.iter().any(|target| target.types.contains(*kind))
        };
        let types = PhraseType::VISUAL.into_iter().filter(occurs);
        types.flat_map(|kind| self.models.iter().map(move |model| (kind, model)))
    }

    /// Recall by type of phrase, a row for each type and model.
    fn by_type(&self) -> Section {
        let list = List::new("by_type", "by type", self.types_and_models())
            .column("type", "type", |(kind, _)| kind.name())
            .column("model", "model", |(_, model)| &model.name)
            .column("phrases", "phrases", |(kind, model)| {
                model.recall_of_type(self.targets, *kind).phrases
            });
        add_recalls(list, |(kind, model)| model.recall_of_type(self.targets, *kind)).section()
    }

    /// Recall by the lowest `IoU` of a hit, a row for each threshold and model.
    fn by_threshold(&self) -> Section {
        let records = THRESHOLDS
            .into_iter()
            .flat_map(|threshold| self.models.iter().map(move |model| (threshold, model)));
        let list = List::new("by_iou", "by the lowest IoU of a hit", records)
            .column("iou", "IoU", |(threshold, _)| Cell::Number(*threshold, 1))
            .column("model", "model", |(_, model)| &model.name);
        add_recalls(list, |(threshold, model)| model.recall_at(*threshold)).section()
    }

    /// Paired tests of each two models at each depth.
    fn comparisons(&self) -> Section {
        let name = |test: &HolmTest<RecallDifference>, at: usize| &self.models[test.key.0[at]].name;
        List::new("comparisons", "A - B, paired tests", self.differences)
            .column("first", "A", move |test| name(test, 0))
            .column("second", "B", move |test| name(test, 1))
            .data("metric", |test| KEYS[test.key.1])
            .display("", |test| HEADS[test.key.1])
            .data("phrases", |test| test.paired.len())
            .data("clusters", |test| test.clusters)
            .paired_test(|test| *test)
            .section()
    }
}

/// Adds a column for R@K at each depth; `recall` gives the recall of a row.
fn add_recalls<'a, R: 'a>(
    mut list: List<'a, R>,
    recall: impl Fn(&R) -> Recall + Copy + 'a,
) -> List<'a, R> {
    for (depth, head) in HEADS.into_iter().enumerate() {
        list = list.column(KEYS[depth], head, move |row| recall(row).share(depth).map(Cell::share));
    }
    list
}
