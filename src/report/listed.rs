//! The queries behind a number of a comparison.

use serde_json::{Map, Value, json};

use super::cell::{Cell, id};
use super::list::List;
use super::{Json, Report, caption_text};
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
        let shares = self.listing.columns.iter().any(|column| column.unit == Some(Unit::Share));
        let title = format!("{}: {}", self.title, count(self.listing.queries.len(), "query"));
        let mut list = List::new("queries", title, self.queries())
            .column("id", "id", |(query, _)| Cell::Id(self.id(*query)))
            .column("text", "text", |(query, _)| self.text(*query));
        for (at, column) in self.listing.columns.iter().enumerate() {
            let head = self.head(column);
            list = list.column(head.clone(), head, move |(_, numbers)| cell(column, numbers[at]));
        }
        Report {
            notes: shares.then(|| "shares in percent".to_owned()).into_iter().collect(),
            json: Json::tree(|| self.json()),
            ..Report::of(vec![list.section()])
        }
    }

    fn queries(&self) -> impl Iterator<Item = &(u32, Vec<f64>)> {
        self.listing.queries.iter().take(self.limit)
    }

    /// The heading of a number.
    fn head(&self, column: &Column) -> String {
        match column.what {
            Of::Model(model) => format!("{} {}", self.models[model].name, column.key),
            Of::Difference => "difference".to_owned(),
            Of::Both => column.key.clone(),
        }
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

    fn json(&self) -> Value {
        let query = |(query, numbers): &(u32, Vec<f64>)| {
            let heads = self.listing.columns.iter().map(|column| self.head(column));
            let numbers = heads.zip(numbers.iter().map(|number| json!(number)));
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
}

fn cell(column: &Column, number: f64) -> Cell {
    match (column.what, column.unit) {
        (_, None) => Cell::Number(number, 3),
        (Of::Difference, Some(unit)) => Cell::Difference(number, unit),
        (_, Some(unit)) => Cell::Value(number, unit),
    }
}
