//! The queries that meet a condition, as table, JSON, CSV and Markdown.

use serde_json::{Value, json};

use super::table::with_numbers;
use super::{csv, markdown};
use crate::data::Direction;
use crate::data::json_text;
use crate::data::text::{grouped, shown};
use crate::filter::{Found, FoundQuery};
use crate::metric::Unit;
use crate::session::Drawn;

/// What was asked, and what was found.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The condition, as it was written.
    pub condition: &'a str,
    /// The model whose numbers are told.
    pub model: &'a str,
    /// The truth that they are under.
    pub truth: &'a str,
    /// Who asks whom.
    pub direction: Direction,
    /// What was found.
    pub found: &'a Found,
    /// How the queries told were drawn, where not all are.
    pub drawn: Option<&'a Drawn>,
}

/// A way of writing an [`Answer`].
type Write = fn(&Answer<'_>) -> String;

/// Every format, by the word after `--format`.
pub const FORMATS: &[(&str, Write)] = &[
    ("table", table),
    ("json", json),
    ("csv", csv),
    ("markdown", markdown),
];

impl Answer<'_> {
    /// How many of how many, in words: what a figure's caption should say.
    pub fn share(&self) -> String {
        let (met, of) = (self.found.met, self.found.of);
        format!("{} of {} queries", grouped(met), grouped(of))
    }
}

const HEAD: [&str; 5] = ["id", "rank", "R@1", "AP@R", "text"];

/// The cells of a query for people: the share in percent.
fn cells(query: &FoundQuery) -> Vec<String> {
    let dash = || "-".to_owned();
    let whole = |number: f64| format!("{number:.0}");
    vec![
        query.id.clone(),
        query.rank.map_or_else(dash, |rank| grouped(rank as usize)),
        query.r1.map_or_else(dash, whole),
        Unit::Share.shown(query.map_at_r),
        query.text.clone().unwrap_or_default(),
    ]
}

fn table(answer: &Answer<'_>) -> String {
    with_numbers(&HEAD, answer.found.queries.iter().map(cells), 1..4)
}

fn markdown(answer: &Answer<'_>) -> String {
    let line = |cells: Vec<String>| {
        let cells = cells.iter().map(|cell| markdown::escaped(cell));
        markdown::line(cells) + "\n"
    };
    let head = line(HEAD.map(String::from).to_vec());
    let rows = answer.found.queries.iter().map(|query| line(cells(query)));
    let rows: String = rows.collect();
    format!("{head}| --- | ---: | ---: | ---: | --- |\n{rows}")
}

fn csv(answer: &Answer<'_>) -> String {
    let head = ["id", "rank", "r1", "map_at_r", "text"].map(str::to_owned);
    let row = |query: &FoundQuery| {
        [
            query.id.clone(),
            query.rank.map_or(String::new(), |rank| rank.to_string()),
            csv::full(query.r1),
            csv::full(query.map_at_r),
            query.text.clone().unwrap_or_default(),
        ]
    };
    let rows = answer.found.queries.iter().map(row);
    csv::lines(std::iter::once(head).chain(rows))
}

fn json(answer: &Answer<'_>) -> String {
    let query = |query: &FoundQuery| {
        json!({
            "id": id(&query.id),
            "rank": query.rank,
            "r1": query.r1.map(|r1| r1 as u8),
            "map_at_r": query.map_at_r,
            "text": query.text,
        })
    };
    let mut whole = json!({
        "where": shown(answer.condition),
        "model": shown(answer.model),
        "truth": shown(answer.truth),
        "direction": answer.direction.key(),
        "met": answer.found.met,
        "of": answer.found.of,
        "queries": answer.found.queries.iter().map(query).collect::<Vec<Value>>(),
    });
    if let Some(drawn) = answer.drawn {
        whole["drawn"] = json!({
            "queries": drawn.drawn,
            "seed": drawn.seed,
            "diverse": drawn.diverse,
            "statement": drawn.sentence(answer.direction),
        });
    }
    json_text::pretty(&whole)
}

/// An id that is a number is a number in JSON too.
pub(super) fn id(id: &str) -> Value {
    use crate::data::id::Id;
    match Id::parse(id) {
        Id::Number(number) => json!(number),
        Id::Text(text) => json!(text),
    }
}
