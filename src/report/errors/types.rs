//! Error types and the parts of the covered queries.

use serde_json::{Value, json};

use super::{Errors, percent};
use crate::analysis::kinds::{self, Count};
use crate::analysis::survey::Tally;
use crate::data::index::ModelIx;
use crate::report::cell::Cell;
use crate::report::list::{List, Section};

/// The share of each part of the covered queries, a column for each model.
pub(super) fn parts(errors: &Errors<'_>) -> Section {
    let details = &errors.survey.details;
    let parts = details.iter().map(|detail| &*detail.breakdown.parts);
    let most = parts.max_by_key(|parts| parts.len()).unwrap_or_default();
    let title = "every covered query once, in percent";
    let mut list = List::new("", title, most).display("part", |part| part.name);
    for detail in details {
        let breakdown = &detail.breakdown;
        list = list.display(errors.model(detail.view.model), move |part| {
            let part = breakdown.parts.iter().find(|other| other.name == part.name)?;
            Some(percent(part.queries.len(), breakdown.covered))
        });
    }
    list.section()
}

/// The share of each error type that is not among [`parts`], a column for each model.
pub(super) fn overlapping_types(errors: &Errors<'_>) -> Section {
    let details = &errors.survey.details;
    let tallies = errors.survey.tallies.iter().filter(|tally| {
        let mut views = details.iter().map(|detail| detail.view);
        views.any(|view| view.model == tally.view.model && errors.truth(view.truth) == tally.truth)
    });
    let tallies: Vec<&Tally> = tallies.collect();
    let truth = details.first().map_or(String::new(), |detail| errors.truth(detail.view.truth));
    let title = format!("further error types under {truth}, which overlap, in percent");
    let is_part = |name: &str| {
        let mut parts = details.iter().flat_map(|detail| &detail.breakdown.parts);
        ["failure", "far miss"].contains(&name) || parts.any(|part| part.name == name)
    };
    let is_known = |at: usize| tallies.iter().any(|tally| tally.counts[at].is_some());
    let others = kinds::for_study(errors.study()).iter().enumerate();
    let others = others.filter(|(at, kind)| !is_part(kind.name) && is_known(*at));
    let mut list = List::new("", title, others).display("type", |(_, kind)| kind.name);
    for tally in &tallies {
        list =
            list.display(errors.model(tally.view.model), |(at, _)| kind_percent(tally.counts[*at]));
    }
    list.section()
}

/// The share of queries of an error type, in percent; `None` if it is undefined.
fn kind_percent(count: Option<Count>) -> Option<Cell> {
    Some(Cell::Number(100.0 * count?.share()?, 1))
}

/// A row for each error type of a model. Each truth has three columns: count, number of applicable queries, percent.
pub(super) fn by_truth(errors: &Errors<'_>, model: ModelIx) -> Section {
    let tallies = errors.survey.tallies.iter().filter(|tally| tally.view.model == model);
    let title = format!(
        "{}, {}: error types by ground truth",
        errors.model(model),
        errors.evidence.direction
    );
    let all = kinds::for_study(errors.study()).iter().enumerate();
    let mut list = List::new("", title, all).display("type", |(_, kind)| kind.name);
    for tally in tallies {
        list = list
            .display(&tally.truth, |(at, _)| tally.counts[*at].map(|count| count.met))
            .display("of", |(at, _)| tally.counts[*at].map(|count| count.of))
            .display("%", |(at, _)| kind_percent(tally.counts[*at]));
    }
    list.section()
}

/// For programs, a record for each error type of each model under each ground truth.
pub(super) fn kind_records(errors: &Errors<'_>) -> Section {
    let records = errors.survey.tallies.iter().flat_map(|tally| {
        let counts = kinds::for_study(errors.study()).iter().zip(&tally.counts);
        let counts = counts.map(move |(kind, count)| {
            (tally, kind.key, count.map(|count| count.met), count.map(|count| count.of))
        });
        std::iter::once((tally, "judged", Some(tally.covered), None)).chain(counts)
    });
    List::new("kinds", "", records)
        .data("model", |(tally, ..)| errors.model(tally.view.model))
        .data("truth", |(tally, ..)| &tally.truth)
        .data("direction", |(tally, ..)| tally.view.direction)
        .data("kind", |(_, kind, ..)| *kind)
        .data("queries", |(.., met, _)| *met)
        .data("of", |(.., applicable)| *applicable)
        .section()
}

/// The JSON of the counts of one model by ground truth.
pub(super) fn json(errors: &Errors<'_>, model: ModelIx) -> Value {
    let tallies = errors.survey.tallies.iter().filter(|tally| tally.view.model == model);
    let entry = |tally: &Tally| {
        let (mut met, mut of) = (json!({"judged": tally.covered}), json!({}));
        for (kind, count) in kinds::for_study(errors.study()).iter().zip(&tally.counts) {
            met[kind.key] = json!(count.map(|count| count.met));
            of[kind.key] = json!(count.map(|count| count.of));
        }
        met["of"] = of;
        (tally.truth.clone(), met)
    };
    Value::Object(tallies.map(entry).collect())
}
