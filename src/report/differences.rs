//! The pairs on which truths differ from another, as text and JSON.

use serde_json::{Value, json};

use super::found::id;
use super::table::aligned;
use crate::data::Direction;
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

/// For people.
pub fn text(study: &Study, truths: &[&Truth], reference: &Truth, which: Which) -> String {
    let pairs = pairs(truths, reference, which);
    let row = |pair: &Pair<'_>| {
        let named = [pair.0.name.clone(), pair.1.to_string()];
        named.into_iter().chain(told(study, *pair)).collect()
    };
    let head = ["truth", "direction", "query", "item", "caption"];
    let what = match which {
        Which::Added => format!("not listed by {}", reference.name),
        Which::Removed => format!("listed by {} only", reference.name),
    };
    let plural = if pairs.len() == 1 { "pair" } else { "pairs" };
    format!(
        "{} {plural} {what}, on its queries\n\n{}",
        grouped(pairs.len()),
        aligned(&head, pairs.iter().map(row), head.len())
    )
}

/// For programs.
pub fn json(study: &Study, truths: &[&Truth], reference: &Truth, which: Which) -> String {
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
    format!("{:#}\n", json!({"against": reference.name, key: pairs}))
}
