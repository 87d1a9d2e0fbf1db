//! The pairs on which truths differ from another, in every format.

use serde_json::{Value, json};

use super::csv;
use super::found::id;
use super::sheet::{self, NO_NOTES, Sheet};
use crate::data::Direction;
use crate::data::json_text;
use crate::data::text::grouped;
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::stats::differences;

/// Which pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Those that the reference does not list.
    Added,
    /// Those that only the reference lists.
    Removed,
}

/// A pair: truth, direction, query and item.
type Pair<'a> = (&'a Truth, Direction, u32, u32);

/// The pairs of each truth, the reference left out.
fn pairs<'a>(truths: &[&'a Truth], reference: &Truth, which: Which) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    for &truth in truths.iter().filter(|truth| truth.name != reference.name) {
        for direction in Direction::BOTH {
            let found = differences(truth, reference, direction).unwrap_or_default();
            let of_truth = match which {
                Which::Added => found.added,
                Which::Removed => found.removed,
            };
            let named = |(query, item)| (truth, direction, query, item);
            pairs.extend(of_truth.into_iter().map(named));
        }
    }
    pairs
}

/// The ids of a pair and the text of its caption.
fn told(study: &Study, (_, direction, query, item): Pair<'_>) -> [String; 3] {
    let gallery = &study.gallery;
    let caption = match direction {
        Direction::I2t => item,
        Direction::T2i => query,
    };
    let text = gallery.texts.get(caption as usize);
    [
        gallery.queries(direction)[query as usize].to_string(),
        gallery.items(direction)[item as usize].to_string(),
        text.map_or_else(String::new, |text| text.shown().to_owned()),
    ]
}

/// A way of writing the pairs of these truths that differ from the reference.
type Write = fn(&Study, &[&Truth], &Truth, Which) -> String;

/// Every format, by the word after `--format`.
pub const FORMATS: &[(&str, Write)] = &[
    ("table", |study, truths, by, which| {
        sheet::text(&[sheet(study, truths, by, which)], &NO_NOTES)
    }),
    ("json", json),
    ("csv", csv),
    ("markdown", |study, truths, by, which| {
        sheet::markdown(&[sheet(study, truths, by, which)], &NO_NOTES)
    }),
    ("latex", |study, truths, by, which| {
        sheet::latex(&[sheet(study, truths, by, which)], &NO_NOTES)
    }),
];

const HEAD: [&str; 5] = ["truth", "direction", "query", "item", "caption"];

/// Truth, direction, ids and text of each pair.
fn rows(study: &Study, pairs: &[Pair<'_>]) -> Vec<[String; 5]> {
    let row = |pair: &Pair<'_>| {
        let [query, item, text] = told(study, *pair);
        [pair.0.name.clone(), pair.1.to_string(), query, item, text]
    };
    pairs.iter().map(row).collect()
}

/// For people.
fn sheet(study: &Study, truths: &[&Truth], reference: &Truth, which: Which) -> Sheet {
    let pairs = pairs(truths, reference, which);
    let what = match which {
        Which::Added => format!("not listed by {}", reference.name),
        Which::Removed => format!("listed by {} only", reference.name),
    };
    let plural = if pairs.len() == 1 { "pair" } else { "pairs" };
    Sheet {
        title: format!(
            "{} {plural} {what}, on the queries that both judge",
            grouped(pairs.len())
        ),
        head: HEAD.map(str::to_owned).into(),
        rows: rows(study, &pairs).into_iter().map(Vec::from).collect(),
        words: HEAD.len(),
    }
}

/// For data frames.
fn csv(study: &Study, truths: &[&Truth], reference: &Truth, which: Which) -> String {
    let pairs = pairs(truths, reference, which);
    let head = std::iter::once(HEAD.map(str::to_owned));
    csv::lines(head.chain(rows(study, &pairs)))
}

/// For programs.
fn json(study: &Study, truths: &[&Truth], reference: &Truth, which: Which) -> String {
    let pair = |pair: &Pair<'_>| {
        let [query, item, text] = told(study, *pair);
        json!({"truth": pair.0.name, "direction": pair.1.key(), "query": id(&query),
               "item": id(&item), "caption": text})
    };
    let pairs = pairs(truths, reference, which);
    let pairs: Vec<Value> = pairs.iter().map(pair).collect();
    let key = match which {
        Which::Added => "added",
        Which::Removed => "removed",
    };
    json_text::pretty(&json!({"against": reference.name, key: pairs}))
}
