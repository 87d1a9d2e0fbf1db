//! Scores of what was compared in pairs.

use serde_json::json;

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::annotate::preferences::Preferred;
use crate::metric::Unit;

/// The scores, the greatest first.
pub fn report(all: &[Preferred]) -> Report<'_> {
    let share = |value| Cell::Value(value, Unit::Share);
    let rows = all.iter().map(move |one| {
        let interval = Cell::interval(one.interval, share);
        row![
            &one.name,
            share(one.share),
            interval,
            Cell::Exact(one.wins),
            Cell::Exact(one.comparisons)
        ]
    });
    let head = ["name", "score", "95 % CI", "wins", "comparisons"];
    let data = ["name", "share", "low", "high", "wins", "comparisons"];
    let full = all.iter().map(|one| {
        let [low, high] = one.interval;
        row![&one.name, one.share, low, high, one.wins, one.comparisons]
    });
    Report {
        notes: vec![
            "Bradley-Terry scores of maximum likelihood, in percent of their sum; a tie counts as half a win for both"
                .into(),
            "95 % CI: of the logit of the score, by the observed information; comparisons are taken as independent".into(),
        ],
        ..Report::new(
            vec![Table::new("preferences", head, 1, rows)],
            Table::new("", data, 1, full),
            Json::tree(|| all.iter().map(entry).collect()),
        )
    }
}

fn entry(one: &Preferred) -> serde_json::Value {
    json!({"name": one.name, "share": one.share, "interval": one.interval, "wins": one.wins, "comparisons": one.comparisons})
}
