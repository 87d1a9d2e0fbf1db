//! The queries behind a number of a comparison, in every format.

use serde_json::{Map, Value, json};

use super::cell::id;
use super::csv;
use super::sheet::{self, NO_NOTES, Sheet};
use crate::analysis::listing::{Column, Listing, Of};
use crate::analysis::runs::Runs;
use crate::data::Direction;
use crate::data::json_text;
use crate::data::text::grouped;
use crate::metric::Unit;
use crate::study::Study;

/// Queries, and what they are.
#[derive(Debug)]
pub struct Listed<'a> {
    /// Ids and texts.
    pub study: &'a Study,
    /// The names of the models that were compared.
    pub models: &'a [Runs],
    /// Who asks whom.
    pub direction: Direction,
    /// What was asked for, in words.
    pub title: String,
    /// The queries.
    pub listing: &'a Listing,
    /// The most to print.
    pub limit: usize,
}

/// A way of writing a [`Listed`].
type Write = fn(&Listed<'_>) -> String;

/// Every format, by the word after `--format`.
pub const FORMATS: &[(&str, Write)] = &[
    ("table", |listed| listed.sheet().text()),
    ("json", json),
    ("csv", csv),
    ("markdown", |listed| listed.sheet().markdown()),
    ("latex", |listed| sheet::latex(&[listed.sheet()], &NO_NOTES)),
];

impl Listed<'_> {
    fn queries(&self) -> impl Iterator<Item = &(u32, Vec<f64>)> {
        self.listing.queries.iter().take(self.limit)
    }

    /// The heading of each number.
    fn heads(&self) -> Vec<String> {
        let head = |column: &Column| match column.what {
            Of::Model(model) => format!("{} {}", self.models[model].name, column.key),
            Of::Difference => "difference".to_owned(),
            Of::Both => column.key.clone(),
        };
        self.listing.columns.iter().map(head).collect()
    }

    fn id(&self, query: u32) -> String {
        self.study.gallery.queries(self.direction)[query as usize].to_string()
    }

    /// The caption; of an image its first one.
    fn text(&self, query: u32) -> String {
        let gallery = &self.study.gallery;
        let caption = match self.direction {
            Direction::T2i => Some(query),
            Direction::I2t => self.study.own(Direction::I2t, query as usize).first(),
        };
        let text = caption.and_then(|caption| gallery.texts.get(caption as usize));
        text.map_or_else(String::new, |text| text.shown().to_owned())
    }

    fn sheet(&self) -> Sheet {
        let row = |(query, numbers): &(u32, Vec<f64>)| {
            let cells = self.listing.columns.iter().zip(numbers);
            let cells = cells.map(|(column, &number)| shown(column, number));
            let named = [self.id(*query), self.text(*query)];
            named.into_iter().chain(cells).collect()
        };
        let count = self.listing.queries.len();
        let plural = if count == 1 { "query" } else { "queries" };
        let named = ["id", "text"].map(str::to_owned).into_iter();
        Sheet {
            title: format!("{}: {} {plural}", self.title, grouped(count)),
            head: named.chain(self.heads()).collect(),
            rows: self.queries().map(row).collect(),
            words: 2,
        }
    }
}

fn shown(column: &Column, number: f64) -> String {
    match (column.what, column.unit) {
        (_, None) => format!("{number:.3}"),
        (Of::Difference, Some(Unit::Share)) => format!("{:+.2}", number * 100.0),
        (Of::Difference, Some(Unit::Sum)) => format!("{number:+.2}"),
        (Of::Difference, Some(Unit::Rank)) => format!("{number:+.0}"),
        (_, Some(unit)) => unit.shown(Some(number)),
    }
}

fn json(listed: &Listed<'_>) -> String {
    let heads = listed.heads();
    let query = |(query, numbers): &(u32, Vec<f64>)| {
        let numbers = heads
            .iter()
            .cloned()
            .zip(numbers.iter().map(|number| json!(number)));
        json!({"id": id(&listed.id(*query)), "text": listed.text(*query),
               "values": Value::Object(numbers.collect::<Map<String, Value>>())})
    };
    let whole = json!({
        "list": listed.title,
        "direction": listed.direction.key(),
        "count": listed.listing.queries.len(),
        "queries": listed.queries().map(query).collect::<Vec<Value>>(),
    });
    json_text::pretty(&whole)
}

/// One number a row.
fn csv(listed: &Listed<'_>) -> String {
    let heads = listed.heads();
    let rows = listed.queries().flat_map(|(query, numbers)| {
        let of_query = heads.iter().zip(numbers);
        of_query.map(|(head, number)| {
            [
                listed.id(*query),
                head.clone(),
                number.to_string(),
                listed.text(*query),
            ]
        })
    });
    let head = ["id", "number", "value", "text"].map(str::to_owned);
    csv::lines(std::iter::once(head).chain(rows))
}
