//! Truth against truth.

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::data::{Direction, PerDirection};
use crate::metric::Unit;
use crate::truth::Truth;
use crate::truth::stats::{Agreement, Counts, against, counts};

/// What is said once below all tables.
const NOTES: [&str; 2] = [
    "against another ground truth every number is over the queries that both judge; not judged: queries of that one which \
     this one does not judge",
    "precision, recall and overlap (Jaccard) in percent, means over queries: over those with any positive of the \
     ground truth, of the other, of either",
];

/// The counts of each truth, and where there is a reference, the others measured by it.
pub fn report<'a>(truths: &'a [Truth], reference: Option<&'a Truth>) -> Report<'a> {
    let mut sections = vec![alone(truths)];
    sections.extend(reference.map(|reference| measured(truths, reference)));
    Report { notes: NOTES.map(str::to_owned).into(), ..Report::of(sections) }
}

/// A truth in a direction, and what is known of it there.
struct Of<'a, T> {
    truth: &'a str,
    direction: Direction,
    found: T,
}

fn each<T: Copy>(
    truths: &[Truth],
    of: impl Fn(&Truth) -> PerDirection<Option<T>>,
) -> impl Iterator<Item = Of<'_, T>> {
    truths.iter().flat_map(move |truth| {
        let values = of(truth);
        let both = Direction::BOTH.into_iter();
        both.filter_map(move |direction| {
            Some(Of { truth: &truth.name, direction, found: values[direction]? })
        })
    })
}

fn list<'a, T: Copy>(
    key: &'static str,
    title: impl Into<String>,
    records: impl Iterator<Item = Of<'a, T>>,
) -> List<'a, Of<'a, T>> {
    List::new(key, title, records).column("truth", "truth", |of| of.truth).column(
        "direction",
        "",
        |of| of.direction,
    )
}

fn alone(truths: &[Truth]) -> Section {
    let a_query = |of: Counts| Cell::Number(of.positives as f64 / of.queries.max(1) as f64, 2);
    list("truths", "positives of each ground truth", each(truths, counts))
        .column("queries", "queries", |of| of.found.queries)
        .column("positives", "positives", |of| of.found.positives)
        .shown("a query", move |of| a_query(of.found))
        .column("fewest", "fewest", |of| of.found.extent.0)
        .column("most", "most", |of| of.found.extent.1)
        .section()
}

fn measured(truths: &[Truth], reference: &Truth) -> Section {
    let share = |share: Option<f64>| share.map(|share| Cell::Value(share, Unit::Share));
    let found = each(truths, |truth| against(truth, reference));
    let others = found.filter(|of: &Of<'_, Agreement>| of.truth != reference.name);
    let title = format!("against {}, on the queries that both judge", reference.name);
    list("against", title, others)
        .data("against", |_| reference.name.as_str())
        .column("queries", "queries", |of| of.found.queries)
        .column("not_judged", "not judged", |of| of.found.not_judged)
        .column("positives", "positives", |of| of.found.positives)
        .column("precision", "precision", move |of| share(of.found.precision))
        .column("recall", "recall", move |of| share(of.found.recall))
        .column("queries_with_any", "queries with any", |of| of.found.queries_with_any)
        .column("added", "added", |of| of.found.added)
        .column("removed", "removed", |of| of.found.removed)
        .column("common", "common", |of| of.found.common)
        .column("overlap", "overlap", move |of| share(of.found.overlap))
        .section()
}
