//! Error types and the parts of the covered queries.

use serde_json::{Value, json};

use super::{Errors, number};
use crate::analysis::kinds::{self, Count};
use crate::analysis::survey::Tally;
use crate::data::index::ModelIx;
use crate::data::text::grouped;
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
    let tallies = errors.survey.tallies.iter().filter(|tally| {
        let mut views = details.iter().map(|of| of.view);
        views.any(|of| of.model == tally.view.model && errors.truth(of.truth) == tally.truth)
    });
    let tallies: Vec<&Tally> = tallies.collect();
    let truth = details.first().map_or(String::new(), |of| errors.truth(of.view.truth));
    let title = format!("further error types under {truth}, which overlap, in percent");
    let is_part = |name: &str| {
        let mut parts = details.iter().flat_map(|of| &of.breakdown.parts);
        name == "failure" || parts.any(|part| part.name == name)
    };
    let is_known = |at: usize| tallies.iter().any(|of| of.counts[at].is_some());
    let others = kinds::for_study(errors.study()).iter().enumerate();
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
    let title = format!(
        "{}, {}: error types by ground truth",
        errors.model(model),
        errors.evidence.direction
    );
    let all = kinds::for_study(errors.study()).iter().enumerate();
    let mut list = List::new("", title, all).shown("type", |(_, kind)| kind.name);
    for tally in tallies {
        let head = format!("{} (n {})", tally.truth, grouped(tally.judged));
        list = list
            .shown(head, |(at, _)| tally.counts[*at].map(|count| count.met))
            .shown("of", |(at, _)| tally.counts[*at].map(|count| count.of))
            .shown("%", |(at, _)| percent(tally.counts[*at]));
    }
    list.section()
}

/// A row for each error type under each ground truth, for programs.
pub(super) fn counts(errors: &Errors<'_>) -> Section {
    let each = errors.survey.tallies.iter().flat_map(|tally| {
        let counts = kinds::for_study(errors.study()).iter().zip(&tally.counts);
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

/// The counts of one model by ground truth, as in the JSON.
pub(super) fn tree(errors: &Errors<'_>, model: ModelIx) -> Value {
    let tallies = errors.survey.tallies.iter().filter(|tally| tally.view.model == model);
    let of = |tally: &Tally| {
        let (mut met, mut of) = (json!({"judged": tally.judged}), json!({}));
        for (kind, count) in kinds::for_study(errors.study()).iter().zip(&tally.counts) {
            met[kind.key] = json!(count.map(|count| count.met));
            of[kind.key] = json!(count.map(|count| count.of));
        }
        met["of"] = of;
        (tally.truth.clone(), met)
    };
    Value::Object(tallies.map(of).collect())
}
