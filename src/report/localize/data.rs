//! Localisation for programs: full precision, shares from 0 to 1.

use serde_json::{Map, Value, json};

use super::tables::types;
use super::{KEYS, Localised, THRESHOLDS};
use crate::analysis::inference::Estimate;
use crate::analysis::localised::RecallDifference;
use crate::metric::Unit;
use crate::phrase::PhraseType;
use crate::phrase::localisation::{COLUMNS, Extent, Measured, Recall, THRESHOLD, Truth};
use crate::report::Table;
use crate::report::cell::{Cell, row};

pub(super) fn json(told: &Localised<'_>) -> Value {
    let targets = told.targets;
    let models = told.models.iter().zip(told.intervals);
    json!({
        "protocol": protocol(told),
        "images": targets.images.len(),
        "sentences": targets.sentences(),
        "phrases": targets.phrases.len(),
        "models": models.map(|(model, interval)| of_model(told, model, *interval)).collect::<Vec<Value>>(),
        "comparisons": told.differences.iter().map(|of| comparison(told, of)).collect::<Vec<Value>>(),
    })
}

fn protocol(told: &Localised<'_>) -> Value {
    let protocol = told.protocol;
    json!({
        "key": protocol.key,
        "truth": match protocol.truth {
            Truth::Enclosing => "enclosing_box",
            Truth::Any => "any_box",
        },
        "iou": match protocol.extent {
            Extent::Plain => "plain",
            Extent::PlusOne => "plus_one",
        },
        "first_coordinate": 1,
        "threshold": THRESHOLD,
        "most_boxes": protocol.most,
        "xywh": told.reading.is_xywh,
        "by_score": told.reading.by_score,
        "nms": told.reading.nms,
    })
}

fn of_model(told: &Localised<'_>, model: &Measured, interval: Option<[f64; 2]>) -> Value {
    let mut whole = recall(&model.at(THRESHOLD));
    let (mean, most) = model.boxes();
    let by_type = types(told).map(|kind| {
        let of_type = recall(&model.of_type(told.targets, kind));
        (kind.name().to_owned(), Value::Object(of_type))
    });
    let by_threshold = THRESHOLDS.map(|threshold| {
        let mut at = recall(&model.at(threshold));
        at.insert("iou".into(), json!(threshold));
        Value::Object(at)
    });
    let more = [
        ("name", json!(model.name)),
        ("source", json!(model.source)),
        ("r1_low", json!(interval.map(|ends| ends[0]))),
        ("r1_high", json!(interval.map(|ends| ends[1]))),
        ("boxes_per_phrase", json!(mean)),
        ("most_boxes", json!(most)),
        ("without_boxes", json!(model.without())),
        ("by_type", Value::Object(by_type.collect())),
        ("by_iou", json!(by_threshold)),
        ("confusion", confusion(told, model)),
    ];
    whole.extend(more.map(|(key, value)| (key.to_owned(), value)));
    Value::Object(whole)
}

/// The number of phrases and the shares of them.
fn recall(recall: &Recall) -> Map<String, Value> {
    let mut told = Map::from_iter([("phrases".to_owned(), json!(recall.phrases))]);
    let shares = KEYS.into_iter().enumerate();
    told.extend(shares.map(|(depth, key)| (key.to_owned(), json!(recall.share(depth)))));
    told
}

/// Counts by the type of the phrase, and by that of what its first box lies on.
fn confusion(told: &Localised<'_>, model: &Measured) -> Value {
    let names = || PhraseType::VISUAL.map(PhraseType::name).into_iter().chain(["none"]);
    let row = |kind: PhraseType| {
        let counts = model.confusion(told.targets, kind).map(|count| json!(count));
        let counts = names().map(str::to_owned).zip(counts);
        (kind.name().to_owned(), Value::Object(counts.collect()))
    };
    Value::Object(types(told).map(row).collect())
}

fn comparison(told: &Localised<'_>, of: &RecallDifference) -> Value {
    let means = of.paired.means();
    let interval = of.estimate.map(Estimate::interval);
    let [wins, ties, losses] = of.paired.counts(Unit::Share);
    json!({
        "models": of.models.map(|model| told.name(model)),
        "metric": KEYS[of.depth],
        "phrases": of.paired.len(),
        "clusters": of.clusters,
        "first": means.map(|means| means[0]),
        "second": means.map(|means| means[1]),
        "delta": means.map(|[first, second]| first - second),
        "low": interval.map(|ends| ends[0]),
        "high": interval.map(|ends| ends[1]),
        "p": of.estimate.map(Estimate::p),
        "p_holm": of.corrected.holm,
        "wins": wins,
        "ties": ties,
        "losses": losses,
    })
}

const HEAD: [&str; 7] = ["model", "protocol", "type", "metric", "iou", "phrases", "value"];

/// One share a row: of all phrases at every threshold, of each type at the usual one.
pub(super) fn data<'a>(told: &'a Localised<'_>) -> Table<'a> {
    let rows = told.models.iter().flat_map(move |model| {
        let all = THRESHOLDS.map(|threshold| ("all", threshold, model.at(threshold)));
        let by_type =
            types(told).map(|kind| (kind.name(), THRESHOLD, model.of_type(told.targets, kind)));
        let all = all.into_iter().chain(by_type.collect::<Vec<_>>());
        all.flat_map(move |(kind, threshold, recall)| {
            let row = move |depth: usize| {
                let value = Cell::from(recall.share(depth));
                row![
                    &model.name,
                    told.protocol.key,
                    kind,
                    KEYS[depth],
                    threshold,
                    recall.phrases,
                    value
                ]
            };
            (0..COLUMNS).map(row)
        })
    });
    Table::new("", HEAD, 4, rows)
}
