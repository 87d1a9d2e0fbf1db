//! Statistics of Flickr30k Entities.

use serde_json::{Map, Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::phrase::PhraseType;
use crate::phrase::stats::{Counts, Stats};

/// Images, captions, and phrases, chains and boxes by type.
pub fn report(stats: &Stats) -> Report<'_> {
    Report {
        notes: NOTES.map(str::to_owned).into(),
        ..Report::new(
            vec![whole(stats), by_type(stats)],
            data(stats),
            Json::tree(move || json(stats)),
        )
    }
}

/// What is said once below the tables.
const NOTES: [&str; 2] = [
    "a phrase or a chain of several types counts in each of them and once in all; a box counts once for each chain \
     that it shows",
    "phrases with box: those that are looked for when phrases are localised",
];

/// Each number of the whole set, with its key.
fn numbers(stats: &Stats) -> [(&'static str, &'static str, usize); 7] {
    [
        ("images", "images", stats.images),
        ("captions", "captions", stats.captions),
        ("unrelated captions", "unrelated_captions", stats.unrelated),
        ("phrases, not visual", "not_visual", stats.not_visual),
        ("chains, scene", "scene_chains", stats.scene_chains),
        ("boxes", "boxes", stats.boxes),
        ("boxes of several chains", "shared_boxes", stats.shared_boxes),
    ]
}

/// The whole set.
fn whole(stats: &Stats) -> Table<'_> {
    let row = |(name, _, count): (&str, &str, usize)| row![name, count];
    Table::new("the set", ["", "number"], 1, numbers(stats).into_iter().map(row))
}

/// Every type by its name, all of them last.
fn types(stats: &Stats) -> impl Iterator<Item = (&'static str, Counts)> {
    let names = PhraseType::VISUAL.map(PhraseType::name);
    let types = names.into_iter().zip(stats.by_type);
    types.chain([("all", stats.all)])
}

fn by_type(stats: &Stats) -> Table<'_> {
    let head = [
        "type",
        "phrases",
        "with box",
        "chains",
        "with box",
        "boxes",
        "phrases a chain",
        "boxes a chain",
    ];
    let row = |(name, of): (&str, Counts)| {
        let mean = |mean: Option<f64>| mean.map(|mean| Cell::Number(mean, 2));
        row![
            name,
            of.mentions,
            of.with_box,
            of.chains,
            of.chains_with_box,
            of.boxes,
            mean(of.mentions_per_chain()),
            mean(of.boxes_per_chain())
        ]
    };
    Table::new("phrases, chains and boxes by type", head, 1, types(stats).map(row))
}

/// The numbers of a type, each with its key.
fn counted(of: Counts) -> [(&'static str, Value); 7] {
    [
        ("mentions", json!(of.mentions)),
        ("mentions_with_box", json!(of.with_box)),
        ("chains", json!(of.chains)),
        ("chains_with_box", json!(of.chains_with_box)),
        ("boxes", json!(of.boxes)),
        ("mentions_per_chain", json!(of.mentions_per_chain())),
        ("boxes_per_chain", json!(of.boxes_per_chain())),
    ]
}

fn json(stats: &Stats) -> Value {
    let object = |of: Counts| {
        let numbers = counted(of).map(|(key, value)| (key.to_owned(), value));
        Value::Object(Map::from_iter(numbers))
    };
    let whole = numbers(stats).map(|(_, key, count)| (key.to_owned(), json!(count)));
    let types = types(stats).map(|(name, of)| (name.to_owned(), object(of)));
    let types = ("types".to_owned(), Value::Object(types.collect()));
    Value::Object(whole.into_iter().chain([types]).collect())
}

/// One number a row.
fn data(stats: &Stats) -> Table<'_> {
    let whole = numbers(stats).into_iter();
    let whole = whole.map(|(_, key, count)| row!["", key, count]);
    let types = types(stats).flat_map(|(name, of)| {
        let row = move |(key, value): (&str, Value)| row![name, key, value];
        counted(of).map(row)
    });
    Table::new("", ["type", "number", "value"], 2, whole.chain(types))
}
