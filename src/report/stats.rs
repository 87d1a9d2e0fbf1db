//! Truths compared.

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::data::{Direction, PerDirection};
use crate::truth::Truth;
use crate::truth::stats::{Counts, against, counts};

/// Notes below all tables.
const NOTES: [&str; 2] = [
    "against another ground truth every number is over the queries that both judge; not judged: queries of that one which \
     this one does not judge",
    "precision, recall and overlap (Jaccard) in percent, means over queries: over those with any positive of the \
     ground truth, of the other, of either",
];

/// Counts of each truth, and with a reference, the others compared with it.
pub fn report<'a>(truths: &'a [Truth], reference: Option<&'a Truth>) -> Report<'a> {
    let mut sections = vec![alone(truths)];
    sections.extend(reference.map(|reference| measured(truths, reference)));
    Report { notes: NOTES.map(str::to_owned).into(), ..Report::from_sections(sections) }
}

/// The truths in each direction, and a value of each.
fn each<T: Copy>(
    truths: &[Truth],
    of: impl Fn(&Truth) -> PerDirection<Option<T>>,
) -> impl Iterator<Item = (&str, Direction, T)> {
    truths.iter().flat_map(move |truth| {
        let values = of(truth);
        let known = move |direction| Some((&*truth.name, direction, values[direction]?));
        Direction::BOTH.into_iter().filter_map(known)
    })
}

fn list<'a, T>(
    key: &'static str,
    title: impl Into<String>,
    records: impl Iterator<Item = (&'a str, Direction, T)>,
) -> List<'a, (&'a str, Direction, T)> {
    List::new(key, title, records).column("truth", "truth", |(truth, ..)| *truth).column(
        "direction",
        "",
        |(_, direction, _)| *direction,
    )
}

fn alone(truths: &[Truth]) -> Section {
    let a_query = |of: Counts| Cell::Number(of.positives as f64 / of.queries.max(1) as f64, 2);
    list("truths", "positives of each ground truth", each(truths, counts))
        .column("queries", "queries", |(.., of)| of.queries)
        .column("positives", "positives", |(.., of)| of.positives)
        .shown("a query", move |(.., of)| a_query(*of))
        .column("fewest", "fewest", |(.., of)| of.extent.0)
        .column("most", "most", |(.., of)| of.extent.1)
        .section()
}

fn measured(truths: &[Truth], reference: &Truth) -> Section {
    let found = each(truths, |truth| against(truth, reference));
    let others = found.filter(|(truth, ..)| *truth != reference.name);
    let title = format!("against {}, on the queries that both judge", reference.name);
    list("against", title, others)
        .data("against", |_| reference.name.as_str())
        .column("queries", "queries", |(.., of)| of.queries)
        .column("not_judged", "not judged", |(.., of)| of.not_judged)
        .column("positives", "positives", |(.., of)| of.positives)
        .column("precision", "precision", |(.., of)| of.precision.map(Cell::share))
        .column("recall", "recall", |(.., of)| of.recall.map(Cell::share))
        .column("queries_with_any", "queries with any", |(.., of)| of.queries_with_any)
        .column("added", "added", |(.., of)| of.added)
        .column("removed", "removed", |(.., of)| of.removed)
        .column("common", "common", |(.., of)| of.common)
        .column("overlap", "overlap", |(.., of)| of.overlap.map(Cell::share))
        .section()
}
