//! The queries behind a number of a comparison.

use serde_json::{Map, Value, json};

use super::cell::{Cell, id, row};
use super::{Json, Report, Table, caption_text};
use crate::analysis::listing::{Column, Listing, Of};
use crate::analysis::runs::Runs;
use crate::data::Direction;
use crate::data::text::count;
use crate::metric::Unit;
use crate::study::Study;

/// Queries, and what they are.
#[derive(Debug)]
pub struct Listed<'a> {
    /// Ids and texts.
    pub study: &'a Study,
    /// The names of the models that were compared.
    pub models: &'a [Runs],
    /// Direction of retrieval.
    pub direction: Direction,
    /// What was asked for, in words.
    pub title: String,
    /// The queries.
    pub listing: &'a Listing,
    /// The most to print.
    pub limit: usize,
}

impl Listed<'_> {
    /// A row for each query, with its numbers.
    pub fn report(&self) -> Report<'_> {
        Report {
            notes: self.note().into_iter().collect(),
            ..Report::new(vec![self.table()], self.data(), Json::tree(|| self.json()))
        }
    }

    /// How shares are written, and their differences where there are any.
    fn note(&self) -> Option<String> {
        let shares = self.listing.columns.iter();
        let mut shares = shares.filter(|column| column.unit == Some(Unit::Share)).peekable();
        shares.peek()?;
        let differ = shares.any(|column| column.what == Of::Difference);
        let differences = if differ { ", their differences in points" } else { "" };
        Some(format!("shares in percent{differences}"))
    }

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
        let caption = match self.direction {
            Direction::T2i => Some(query),
            Direction::I2t => self.study.own(Direction::I2t, query as usize).first(),
        };
        caption.map_or_else(String::new, |caption| caption_text(self.study, caption))
    }

    fn table(&self) -> Table<'_> {
        let row = |(query, numbers): &(u32, Vec<f64>)| {
            let cells = self.listing.columns.iter().zip(numbers);
            let mut row = row![Cell::Id(self.id(*query)), self.text(*query)];
            row.extend(cells.map(|(column, &number)| cell(column, number)));
            row
        };
        let mut head = ["id", "text"].map(str::to_owned).to_vec();
        head.extend(self.heads());
        let title = format!("{}: {}", self.title, count(self.listing.queries.len(), "query"));
        Table::new(title, head, 2, self.queries().map(row))
    }

    fn json(&self) -> Value {
        let heads = self.heads();
        let query = |(query, numbers): &(u32, Vec<f64>)| {
            let numbers = numbers.iter().map(|number| json!(number));
            let numbers = heads.iter().cloned().zip(numbers);
            json!({"id": id(&self.id(*query)), "text": self.text(*query),
                   "values": Value::Object(numbers.collect::<Map<String, Value>>())})
        };
        json!({
            "list": self.title,
            "direction": self.direction.key(),
            "count": self.listing.queries.len(),
            "queries": self.queries().map(query).collect::<Vec<Value>>(),
        })
    }

    /// One number a row.
    fn data(&self) -> Table<'_> {
        let heads = self.heads();
        let rows = self.queries().flat_map(move |(query, numbers)| {
            let of_query = heads.iter().zip(numbers);
            let row = |(head, number): (&String, &f64)| {
                row![Cell::Id(self.id(*query)), head, *number, self.text(*query)]
            };
            of_query.map(row).collect::<Vec<_>>()
        });
        Table::new("", ["id", "number", "value", "text"], 4, rows)
    }
}

fn cell(column: &Column, number: f64) -> Cell {
    match (column.what, column.unit) {
        (_, None) => Cell::Number(number, 3),
        (Of::Difference, Some(unit)) => Cell::Difference(number, unit),
        (_, Some(unit)) => Cell::Value(number, unit),
    }
}
