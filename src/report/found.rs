//! The queries that meet a condition.

use serde_json::{Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::data::Direction;
use crate::data::text::{grouped, shown};
use crate::filter::{FilterMatches, MatchedQuery};
use crate::metric::Unit;
use crate::session::QuerySample;

/// What was asked, and what was found.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The condition, as it was written.
    pub condition: &'a str,
    /// The model whose numbers are told.
    pub model: &'a str,
    /// The truth that they are under.
    pub truth: &'a str,
    /// Direction of retrieval.
    pub direction: Direction,
    /// What was found.
    pub found: &'a FilterMatches,
    /// How the queries told were drawn, where not all are.
    pub drawn: Option<&'a QuerySample>,
}

impl Answer<'_> {
    /// How many of how many, in words: what a figure's caption should say.
    pub fn share(&self) -> String {
        let (met, of) = (self.found.met, self.found.of);
        format!("{} of {} queries", grouped(met), grouped(of))
    }

    /// A row for each query.
    pub fn report(&self) -> Report<'_> {
        Report::new(
            vec![self.table(["id", "rank", "R@1", "AP@R", "text"])],
            self.table(KEYS),
            Json::tree(|| self.json()),
        )
    }

    fn table(&self, head: [&str; 5]) -> Table<'_> {
        Table {
            numbers: 1..4,
            ..Table::new("", head, 1, self.found.queries.iter().map(row))
        }
    }

    fn json(&self) -> Value {
        let mut whole = json!({
            "where": shown(self.condition),
            "model": shown(self.model),
            "truth": shown(self.truth),
            "direction": self.direction.key(),
            "matched": self.found.met,
            "total": self.found.of,
            "queries": self.table(KEYS).records().collect::<Value>(),
        });
        if let Some(drawn) = self.drawn {
            whole["sampled"] = json!({
                "queries": drawn.sampled,
                "seed": drawn.seed,
                "diverse": drawn.diverse,
                "statement": drawn.sentence(self.direction),
            });
        }
        whole
    }
}

/// The columns for programs.
const KEYS: [&str; 5] = ["id", "rank", "r1", "map_at_r", "text"];

fn row(query: &MatchedQuery) -> Vec<Cell> {
    let text = query.text.as_ref();
    row![
        Cell::Id(query.id.clone()),
        query.rank,
        query.r1.map(|r1| r1 as u32),
        query.map_at_r.map(|share| Cell::Value(share, Unit::Share)),
        text.map_or(Cell::Empty, Cell::from)
    ]
}
