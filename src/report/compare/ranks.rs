//! More than two models: one table with ranks by each metric.

use serde_json::json;

use super::Comparison;
use crate::analysis::inference::LEVEL;
use crate::analysis::leaderboard::{Entry, Leaderboard};
use crate::analysis::results::Sizes;
use crate::data::text::count;
use crate::metric::{Unit, describe_units};
use crate::report::Report;
use crate::report::cell::Cell;
use crate::report::list::{List, Section};

/// Ranks of the models of earlier results. `gallery` is the number of images and captions; `None` if unknown.
pub fn report(board: &Leaderboard, gallery: Option<Sizes>) -> Report<'static> {
    let study = gallery.map(|size| json!({"images": size.images, "captions": size.captions}));
    Report {
        heading: board.conclusion(),
        notes: notes(board, None),
        best: Some("best model"),
        ..Report::from_sections(sections(board))
    }
    .with_facts(json!({ "study": study }))
}

/// For people, a row for each model; for programs, a record for each model and metric.
pub(super) fn sections(board: &Leaderboard) -> Vec<Section> {
    let models = count(board.entries.len(), "model");
    let units = describe_units(board.metrics.iter().map(|metric| metric.unit));
    let title = format!("{models} by {}, {units}", board.context());
    let mut table = List::new("", title, &board.entries).display("model", |entry| &entry.name);
    for (at, metric) in board.metrics.iter().enumerate() {
        table = table
            .display(&metric.title, move |entry| {
                let value = entry.values[at].map(|value| Cell::Value(value, metric.unit));
                Cell::from(value).mark_best(entry.ranks[at] == Some(1))
            })
            .display("rank", move |entry| entry.ranks[at])
            .display("", move |entry| entry.letters[at].clone());
    }
    if board.metrics.len() > 1 {
        let rank_change = |entry: &&Entry| match entry.rank_gain()? {
            0 => Some(Cell::from(0_usize)),
            by => Some(Cell::Difference(by as f64, Unit::Rank)),
        };
        table = table.display("change", rank_change);
    }
    let published_rank = |entry: &Entry, at: usize| {
        let metric = &board.metrics[at];
        metric.published_rank(&board.directions, entry.values[at]?)
    };
    if board.metrics.iter().any(|metric| metric.is_published) {
        table = table.display("among 25 published", move |entry| {
            let metrics = board.metrics.iter().enumerate();
            let ranks = metrics.filter_map(|(at, metric)| {
                Some(format!("{} by {}", published_rank(entry, at)?.rank, metric.title))
            });
            ranks.collect::<Vec<_>>().join(", ")
        });
    }
    let metrics = 0..board.metrics.len();
    let records = board.entries.iter().flat_map(|entry| metrics.clone().map(move |at| (entry, at)));
    let data = List::new("ranks", "", records)
        .data("model", |(entry, _)| &entry.name)
        .data("source", |(entry, _)| if entry.is_result { "results" } else { "scores" })
        .data("metric", |(_, at)| &board.metrics[*at].key)
        .data("direction", |_| match board.directions.as_slice() {
            [one] => one.key(),
            _ => "both",
        })
        .data("value", |(entry, at)| entry.values[*at])
        .data("rank", |(entry, at)| entry.ranks[*at])
        .data("letters", |(entry, at)| entry.letters[*at].clone())
        .data("published_rank", move |(entry, at)| Some(published_rank(entry, *at)?.rank));
    vec![table.section(), data.section()]
}

/// Notes on the letters, if `comparison` has their tests, and on models that have no letters.
pub(super) fn notes(board: &Leaderboard, comparison: Option<&Comparison<'_>>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(comparison) = comparison {
        let clusters = if comparison.by_image { "images" } else { "queries" };
        notes.push(format!(
            "models that share a letter do not differ: Student's t over {clusters}, Holm over all pairs, p < {LEVEL}. Method: \
             docs/compare.md"
        ));
    }
    let results = board.entries.iter().filter(|entry| entry.is_result);
    let names: Vec<&str> = results.map(|entry| entry.name.as_str()).collect();
    if !names.is_empty() {
        notes.push(format!("from results, without values per query to test: {}", names.join(", ")));
    }
    notes
}
