//! Statistics of ground truths, and their comparison with one of them.

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::data::{Direction, PerDirection};
use crate::truth::Truth;
use crate::truth::stats::{TruthSize, compare, truth_sizes};

/// Notes below all tables.
const NOTES: [&str; 2] = [
    "against another ground truth every number is over the queries that both cover; not covered: queries of that one which \
     this one does not cover",
    "precision, recall and overlap (Jaccard) in percent, means over queries: over those with any positive of the \
     ground truth, of the other, of either",
];

/// Counts of each truth. With a reference, also the other truths against it.
pub fn report<'a>(truths: &'a [Truth], reference: Option<&'a Truth>) -> Report<'a> {
    let mut sections = vec![count_section(truths)];
    sections.extend(reference.map(|reference| reference_section(truths, reference)));
    Report { notes: NOTES.map(str::to_owned).into(), ..Report::from_sections(sections) }
}

/// A record for each truth in each direction that it has, with the value that `values` returns.
fn records<T: Copy>(
    truths: &[Truth],
    values: impl Fn(&Truth) -> PerDirection<Option<T>>,
) -> impl Iterator<Item = (&str, Direction, T)> {
    truths.iter().flat_map(move |truth| {
        let values = values(truth);
        let record = move |direction| Some((&*truth.name, direction, values[direction]?));
        Direction::BOTH.into_iter().filter_map(record)
    })
}

/// A list of [`records`], with columns of truth and direction.
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

/// A row for each truth and direction: its numbers of queries and positives.
fn count_section(truths: &[Truth]) -> Section {
    let per_query =
        |counts: TruthSize| Cell::Number(counts.positives as f64 / counts.queries.max(1) as f64, 2);
    list("truths", "positives of each ground truth", records(truths, truth_sizes))
        .column("queries", "queries", |(.., counts)| counts.queries)
        .column("positives", "positives", |(.., counts)| counts.positives)
        .display("a query", move |(.., counts)| per_query(*counts))
        .column("fewest", "fewest", |(.., counts)| counts.extent.0)
        .column("most", "most", |(.., counts)| counts.extent.1)
        .section()
}

/// A row for each other truth and direction: its agreement with the reference.
fn reference_section(truths: &[Truth], reference: &Truth) -> Section {
    let all = records(truths, |truth| compare(truth, reference));
    let others = all.filter(|(truth, ..)| *truth != reference.name);
    let title = format!("against {}, on the queries that both judge", reference.name);
    list("against", title, others)
        .data("against", |_| reference.name.as_str())
        .column("queries", "queries", |(.., counts)| counts.queries)
        .column("not_covered", "not covered", |(.., counts)| counts.not_covered)
        .column("positives", "positives", |(.., counts)| counts.positives)
        .column("precision", "precision", |(.., counts)| counts.precision.map(Cell::share))
        .column("recall", "recall", |(.., counts)| counts.recall.map(Cell::share))
        .column("queries_with_any", "queries with any", |(.., counts)| counts.queries_with_any)
        .column("added", "added", |(.., counts)| counts.added)
        .column("removed", "removed", |(.., counts)| counts.removed)
        .column("common", "common", |(.., counts)| counts.common)
        .column("overlap", "overlap", |(.., counts)| counts.overlap.map(Cell::share))
        .section()
}
