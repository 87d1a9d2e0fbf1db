//! Why models fail, for people: counts, and shares in percent.

use super::lacking::lacking;
use super::words::{self, swapped, words};
use super::{Errors, items, queries};
use crate::analysis::breakdown;
use crate::analysis::kinds::{self as error_types, Kind};
use crate::analysis::rescale::{Quality, WhatIf};
use crate::analysis::survey::{Detail, Tally};
use crate::analysis::words::LEVEL;
use crate::data::index::ModelIx;
use crate::data::text::{count as told, grouped};
use crate::metric::Unit;
use crate::rank::hubs::{DEVIATIONS, Hub, Occurrences};
use crate::report::Table;
use crate::report::cell::{Cell, row};

/// Ids of queries that a hub takes, as examples.
const EXAMPLES: usize = 3;

pub(super) fn tables<'a>(errors: &'a Errors<'_>) -> Vec<Table<'a>> {
    let details = &errors.survey.details;
    let mut tables = vec![parts(errors)];
    if !errors.is_full {
        tables.push(types(errors));
        tables.extend(details.iter().filter_map(|detail| what_if(errors, detail)));
        return tables;
    }
    for detail in details {
        tables.push(kinds(errors, detail.view.model));
        tables.push(hubness(errors, detail));
        tables.extend(hubs(errors, detail));
        tables.extend(words(errors, detail));
        tables.extend(swapped(errors, detail));
        tables.extend(lacking(errors, detail));
        tables.extend(what_if(errors, detail));
    }
    tables
}

/// The models as heads of columns, after what the rows are.
fn models(errors: &Errors<'_>, first: &str) -> Vec<String> {
    let names = errors.survey.details.iter().map(|of| errors.model(of.view.model).to_owned());
    std::iter::once(first.to_owned()).chain(names).collect()
}

/// The share of each part of the covered queries, a column for each model.
fn parts<'a>(errors: &'a Errors<'_>) -> Table<'a> {
    let details = &errors.survey.details;
    let count = details.first().map_or(0, |of| of.breakdown.parts.len());
    let row = move |at: usize| {
        let part = |of: &Detail| share(of.breakdown.parts[at].queries.len(), of.breakdown.covered);
        let mut cells = row![details[0].breakdown.parts[at].name];
        cells.extend(details.iter().map(|of| Cell::from(part(of))));
        cells
    };
    let title = "every covered query once, in percent";
    Table::new(title, models(errors, "part"), 1, (0..count).map(row))
}

/// The share of each error type that is no part under the ground truth of the details, a column for each model.
fn types<'a>(errors: &'a Errors<'_>) -> Table<'a> {
    let details = &errors.survey.details;
    let tally = |of: &Detail| {
        let name = errors.truth(of.view.truth);
        let mut tallies = errors.survey.tallies.iter();
        tallies.find(|tally| tally.view.model == of.view.model && tally.truth == name)
    };
    let tallies: Vec<Option<&Tally>> = details.iter().map(tally).collect();
    let truth = details.first().map_or(String::new(), |of| errors.truth(of.view.truth));
    let title = format!("further error types under {truth}, which overlap, in percent");
    let is_part = |name: &str| {
        let mut parts = details.iter().flat_map(|of| &of.breakdown.parts);
        name == "failure" || parts.any(|part| part.name == name)
    };
    let all = error_types::of(errors.study()).iter().enumerate();
    let is_known = |at: usize| tallies.iter().flatten().any(|of| of.counts[at].is_some());
    let others = all.filter(|(at, kind)| !is_part(kind.name) && is_known(*at));
    let others: Vec<(usize, &Kind)> = others.collect();
    let row = move |(at, kind): (usize, &Kind)| {
        let count = |tally: Option<&Tally>| {
            tally.and_then(|of| of.counts[at]).map_or(Cell::Undefined, |of| of.percent().into())
        };
        let mut cells = row![kind.name];
        cells.extend(tallies.iter().copied().map(count));
        cells
    };
    Table::new(title, models(errors, "type"), 1, others.into_iter().map(row))
}

/// Of each model the hubs, the words of its failures that are no chance, and where the rest is told.
pub(super) fn notes(errors: &Errors<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for detail in &errors.survey.details {
        let model = errors.model(detail.view.model);
        let first: usize = detail.hubs.iter().map(|hub| hub.first).sum();
        let all = errors.evidence.of_model(detail.view.model).retrieved.queries.len();
        lines.push(format!(
            "{model}: {} first for {} % of all {}",
            told(detail.hubs.len(), "hub"),
            share(first, all),
            queries(errors.evidence.direction)
        ));
        let words: Vec<&str> = errors
            .words(detail)
            .filter(|word| word.p_holm < LEVEL)
            .map(|word| errors.evidence.texts.word(word.word))
            .collect();
        lines.push(match &*words {
            [] => format!("{model}: no word is more common among failures (Holm)"),
            words => format!("{model}: more common among failures (Holm): {}", words.join(", ")),
        });
    }
    lines.push(
        "--full: every ground truth, hubs and words; what the types mean: docs/errors.md".into(),
    );
    lines
}

/// What the kinds are, once below all tables.
pub(super) fn legend(errors: &Errors<'_>) -> Vec<String> {
    let mut lines = vec![
        "kinds overlap: a query may be of several, and a failure of none".to_owned(),
        "of: the judged queries of which all is known that the kind compares (of two ground truths those that both \
         judge); shares in percent of these"
            .to_owned(),
    ];
    lines.extend(words::legend(errors));
    let all = error_types::of(errors.study()).len();
    let lacks = |tally: &Tally| tally.counts[..all].contains(&None);
    if errors.survey.tallies.iter().any(lacks) {
        lines.push("·: the study lacks what the kind is about".to_owned());
    }
    let view = errors.survey.details.first().map(|detail| detail.view);
    lines.extend(view.map(|view| {
        let truth = errors.truth(view.truth);
        format!(
            "conditions in brackets: those of values under {truth}, as `find --where` takes them"
        )
    }));
    let expression = |kind: &Kind| kind.expression(errors.study(), view?);
    lines.extend(error_types::of(errors.study()).iter().map(|kind| match expression(kind) {
        Some(condition) => format!("{}: {} ({condition})", kind.name, kind.meaning),
        None => format!("{}: {}", kind.name, kind.meaning),
    }));
    lines
}

/// A row for each kind, three columns for each truth.
fn kinds<'a>(errors: &'a Errors<'_>, model: ModelIx) -> Table<'a> {
    let tallies = errors.survey.tallies.iter();
    let tallies: Vec<&Tally> = tallies.filter(|tally| tally.view.model == model).collect();
    let mut head = vec!["kind".to_owned()];
    let mut judged = row!["judged"];
    for tally in &tallies {
        head.extend([tally.truth.clone(), "of".into(), "%".into()]);
        judged.extend([tally.judged.into(), Cell::Empty, Cell::Empty]);
    }
    let row = move |(at, kind): (usize, &Kind)| {
        let mut cells = row![kind.name];
        for tally in &tallies {
            cells.extend(match tally.counts[at] {
                None => [Cell::Undefined, Cell::Empty, Cell::Empty],
                Some(count) => [count.met.into(), count.of.into(), count.percent().into()],
            });
        }
        cells
    };
    let all = error_types::of(errors.study());
    let rows = std::iter::once(judged).chain(all.iter().enumerate().map(row));
    let (model, direction) = (errors.model(model), errors.evidence.direction);
    let title = format!("{model}, {direction}: error types by ground truth");
    Table::new(title, head, 1, rows)
}

fn share(count: usize, of: usize) -> String {
    format!("{:.1}", breakdown::share(count, of))
}

/// How retrieval spreads over the items.
fn hubness<'a>(errors: &'a Errors<'_>, detail: &'a Detail) -> Table<'a> {
    let of = errors.evidence.of_model(detail.view.model);
    let direction = errors.evidence.direction;
    let row = |depth: &Occurrences| {
        let two = |value| Cell::Number(value, 2);
        row![
            depth.k.to_string(),
            two(depth.mean),
            two(depth.deviation),
            depth.skewness.map(two),
            depth.most(),
            depth.never,
            share(depth.never, depth.items)
        ]
    };
    let title = format!(
        "{}, {direction}: N_k, how many of {} {} have each of {} {} among their first k",
        errors.model(detail.view.model),
        grouped(of.retrieved.queries.len()),
        queries(direction),
        grouped(of.retrieved.items.len()),
        items(direction),
    );
    let head = ["k", "mean", "deviation", "skewness", "most", "never", "%"];
    Table::new(title, head, 0, of.hubness.depths.iter().map(row))
}

/// The top hubs; `None` where there is no hub, or none is asked for.
fn hubs<'a>(errors: &'a Errors<'_>, detail: &'a Detail) -> Option<Table<'a>> {
    let of = errors.evidence.of_model(detail.view.model);
    let depths = of.hubness.depths.iter();
    let mut head = ["id", "text"].map(str::to_owned).to_vec();
    head.extend(depths.map(|depth| format!("N_{}", depth.k)));
    head.extend(["top-1 misses", "of judged", "of queries such as"].map(str::to_owned));
    let row = |hub: &Hub| {
        let mut cells = row![Cell::Id(errors.item(hub.item)), errors.item_text(hub.item)];
        cells.extend(hub.occurrences.iter().map(|&n| Cell::from(n)));
        let ids = errors.study().gallery.queries(errors.evidence.direction);
        let such = hub.taken.iter().take(EXAMPLES);
        let such: Vec<String> = such.map(|&query| ids[query as usize].to_string()).collect();
        cells.extend(row![hub.taken.len(), hub.judged, Cell::List(such)]);
        cells
    };
    let hubs = detail.hubs.iter().take(errors.hubs);
    Table::new(hubs_title(errors, detail), head, 2, hubs.map(row)).if_any()
}

fn hubs_title(errors: &Errors<'_>, detail: &Detail) -> String {
    let of = errors.evidence.of_model(detail.view.model);
    let first: usize = detail.hubs.iter().map(|hub| hub.first).sum();
    let taken: usize = detail.hubs.iter().map(|hub| hub.taken.len()).sum();
    let direction = errors.evidence.direction;
    format!(
        "{}, {} first for {} {} or more (over mean + {DEVIATIONS} deviations): together first for {} % \
         of all, a top-1 miss for {} judged under {}",
        told(detail.hubs.len(), "hub"),
        items(direction),
        of.hubness.first().threshold(),
        queries(direction),
        share(first, of.retrieved.queries.len()),
        grouped(taken),
        errors.truth(detail.view.truth),
    )
}

/// Numbers with rescaled scores; `None` where nothing was rescaled.
fn what_if<'a>(errors: &'a Errors<'_>, detail: &'a Detail) -> Option<Table<'a>> {
    let of_direction = |of: &'a WhatIf| {
        let before = ("as it is".to_owned(), of.before);
        let after = of.after.iter();
        let after = after.map(|(way, after)| (way.to_string(), *after));
        let row = |(name, after)| [row![of.direction, name], qualities(after, of.before)].concat();
        std::iter::once(before).chain(after).map(row)
    };
    let title = format!(
        "{}: what if scores were comparable over items, under {}",
        errors.model(detail.view.model),
        errors.truth(detail.view.truth)
    );
    let head = ["", "scores", "judged", "R@1", "change", "mAP@R", "change"];
    let rows = detail.what_if.iter().flat_map(of_direction);
    Table::new(title, head, 2, rows).if_any()
}

/// Judged queries, then each number with its change.
fn qualities(now: Quality, before: Quality) -> Vec<Cell> {
    let mut cells = row![now.r1.judged];
    for (now, then) in [(now.r1, before.r1), (now.map_at_r, before.map_at_r)] {
        let both = now.value.zip(then.value);
        let change = both.map(|(now, then)| Cell::Difference(now - then, Unit::Share));
        let now = now.value.map(|value| Cell::Value(value, Unit::Share));
        cells.extend(row![now, change]);
    }
    cells
}
