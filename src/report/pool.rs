//! What a pool of candidates holds: who proposed how much, what models share, what judging it costs.

use serde_json::{Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::annotate::hits::hits_of;
use crate::annotate::pool::{Overlap, Pool, Proposer, overlap};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::metric::Unit;

/// How people are asked.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Answers a minute.
    pub pace: f64,
    /// People who judge each pair.
    pub people: usize,
    /// Pairs that the ground truth lists already.
    pub listed: usize,
}

/// What judging a pool takes.
struct Cost {
    hits: usize,
    answers: usize,
    hours: f64,
}

impl Cost {
    fn of(pool: &Pool, effort: Effort) -> Self {
        let queries = pool.by_query();
        let hits: usize = queries.iter().map(|(_, _, pairs)| hits_of(pairs.len())).sum();
        // Each HIT has two more pairs, whose answers are known.
        let answers = (pool.pairs.len() + 2 * hits) * effort.people;
        Cost { hits, answers, hours: answers as f64 / effort.pace / 60.0 }
    }
}

/// The report; `truth` is the ground truth by which pairs count as listed.
pub fn report<'a>(pool: &'a Pool, truth: &'a str, effort: Effort) -> Report<'a> {
    let found = overlap(pool);
    let cost = Cost::of(pool, effort);
    let tables = [
        Some(proposed(&found)),
        (found.proposers.len() > 1).then(|| shared(&found)),
        Some(costs(pool, truth, effort, &cost)),
    ];
    let data = found.proposers.iter().map(counts).collect::<Vec<_>>();
    let json = json(pool, &found, truth, effort, &cost);
    Report {
        notes: notes(pool, effort),
        ..Report::new(
            tables.into_iter().flatten().collect(),
            Table::new("", ["proposed_by", "i2t", "t2i", "pairs", "only_it"], 1, data),
            Json::tree(move || json),
        )
    }
}

fn counts(one: &Proposer<'_>) -> Vec<Cell> {
    let [i2t, t2i] = Direction::both(|direction| one.by_direction[direction]);
    row![one.name, i2t, t2i, one.pairs, one.alone]
}

fn share(part: usize, whole: usize) -> Cell {
    if whole == 0 {
        return Cell::Undefined;
    }
    Cell::Value(part as f64 / whole as f64, Unit::Share)
}

fn proposed<'a>(found: &Overlap<'_>) -> Table<'a> {
    let of_one = |one: &Proposer<'_>| {
        let mut row = counts(one);
        row.push(share(one.alone, one.pairs));
        row
    };
    let rows: Vec<Vec<Cell>> = found.proposers.iter().map(of_one).collect();
    let head = ["proposed by", "i2t", "t2i", "pairs", "only it", "%"];
    Table::new("candidates", head, 1, rows)
}

/// Of the pairs of each, the share that the others proposed too.
fn shared<'a>(found: &Overlap<'_>) -> Table<'a> {
    let of_one = |one: &Proposer<'_>| {
        let shares = one.shared.iter().map(|&shared| share(shared, one.pairs));
        std::iter::once(Cell::from(one.name)).chain(shares).collect()
    };
    let rows: Vec<Vec<Cell>> = found.proposers.iter().map(of_one).collect();
    let names = found.proposers.iter().map(|one| one.name);
    let head: Vec<&str> = std::iter::once("% of the pairs of").chain(names).collect();
    Table::new("overlap before anything is judged", head, 1, rows)
}

fn costs<'a>(pool: &Pool, truth: &str, effort: Effort, cost: &Cost) -> Table<'a> {
    let rows = vec![
        row!["pairs", pool.pairs.len()],
        row![format!("of these positives of {truth}"), effort.listed],
        row!["HITs", cost.hits],
        row!["answers", cost.answers],
        if cost.hours < 1.0 {
            row!["minutes", Cell::Number(60.0 * cost.hours, 0)]
        } else {
            row!["hours", Cell::Number(cost.hours, 1)]
        },
    ];
    Table::new("cost", ["what", "count"], 1, rows)
}

fn notes(pool: &Pool, effort: Effort) -> Vec<String> {
    let head = &pool.head;
    let people = match effort.people {
        1 => "one person".to_owned(),
        people => format!("{people} people"),
    };
    let asked = Direction::BOTH.into_iter().filter(|&direction| head.queries[direction] > 0);
    let queries =
        asked.map(|direction| format!("{} {direction}", grouped(head.queries[direction])));
    let queries: Vec<String> = queries.collect();
    let both = "a pair found in both directions is one pair, and is asked in i2t";
    let both = (queries.len() > 1).then(|| both.to_owned());
    let (top, chosen) = (head.top, &head.chosen);
    let queries = queries.join(", ");
    let first = format!("top {top} of every model; queries: {queries} ({chosen})");
    let others = [
        format!("order: {}, the pairs of a query together", head.order),
        format!(
            "cost: {people} for each pair, {} answers a minute; a HIT has up to 18 candidates and two pairs whose answer is known",
            effort.pace
        ),
    ];
    [first].into_iter().chain(both).chain(others).collect()
}

fn json(pool: &Pool, found: &Overlap<'_>, truth: &str, effort: Effort, cost: &Cost) -> Value {
    let proposers = found.proposers.iter().map(|one| {
        let names = found.proposers.iter().map(|other| other.name.to_owned());
        let shared = names.zip(one.shared.iter().map(|&count| json!(count)));
        json!({
            "name": one.name, "i2t": one.by_direction.i2t, "t2i": one.by_direction.t2i, "pairs": one.pairs,
            "only_it": one.alone, "shared": Value::Object(shared.collect()),
        })
    });
    json!({
        "pool": pool.head, "pairs": found.pairs, "proposed_by": proposers.collect::<Vec<_>>(),
        "listed": {"truth": truth, "pairs": effort.listed},
        "cost": {"hits": cost.hits, "people": effort.people, "answers": cost.answers, "pace": effort.pace, "hours": cost.hours},
    })
}
