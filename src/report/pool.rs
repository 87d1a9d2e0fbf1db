//! Contents of an annotation pool: proposals by model, overlap, cost of judging.

use serde_json::json;

use super::Report;
use super::cell::{Cell, share};
use super::list::{List, Section};
use crate::annotate::hits::hits_of;
use crate::annotate::pool::{Pool, Proposer, overlap};
use crate::data::Direction;
use crate::data::text::{count, grouped};

/// Annotation setup.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Answers a minute.
    pub pace: f64,
    /// Annotators per pair.
    pub people: usize,
    /// Pairs already listed as positives.
    pub listed: usize,
}

/// The report; `truth` is the ground truth of listed pairs.
pub fn report<'a>(pool: &'a Pool, truth: &str, effort: Effort) -> Report<'a> {
    let found = overlap(pool);
    let mut sections = vec![candidates(&found)];
    if found.len() > 1 {
        sections.extend(shared(&found));
    }
    sections.push(cost(pool, truth, effort));
    Report { notes: notes(pool, effort), ..Report::from_sections(sections) }
        .with_json("pool", json!(pool.head))
}

fn candidates(found: &[Proposer<'_>]) -> Section {
    List::new("proposed_by", "candidates", found)
        .column("proposed_by", "proposed by", |one| one.name)
        .column("i2t", "i2t", |one| one.by_direction.i2t)
        .column("t2i", "t2i", |one| one.by_direction.t2i)
        .column("pairs", "pairs", |one| one.pairs)
        .column("only_it", "only it", |one| one.alone)
        .shown("%", |one| share(one.alone, one.pairs))
        .section()
}

/// Of the pairs of each, those also proposed by the others: for people shares in a square.
fn shared(all: &[Proposer<'_>]) -> [Section; 2] {
    let title = "overlap before anything is judged";
    let mut square = List::new("", title, all).shown("% of the pairs of", |one| one.name);
    for (at, other) in all.iter().enumerate() {
        square = square.shown(other.name, move |one| share(one.shared[at], one.pairs));
    }
    let each = all.iter().flat_map(|one| {
        all.iter().zip(&one.shared).map(move |(other, shared)| (one.name, other.name, *shared))
    });
    let each = List::new("shared", "", each)
        .data("proposed_by", |(name, ..)| *name)
        .data("other", |(_, other, _)| *other)
        .data("pairs", |(.., shared)| *shared);
    [square.section(), each.section()]
}

fn cost(pool: &Pool, truth: &str, effort: Effort) -> Section {
    let queries = pool.by_query();
    let hits: usize = queries.values().map(|pairs| hits_of(pairs.len())).sum();
    // Each HIT has two more pairs with known answers.
    let answers = (pool.pairs.len() + 2 * hits) * effort.people;
    List::new("cost", "cost", [effort])
        .column("pairs", "pairs", |_| pool.pairs.len())
        .column("listed", format!("positives of {truth}"), |of| of.listed)
        .column("hits", "HITs", move |_| hits)
        .data("people", |of| of.people)
        .data("pace", |of| of.pace)
        .column("answers", "answers", move |_| answers)
        .column("hours", "hours", move |of| Cell::Number(answers as f64 / of.pace / 60.0, 1))
        .section()
}

fn notes(pool: &Pool, effort: Effort) -> Vec<String> {
    let head = &pool.head;
    let asked = Direction::BOTH.into_iter().filter(|&direction| head.queries[direction] > 0);
    let queries =
        asked.map(|direction| format!("{} {direction}", grouped(head.queries[direction])));
    let queries: Vec<String> = queries.collect();
    let both =
        if queries.len() > 1 { "; a pair found in both directions is asked in i2t" } else { "" };
    let queries = queries.join(", ");
    vec![
        format!("top {} of every model; queries: {queries} ({})", head.top, head.chosen),
        format!("order: {}, the pairs of a query together{both}", head.order),
        format!(
            "cost: {} for each pair, {} answers a minute; a HIT has up to 18 candidates and two pairs whose answer is known",
            count(effort.people, "annotator"),
            effort.pace
        ),
    ]
}
