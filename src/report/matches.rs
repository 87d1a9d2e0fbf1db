//! The queries that meet a condition.

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::List;
use crate::data::Direction;
use crate::data::text::{count, grouped, shown};
use crate::filter::{FilterMatches, MatchedQuery};
use crate::session::QuerySample;

/// A query of `find`, and its results.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The condition, as it was written.
    pub condition: &'a str,
    /// The model of the numbers.
    pub model: &'a str,
    /// Their ground truth.
    pub truth: &'a str,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Headings of further columns.
    pub columns: &'a [&'a str],
    /// The results.
    pub found: &'a FilterMatches,
    /// How the listed queries were drawn, if not all are.
    pub drawn: Option<&'a QuerySample>,
}

impl Answer<'_> {
    /// The matches of all queries, in words, for a figure's caption. A query without a value neither meets the
    /// condition, nor fails it.
    pub fn share(&self) -> String {
        let FilterMatches { met, of, unknown, .. } = self.found;
        let queries = count(*of, "query");
        let [model, truth] = [self.model, self.truth].map(shown);
        let of_view = format!("model {model}, ground truth {truth}, {}", self.direction);
        let known = format!("{} of {queries} ({of_view})", grouped(*met));
        let known = match unknown {
            0 => known,
            1 => format!("{known}; 1 other has no value to compare"),
            _ => format!("{known}; {} others have no value to compare", grouped(*unknown)),
        };
        let printed = self.found.queries.len();
        match self.drawn {
            None if printed == 1 && *met > 1 => format!("{known}; the first is printed"),
            None if printed < *met => {
                format!("{known}; the first {} are printed", grouped(printed))
            }
            _ => known,
        }
    }

    /// A row for each query.
    pub fn report(&self) -> Report<'_> {
        let share = |of: &&MatchedQuery| of.map_at_r.map(|share| Cell::Number(share, 4));
        let mut list = List::new("queries", "", &self.found.queries)
            .column("id", "id", |of| Cell::Id(of.id.clone()))
            .column("rank", "rank", |of| of.rank)
            .column("r1", "R@1", |of| of.r1.map(|r1| r1 as u32))
            .column("map_at_r", "AP@R", share);
        for (at, &head) in self.columns.iter().enumerate() {
            list = list.column(head, head, move |of: &&MatchedQuery| number(of.values[at]));
        }
        let list =
            list.column("text", "text", |of| of.text.as_ref().map_or(Cell::Empty, Cell::from));
        let report = Report {
            notes: vec!["shares from 0 to 1, as in conditions".into()],
            ..Report::from_sections(vec![list.section()])
        };
        let report = report.with_facts(json!({
            "where": shown(self.condition),
            "model": shown(self.model),
            "truth": shown(self.truth),
            "direction": self.direction.key(),
            "matched": self.found.met,
            "total": self.found.of,
            "unknown": self.found.unknown,
        }));
        match self.drawn {
            None => report,
            Some(drawn) => report.with_json(
                "sampled",
                json!({
                    "queries": drawn.sampled,
                    "seed": drawn.seed,
                    "diverse": drawn.diverse,
                    "statement": drawn.sentence(self.direction),
                }),
            ),
        }
    }
}

/// A value of an expression: shown with at most four decimals.
pub(super) fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Undefined, |value| match value {
        whole if whole.fract() == 0.0 => Cell::Exact(whole),
        value => Cell::Number(value, 4),
    })
}
