//! Localisation for people: shares in percent.

use super::{HEADS, Localised, THRESHOLDS};
use crate::analysis::inference::{LEVEL, OF_DIFFERENCES, OF_MEANS};
use crate::analysis::localised::RecallDifference;
use crate::data::text::grouped;
use crate::metric::Unit;
use crate::phrase::PhraseType;
use crate::phrase::localisation::{ALL, COLUMNS, Measured, Recall, THRESHOLD};
use crate::report::Table;
use crate::report::cell::{Cell, row};

pub(super) fn tables<'a>(told: &'a Localised<'_>) -> Vec<Table<'a>> {
    let mut tables = vec![all(told)];
    tables.extend(by_type(told).if_any());
    tables.push(by_threshold(told));
    tables.extend(told.models.iter().filter_map(|model| confusion(told, model)));
    tables.extend(differences(told).if_any());
    tables
}

fn share(value: f64) -> Cell {
    Cell::Value(value, Unit::Share)
}

/// The recall at each depth.
fn shares(recall: Recall) -> impl Iterator<Item = Cell> {
    (0..COLUMNS).map(move |depth| recall.share(depth).map(share).into())
}

fn all<'a>(told: &'a Localised<'_>) -> Table<'a> {
    let targets = told.targets;
    let title = format!(
        "{} phrases of {} sentences and {} images, protocol {}",
        grouped(targets.phrases.len()),
        grouped(targets.sentences()),
        grouped(targets.images.len()),
        told.protocol.key
    );
    let head =
        ["model", HEADS[0], "95 % CI", HEADS[1], HEADS[2], HEADS[ALL], "boxes", "most", "without"];
    let row = |(model, interval): (&Measured, &Option<[f64; 2]>)| {
        let mut cells = row![&model.name];
        cells.extend(shares(model.at(THRESHOLD)));
        cells.insert(2, interval.map(|ends| Cell::interval(ends, share)).into());
        let (mean, most) = model.boxes();
        cells.extend(row![Cell::Number(mean, 1), most, model.without()]);
        cells
    };
    Table::new(title, head, 1, told.models.iter().zip(told.intervals).map(row))
}

/// The types that the phrases have, in the order of the paper's tables.
pub(super) fn types(told: &Localised<'_>) -> impl Iterator<Item = PhraseType> {
    let has = |kind: &PhraseType| {
        let mut phrases = told.targets.phrases.iter();
        phrases.any(|target| target.types.contains(*kind))
    };
    PhraseType::VISUAL.into_iter().filter(has)
}

fn by_type<'a>(told: &'a Localised<'_>) -> Table<'a> {
    let rows = types(told).flat_map(move |kind| {
        told.models.iter().map(move |model| {
            let of_type = model.of_type(told.targets, kind);
            let mut cells = row![kind.name(), &model.name, of_type.phrases];
            cells.extend(shares(of_type));
            cells
        })
    });
    let head = ["type", "model", "phrases"].into_iter().chain(HEADS);
    Table::new("by type", head, 2, rows)
}

fn by_threshold<'a>(told: &'a Localised<'_>) -> Table<'a> {
    let rows = THRESHOLDS.into_iter().flat_map(|threshold| {
        told.models.iter().map(move |model| {
            let mut cells = row![Cell::Number(threshold, 1), &model.name];
            cells.extend(shares(model.at(threshold)));
            cells
        })
    });
    let head = ["IoU", "model"].into_iter().chain(HEADS);
    Table::new("recall by threshold of IoU", head, 2, rows)
}

/// Where the first boxes of each type lie; `None` where no phrase has a type.
fn confusion<'a>(told: &'a Localised<'_>, model: &'a Measured) -> Option<Table<'a>> {
    let rows = types(told).map(|kind| {
        let counts = model.confusion(told.targets, kind);
        let phrases: usize = counts.iter().sum();
        let mut cells = row![kind.name(), phrases];
        cells.extend(counts.map(|count| share(count as f64 / phrases as f64)));
        cells
    });
    let names = PhraseType::VISUAL.map(PhraseType::name);
    let head = ["type", "phrases"].into_iter().chain(names).chain(["none"]);
    let title = format!("{}: type of what the first box lies on", model.name);
    Table::new(title, head, 1, rows).if_any()
}

const DIFFERENCES: [&str; 12] =
    ["A", "B", "", "A", "B", "A - B", "95 % CI", "p", "Holm p", "wins", "ties", "losses"];

fn differences<'a>(told: &'a Localised<'_>) -> Table<'a> {
    let row = |of: &'a RecallDifference| {
        let means = of.paired.means();
        let difference = |value| Cell::Difference(value, Unit::Share);
        let mut cells = row![
            told.name(of.models[0]),
            told.name(of.models[1]),
            HEADS[of.depth],
            means.map(|means| share(means[0])),
            means.map(|means| share(means[1])),
            means.map(|[first, second]| difference(first - second)),
            of.estimate.map(|of| Cell::interval(of.interval(), difference)),
            of.estimate.map(|of| Cell::P(of.p())),
            of.corrected.holm.map(Cell::corrected)
        ];
        cells.extend(of.paired.counts(Unit::Share).map(Cell::from));
        cells
    };
    Table::new("A - B, clustered by image", DIFFERENCES, 3, told.differences.iter().map(row))
}

/// What the numbers are, once below all tables.
pub(super) fn notes(told: &Localised<'_>) -> Vec<String> {
    let mut notes = vec![format!("{}: {}", told.protocol.key, told.protocol.rules()), boxes(told)];
    notes.push(
        "shares of phrases in percent; R@K: a hit among the first K boxes; upper bound: among all; boxes: the mean number of \
         a phrase; without: phrases without any, which are misses; a phrase of several types is among those of each"
            .to_owned(),
    );
    notes.push(
        "type of what the first box lies on: the phrase's own where the box is a hit, or else that of the chain of the image \
         for which it were one, the most covered of several; none: no such chain"
            .to_owned(),
    );
    notes.push(inference(told));
    notes
}

fn boxes(told: &Localised<'_>) -> String {
    let reading = told.reading;
    let form = if reading.is_xywh { "x, y, width, height" } else { "x1, y1, x2, y2" };
    let order = if reading.by_score { "sorted by score" } else { "in the order of the file" };
    let apart = reading.nms.map_or_else(
        || "no suppression".to_owned(),
        |threshold| format!("those left out that cover a better one by an IoU above {threshold}"),
    );
    format!("predicted boxes: {form}, {order}, {apart}")
}

fn inference(told: &Localised<'_>) -> String {
    let means = format!("95 % CI, clustered by image: of R@1 {OF_MEANS}");
    if told.differences.is_empty() {
        return means;
    }
    format!(
        "{means}; of differences and p, two-sided, {OF_DIFFERENCES}; Holm p: adjusted over all rows, * below {LEVEL}"
    )
}
