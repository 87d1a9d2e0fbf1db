//! The queries that meet a condition.

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::List;
use crate::data::Direction;
use crate::data::text::{count, grouped, shown};
use crate::filter::{FilterMatches, MatchedQuery};
use crate::session::QuerySample;
use crate::study::Study;
use crate::truth::Truth;

/// The result of `find`: the queries that meet a condition.
#[derive(Debug)]
pub struct MatchReport<'a> {
    /// The study.
    pub study: &'a Study,
    /// The condition, as it was written.
    pub condition: &'a str,
    /// Name of the model.
    pub model: &'a str,
    /// Name of the ground truth.
    pub truth: &'a str,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Headings of the requested columns.
    pub columns: &'a [&'a str],
    /// The matching queries.
    pub found: &'a FilterMatches,
    /// How the listed queries were sampled, if not all are listed.
    pub sample: Option<&'a QuerySample>,
}

impl MatchReport<'_> {
    /// How many queries meet the condition, have no value to compare, and are printed, as text.
    pub fn counts_text(&self) -> String {
        let FilterMatches { met, searched, unknown, .. } = self.found;
        let queries = count(*searched, "query");
        let [model, truth] = [self.model, self.truth].map(shown);
        let mut view = format!("model {model}, ground truth {truth}, {}", self.direction);
        if let Some(wider) = wider_truth(self.study, self.direction, *searched) {
            view = format!("{view}; {wider}");
        }
        let matches = format!("{} of {queries} ({view})", grouped(*met));
        let matches = match unknown {
            0 => matches,
            1 => format!("{matches}; 1 other has no value to compare"),
            _ => format!("{matches}; {} others have no value to compare", grouped(*unknown)),
        };
        let printed = self.found.queries.len();
        match self.sample {
            None if printed == 1 && *met > 1 => format!("{matches}; the first is printed"),
            None if printed < *met => {
                format!("{matches}; the first {} are printed", grouped(printed))
            }
            _ => matches,
        }
    }

    /// A row for each query.
    pub fn report(&self) -> Report<'_> {
        let map_at_r = |query: &&MatchedQuery| query.map_at_r.map(|share| Cell::Number(share, 4));
        let rank = match self.study.models.len() {
            ..=1 => "rank".to_owned(),
            _ => format!("{}: rank", shown(self.model)),
        };
        let mut list = List::new("queries", "", &self.found.queries)
            .column("id", "id", |query| Cell::Id(query.id.clone()))
            .column("rank", rank, |query| query.rank)
            .column("r1", "R@1", |query| query.r1.map(|r1| r1 as u32))
            .column("map_at_r", "AP@R", map_at_r);
        for (at, &head) in self.columns.iter().enumerate() {
            list = list.column(head, head, move |query: &&MatchedQuery| number(query.values[at]));
        }
        let list =
            list.column("text", "text", |one| one.text.as_ref().map_or(Cell::Empty, Cell::from));
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
            "total": self.found.searched,
            "unknown": self.found.unknown,
        }));
        match self.sample {
            None => report,
            Some(sample) => report.with_json(
                "sampled",
                json!({
                    "queries": sample.sampled,
                    "seed": sample.seed,
                    "diverse": sample.diverse,
                    "statement": sample.sentence(self.direction),
                }),
            ),
        }
    }
}

/// The ground truth that covers the most queries of a direction, since only covered queries are searched; `None` if no
/// more than `searched`.
pub(super) fn wider_truth(study: &Study, direction: Direction, searched: usize) -> Option<String> {
    let covered = |truth: &Truth| Some((truth.covered_queries(direction)?, truth.name.clone()));
    let widest = study.truths.iter().rev().filter_map(covered).max_by_key(|(queries, _)| *queries);
    let (queries, name) = widest.filter(|(queries, _)| *queries > searched)?;
    Some(format!("--truth {}: {}", shown(&name), grouped(queries)))
}

/// The value of an expression: a whole number, or one with four decimals; undefined if `None`.
pub(super) fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Undefined, |value| match value {
        whole if whole.fract() == 0.0 => Cell::Exact(whole),
        value => Cell::Number(value, 4),
    })
}
