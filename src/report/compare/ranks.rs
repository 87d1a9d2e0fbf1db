//! More than two models: one table with ranks by each metric.

use serde_json::json;

use super::Compared;
use crate::analysis::inference::LEVEL;
use crate::analysis::leaderboard::{Entry, Leaderboard};
use crate::analysis::results::Sizes;
use crate::data::text::count;
use crate::metric::{Unit, shown_in};
use crate::report::Report;
use crate::report::cell::Cell;
use crate::report::list::{List, Section};

/// Columns of a conclusion.
const WIDTH: usize = 100;

/// Ranks of earlier results.
pub fn report(board: &Leaderboard, gallery: Option<Sizes>) -> Report<'static> {
    let study = gallery.map(|of| json!({"images": of.images, "captions": of.captions}));
    Report {
        heading: heading(board),
        notes: notes(board, None),
        best: Some("best model"),
        ..Report::from_sections(sections(board))
    }
    .with_facts(json!({ "study": study }))
}

/// The wrapped conclusion.
pub(super) fn heading(board: &Leaderboard) -> String {
    let fits = |line: &str| line.chars().count() <= WIDTH;
    crate::data::text::wrapped(&board.conclusion(), fits).join("\n")
}

/// A row for each model, for people; for programs one for each model and metric.
pub(super) fn sections(board: &Leaderboard) -> Vec<Section> {
    let models = count(board.entries.len(), "model");
    let units = shown_in(board.metrics.iter().map(|metric| metric.unit));
    let title = format!("{models} by {}, {units}", board.context());
    let mut shown = List::new("", title, &board.entries).shown("model", |of| &of.name);
    for (at, metric) in board.metrics.iter().enumerate() {
        shown = shown
            .shown(&metric.title, move |of| {
                let value = of.values[at].map(|value| Cell::Value(value, metric.unit));
                Cell::from(value).marked(of.ranks[at] == Some(1))
            })
            .shown("rank", move |of| of.ranks[at])
            .shown("", move |of| letters(of, at));
    }
    if board.metrics.len() > 1 {
        let cell = |of: &&Entry| match of.change()? {
            0 => Some(Cell::from(0_usize)),
            by => Some(Cell::Difference(by as f64, Unit::Rank)),
        };
        shown = shown.shown("change", cell);
    }
    let place = |of: &Entry, at: usize| {
        let metric = &board.metrics[at];
        metric.published(&board.directions, of.values[at]?)
    };
    if board.metrics.iter().any(|metric| metric.is_published) {
        shown = shown.shown("among 25 published", move |of| {
            let each = board.metrics.iter().enumerate();
            let places = each.filter_map(|(at, metric)| {
                Some(format!("{} by {}", place(of, at)?.rank, metric.title))
            });
            places.collect::<Vec<_>>().join(", ")
        });
    }
    let each = board.entries.iter().flat_map(|of| (0..board.metrics.len()).map(move |at| (of, at)));
    let data = List::new("ranks", "", each)
        .data("model", |(of, _)| &of.name)
        .data("source", |(of, _)| if of.is_result { "results" } else { "scores" })
        .data("metric", |(_, at)| &board.metrics[*at].key)
        .data("direction", |_| match board.directions.as_slice() {
            [one] => one.key(),
            _ => "both",
        })
        .data("value", |(of, at)| of.values[*at])
        .data("rank", |(of, at)| of.ranks[*at])
        .data("letters", |(of, at)| letters(of, *at))
        .data("published_rank", move |(of, at)| place(of, *at).map(|place| place.rank));
    vec![shown.section(), data.section()]
}

fn letters(of: &Entry, metric: usize) -> Cell {
    of.letters[metric].clone().into()
}

/// Meaning of the letters, and models without any.
pub(super) fn notes(board: &Leaderboard, compared: Option<&Compared<'_>>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(compared) = compared {
        let clusters = if compared.by_image { "images" } else { "queries" };
        notes.push(format!(
            "models that share a letter do not differ: Student's t over {clusters}, Holm over all pairs, p < {LEVEL}. Method: \
             docs/compare.md"
        ));
    }
    let results = board.entries.iter().filter(|of| of.is_result);
    let names: Vec<&str> = results.map(|of| of.name.as_str()).collect();
    if !names.is_empty() {
        notes.push(format!("from results, without values per query to test: {}", names.join(", ")));
    }
    notes
}
