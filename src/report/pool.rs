//! Contents of an annotation pool: proposals by model, overlap, cost of judging.

use serde_json::json;

use super::Report;
use super::cell::{Cell, share};
use super::list::{List, Section};
use crate::annotate::hits::hit_count;
use crate::annotate::pool::{Pool, Proposer, proposer_overlap};
use crate::data::Direction;
use crate::data::text::{count, grouped};

/// Inputs of the cost estimate of an annotation pool.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Answers of an annotator per minute.
    pub pace: f64,
    /// Number of annotators per pair.
    pub people: usize,
    /// Number of pairs that the ground truth already lists as positives.
    pub listed: usize,
}

/// Proposals, overlap and cost; `truth` is the name of the ground truth of [`Effort::listed`].
pub fn report<'a>(pool: &'a Pool, truth: &str, effort: Effort) -> Report<'a> {
    let proposers = proposer_overlap(pool);
    let mut sections = vec![candidates(&proposers)];
    if proposers.len() > 1 {
        sections.extend(shared_pairs(&proposers));
    }
    sections.push(cost(pool, truth, effort));
    Report { notes: notes(pool, effort), ..Report::from_sections(sections) }
        .with_json("pool", json!(pool.head))
}

/// How many pairs each model proposed, and how many only it did.
fn candidates(proposers: &[Proposer<'_>]) -> Section {
    List::new("proposed_by", "candidates", proposers)
        .column("proposed_by", "proposed by", |one| one.name)
        .column("i2t", "i2t", |one| one.by_direction.i2t)
        .column("t2i", "t2i", |one| one.by_direction.t2i)
        .column("pairs", "pairs", |one| one.pairs)
        .column("only_it", "only it", |one| one.alone)
        .display("%", |one| share(one.alone, one.pairs))
        .section()
}

/// How many pairs of each model the others proposed too: shares for people, numbers for programs.
fn shared_pairs(all: &[Proposer<'_>]) -> [Section; 2] {
    let title = "overlap before anything is judged";
    let mut table = List::new("", title, all).display("% of the pairs of", |one| one.name);
    for (at, other) in all.iter().enumerate() {
        table = table.display(other.name, move |one| share(one.shared[at], one.pairs));
    }
    let records = all.iter().flat_map(|one| {
        all.iter().zip(&one.shared).map(move |(other, shared)| (one.name, other.name, *shared))
    });
    let data = List::new("shared", "", records)
        .data("proposed_by", |(name, ..)| *name)
        .data("other", |(_, other, _)| *other)
        .data("pairs", |(.., shared)| *shared);
    [table.section(), data.section()]
}

/// Number of pairs, HITs, answers and hours.
fn cost(pool: &Pool, truth: &str, effort: Effort) -> Section {
    let hits: usize = pool.by_query().values().map(|pairs| hit_count(pairs.len())).sum();
    // Each HIT has two more pairs, whose answers are known.
    let answers = (pool.pairs.len() + 2 * hits) * effort.people;
    List::new("cost", "cost", [effort])
        .column("pairs", "pairs", |_| pool.pairs.len())
        .column("listed", format!("positives of {truth}"), |effort| effort.listed)
        .column("hits", "HITs", move |_| hits)
        .data("people", |effort| effort.people)
        .data("pace", |effort| effort.pace)
        .column("answers", "answers", move |_| answers)
        .column("hours", "hours", move |one| Cell::Number(answers as f64 / one.pace / 60.0, 1))
        .section()
}

/// Notes on how the pool was made, on its order and on the cost.
fn notes(pool: &Pool, effort: Effort) -> Vec<String> {
    let head = &pool.head;
    let directions = Direction::BOTH.into_iter().filter(|&direction| head.queries[direction] > 0);
    let queries =
        directions.map(|direction| format!("{} {direction}", grouped(head.queries[direction])));
    let queries: Vec<String> = queries.collect();
    let order_note =
        if queries.len() > 1 { "; a pair found in both directions is asked in i2t" } else { "" };
    let queries = queries.join(", ");
    vec![
        format!("top {} of every model; queries: {queries} ({})", head.top, head.chosen),
        format!("order: {}, the pairs of a query together{order_note}", head.order),
        format!(
            "cost: {} for each pair, {} answers a minute; a HIT has up to 18 candidates and two pairs whose answer is known",
            count(effort.people, "annotator"),
            effort.pace
        ),
    ]
}
