//! Error types and the parts of the covered queries.

use serde_json::{Map, Value, json};

use super::{Errors, number};
use crate::analysis::kinds::{self, Count, Kind};
use crate::analysis::survey::Tally;
use crate::data::index::ModelIx;
use crate::report::cell::Cell;
use crate::report::list::{List, Section};

/// The share of each part of the covered queries, a column for each model.
pub(super) fn parts(errors: &Errors<'_>) -> Section {
    let details = &errors.survey.details;
    let first = details.first().map_or(&[][..], |of| &of.breakdown.parts);
    let title = "every covered query once, in percent";
    let parts = first.iter().enumerate();
    let mut list = List::new("", title, parts).shown("part", |(_, part)| part.name);
    for of in details {
        let breakdown = &of.breakdown;
        list = list.shown(errors.model(of.view.model), move |(at, _)| {
            number(breakdown.parts[*at].queries.len(), breakdown.covered)
        });
    }
    list.section()
}

/// The share of each error type that is no part under the ground truth of the details, a column for each model.
pub(super) fn others(errors: &Errors<'_>) -> Section {
    let details = &errors.survey.details;
    let tallies: Vec<&Tally> = details
        .iter()
        .filter_map(|of| {
            let name = errors.truth(of.view.truth);
            let mut tallies = errors.survey.tallies.iter();
            tallies.find(|tally| tally.view.model == of.view.model && tally.truth == name)
        })
        .collect();
    let truth = details.first().map_or(String::new(), |of| errors.truth(of.view.truth));
    let title = format!("further error types under {truth}, which overlap, in percent");
    let is_part = |name: &str| {
        let mut parts = details.iter().flat_map(|of| &of.breakdown.parts);
        name == "failure" || parts.any(|part| part.name == name)
    };
    let is_known = |at: usize| tallies.iter().any(|of| of.counts[at].is_some());
    let others = kinds::of(errors.study()).iter().enumerate();
    let others = others.filter(|(at, kind)| !is_part(kind.name) && is_known(*at));
    let mut list = List::new("", title, others).shown("type", |(_, kind)| kind.name);
    for tally in &tallies {
        list = list.shown(errors.model(tally.view.model), |(at, _)| percent(tally.counts[*at]));
    }
    list.section()
}

fn percent(count: Option<Count>) -> Option<Cell> {
    Some(Cell::Number(100.0 * count?.share()?, 1))
}

/// A row for each error type of a model, three columns for each truth.
pub(super) fn by_truth(errors: &Errors<'_>, model: ModelIx) -> Section {
    let tallies = errors.survey.tallies.iter().filter(|tally| tally.view.model == model);
    let all = kinds::of(errors.study()).iter().enumerate().map(Some);
    let title = format!(
        "{}, {}: error types by ground truth",
        errors.model(model),
        errors.evidence.direction
    );
    let mut list = List::new("", title, std::iter::once(None).chain(all))
        .shown("type", |of: &Option<(usize, &Kind)>| of.map_or("judged", |(_, kind)| kind.name));
    for tally in tallies {
        let counts = &tally.counts;
        list = list
            .shown(tally.truth.clone(), |of| match of {
                None => Some(tally.judged),
                Some((at, _)) => counts[*at].map(|count| count.met),
            })
            .shown("of", |of| {
                of.and_then(|(at, _)| counts[at]).map_or(Cell::Empty, |n| n.of.into())
            })
            .shown("%", |of| of.map_or(Some(Cell::Empty), |(at, _)| percent(counts[at])));
    }
    list.section()
}

/// A row for each error type under each ground truth, for programs.
pub(super) fn counts(errors: &Errors<'_>) -> Section {
    let each = errors.survey.tallies.iter().flat_map(|tally| {
        let counts = kinds::of(errors.study()).iter().zip(&tally.counts);
        let counts = counts.map(move |(kind, count)| {
            (tally, kind.key, count.map(|count| count.met), count.map(|count| count.of))
        });
        std::iter::once((tally, "judged", Some(tally.judged), None)).chain(counts)
    });
    List::new("kinds", "", each)
        .data("model", |(tally, ..)| errors.model(tally.view.model))
        .data("truth", |(tally, ..)| &tally.truth)
        .data("direction", |(tally, ..)| tally.view.direction)
        .data("kind", |(_, kind, ..)| *kind)
        .data("queries", |(.., met, _)| *met)
        .data("of", |(.., of)| *of)
        .section()
}

/// The same of one model as the JSON has it.
pub(super) fn tree(errors: &Errors<'_>, model: ModelIx) -> Value {
    let tallies = errors.survey.tallies.iter().filter(|tally| tally.view.model == model);
    let of = |tally: &Tally| {
        let counts = kinds::of(errors.study()).iter().zip(&tally.counts);
        let each = |number: fn(Count) -> usize| {
            counts.clone().map(move |(kind, count)| (kind.key.to_owned(), json!(count.map(number))))
        };
        let of: Map<String, Value> = each(|count| count.of).collect();
        let judged = ("judged".to_owned(), json!(tally.judged));
        let all = std::iter::once(judged).chain(each(|count| count.met));
        let all: Map<String, Value> = all.chain([("of".to_owned(), Value::Object(of))]).collect();
        (tally.truth.clone(), Value::Object(all))
    };
    Value::Object(tallies.map(of).collect())
}
