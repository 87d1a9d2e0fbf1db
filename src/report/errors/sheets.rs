//! Why models fail, for people: counts, and shares in percent.

use super::words::{self, swapped, words};
use super::{Errors, items, queries};
use crate::analysis::kinds::{KINDS, Kind};
use crate::analysis::rescale::{Quality, WhatIf};
use crate::analysis::survey::{Detail, Tally};
use crate::data::text::grouped;
use crate::metric::Unit;
use crate::rank::hubs::{DEVIATIONS, Hub, Occurrences};
use crate::report::sheet::{self, Sheet};

/// Ids of queries that a hub takes, as examples.
const EXAMPLES: usize = 3;

pub(super) fn text(errors: &Errors<'_>) -> String {
    sheet::text(&sheets(errors), &legend(errors))
}

pub(super) fn markdown(errors: &Errors<'_>) -> String {
    sheet::markdown(&sheets(errors), &legend(errors))
}

pub(super) fn latex(errors: &Errors<'_>) -> String {
    sheet::latex(&sheets(errors), &legend(errors))
}

fn sheets(errors: &Errors<'_>) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    for detail in &errors.survey.details {
        sheets.push(kinds(errors, detail.view.model));
        sheets.push(hubness(errors, detail));
        sheets.extend(hubs(errors, detail));
        sheets.extend(words(errors, detail));
        sheets.extend(swapped(errors, detail));
        sheets.extend(what_if(errors, detail));
    }
    sheets
}

/// What the kinds are, once below all tables.
fn legend(errors: &Errors<'_>) -> Vec<String> {
    let mut lines = vec![
        "kinds overlap: a query may be of several, and a failure of none".to_owned(),
        "of: the judged queries of which all is known that the kind compares (of two truths those that both \
         judge); shares in percent of these"
            .to_owned(),
    ];
    lines.extend(words::legend(errors));
    let lacks = |tally: &Tally| tally.counts.contains(&None);
    if errors.survey.tallies.iter().any(lacks) {
        lines.push("-: the study lacks what the kind is about".to_owned());
    }
    let view = errors.survey.details.first().map(|detail| detail.view);
    lines.extend(view.map(|view| {
        let truth = errors.truth(view.truth);
        format!(
            "conditions in brackets: those of values under {truth}, as `find --where` takes them"
        )
    }));
    let expression = |kind: &Kind| kind.expression(errors.study(), view?);
    lines.extend(KINDS.iter().map(|kind| match expression(kind) {
        Some(condition) => format!("{}: {} ({condition})", kind.name, kind.meaning),
        None => format!("{}: {}", kind.name, kind.meaning),
    }));
    lines
}

pub(super) fn heads<const N: usize>(heads: [&str; N]) -> Vec<String> {
    heads.map(str::to_owned).to_vec()
}

/// A row for each kind, three columns for each truth.
fn kinds(errors: &Errors<'_>, model: usize) -> Sheet {
    let tallies = errors.survey.tallies.iter();
    let tallies: Vec<&Tally> = tallies.filter(|tally| tally.view.model == model).collect();
    let mut head = vec!["kind".to_owned()];
    let mut judged = vec!["judged".to_owned()];
    for tally in &tallies {
        let truth = errors.truth(tally.view.truth);
        head.extend([truth, "of", "%"].map(str::to_owned));
        judged.extend([grouped(tally.judged), String::new(), String::new()]);
    }
    let row = |(at, kind): (usize, &Kind)| {
        let mut cells = vec![kind.name.to_owned()];
        for tally in &tallies {
            cells.extend(match tally.counts[at] {
                None => ["-", "", ""].map(str::to_owned),
                Some(count) => [grouped(count.met), grouped(count.of), count.percent()],
            });
        }
        cells
    };
    let rows = std::iter::once(judged).chain(KINDS.iter().enumerate().map(row));
    Sheet {
        title: format!(
            "{}, {}: kinds of failure by truth",
            errors.model(model),
            errors.evidence.direction
        ),
        head,
        rows: rows.collect(),
        words: 1,
    }
}

fn share(count: usize, of: usize) -> String {
    format!("{:.1}", 100.0 * count as f64 / of.max(1) as f64)
}

/// How retrieval spreads over the items.
fn hubness(errors: &Errors<'_>, detail: &Detail) -> Sheet {
    let of = errors.evidence.of_model(detail.view.model);
    let direction = errors.evidence.direction;
    let row = |depth: &Occurrences| {
        let skewness = depth.skewness;
        vec![
            depth.k.to_string(),
            format!("{:.2}", depth.mean),
            format!("{:.2}", depth.deviation),
            skewness.map_or("-".into(), |skewness| format!("{skewness:.2}")),
            grouped(depth.most() as usize),
            grouped(depth.never),
            share(depth.never, depth.items),
        ]
    };
    Sheet {
        title: format!(
            "{}, {direction}: N_k, how many of {} {} have each of {} {} among their first k",
            errors.model(detail.view.model),
            grouped(of.retrieved.queries.len()),
            queries(direction),
            grouped(of.retrieved.items.len()),
            items(direction),
        ),
        head: heads(["k", "mean", "deviation", "skewness", "most", "never", "%"]),
        rows: of.hubness.depths.iter().map(row).collect(),
        words: 0,
    }
}

/// The top hubs; `None` where there is no hub, or none is asked for.
fn hubs(errors: &Errors<'_>, detail: &Detail) -> Option<Sheet> {
    let of = errors.evidence.of_model(detail.view.model);
    let depths = of
        .hubness
        .depths
        .iter()
        .map(|depth| format!("N_{}", depth.k));
    let mut head = vec!["id".to_owned(), "text".to_owned()];
    head.extend(depths);
    head.extend(heads(["wrong first", "of queries such as"]));
    let row = |hub: &Hub| {
        let mut cells = vec![errors.item(hub.item), errors.item_text(hub.item)];
        cells.extend(hub.occurrences.iter().map(|&n| grouped(n as usize)));
        let ids = errors.study().gallery.queries(errors.evidence.direction);
        let such = hub.taken.iter().take(EXAMPLES);
        let such: Vec<String> = such.map(|&query| ids[query as usize].to_string()).collect();
        cells.extend([grouped(hub.taken.len()), such.join(" ")]);
        cells
    };
    let rows: Vec<Vec<String>> = detail.hubs.iter().take(errors.hubs).map(row).collect();
    (!rows.is_empty()).then(|| Sheet {
        title: hubs_title(errors, detail),
        head,
        rows,
        words: 2,
    })
}

fn hubs_title(errors: &Errors<'_>, detail: &Detail) -> String {
    let of = errors.evidence.of_model(detail.view.model);
    let first: usize = detail.hubs.iter().map(|hub| hub.first).sum();
    let taken: usize = detail.hubs.iter().map(|hub| hub.taken.len()).sum();
    let direction = errors.evidence.direction;
    let count = detail.hubs.len();
    let plural = if count == 1 { "" } else { "s" };
    format!(
        "{} hub{plural}, {} first for {} {} or more (over mean + {DEVIATIONS} deviations): together first for {} % \
         of all, wrong for {} judged under {}",
        grouped(count),
        items(direction),
        of.hubness.first().threshold(),
        queries(direction),
        share(first, of.retrieved.queries.len()),
        grouped(taken),
        errors.truth(detail.view.truth),
    )
}

/// Numbers with rescaled scores; `None` where nothing was rescaled.
fn what_if(errors: &Errors<'_>, detail: &Detail) -> Option<Sheet> {
    let of_direction = |of: &WhatIf| {
        let before = ("as it is".to_owned(), of.before);
        let after = of
            .after
            .iter()
            .map(|(way, after)| (way.to_string(), *after));
        let all = std::iter::once(before).chain(after);
        let row = |(name, after)| {
            let named = vec![of.direction.to_string(), name];
            [named, qualities(after, of.before)].concat()
        };
        all.map(row).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = detail.what_if.iter().flat_map(of_direction).collect();
    (!rows.is_empty()).then(|| Sheet {
        title: format!(
            "{}: what if scores were comparable over items, under {}",
            errors.model(detail.view.model),
            errors.truth(detail.view.truth)
        ),
        head: heads(["", "scores", "judged", "R@1", "change", "mAP@R", "change"]),
        rows,
        words: 2,
    })
}

/// Judged queries, then each number with its change.
fn qualities(now: Quality, before: Quality) -> Vec<String> {
    let mut cells = vec![grouped(now.r1.judged)];
    for (now, then) in [(now.r1, before.r1), (now.map_at_r, before.map_at_r)] {
        let both = now.value.zip(then.value);
        let change = both.map(|(now, then)| format!("{:+.2}", 100.0 * (now - then)));
        cells.push(Unit::Share.shown(now.value));
        cells.push(change.unwrap_or_else(|| "-".to_owned()));
    }
    cells
}
