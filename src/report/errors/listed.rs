//! The queries of one error type.

use serde_json::{Value, json};

use crate::analysis::evidence::Evidence;
use crate::analysis::kinds::{Count, Kind};
use crate::analysis::survey::Example;
use crate::data::text::grouped;
use crate::data::words::Contrast;
use crate::metric::Unit;
use crate::report::cell::{Cell, row};
use crate::report::{Json, Report, Table, caption_text};
use crate::study::View;

/// Queries, and what they are.
pub struct Listed<'a> {
    /// What they were found in.
    pub evidence: &'a Evidence<'a>,
    /// Of which model under which truth.
    pub view: View,
    /// Their kind.
    pub kind: &'a Kind,
    /// All of them.
    pub examples: &'a [Example],
    /// How many there are, and of how many that could be of the kind.
    pub count: Count,
    /// The most to print.
    pub limit: usize,
}

/// One query with its texts.
struct ExampleTexts {
    id: String,
    item: Option<String>,
    wanted: String,
    retrieved: String,
    extra: Vec<String>,
    missing: Vec<String>,
}

impl Listed<'_> {
    /// A row for each query.
    pub fn report(&self) -> Report<'_> {
        Report::new(vec![self.table()], self.data(), Json::tree(|| self.json()))
    }

    /// How many of how many, in words.
    pub fn share(&self) -> String {
        let Count { met, of } = self.count;
        format!("{} of {} queries", grouped(met), grouped(of))
    }

    fn examples(&self) -> impl Iterator<Item = (&Example, ExampleTexts)> {
        let examples = self.examples.iter().take(self.limit);
        examples.map(|example| (example, self.texts(example)))
    }

    fn texts(&self, example: &Example) -> ExampleTexts {
        let study = self.evidence.study;
        let direction = self.view.direction;
        let contrast = example.contrast.as_ref();
        let caption = |of: fn(&Contrast) -> u32| {
            contrast.map_or_else(String::new, |contrast| caption_text(study, of(contrast)))
        };
        let word = |&number: &u32| self.evidence.texts.word(number).to_owned();
        let words = |of: Option<&Vec<u32>>| of.into_iter().flatten().map(word).collect();
        ExampleTexts {
            id: study.gallery.queries(direction)[example.query as usize].to_string(),
            item: example
                .item
                .map(|item| study.gallery.items(direction)[item as usize].to_string()),
            wanted: caption(|contrast| contrast.wanted),
            retrieved: caption(|contrast| contrast.retrieved),
            extra: words(contrast.map(|contrast| &contrast.extra)),
            missing: words(contrast.map(|contrast| &contrast.missing)),
        }
    }

    fn title(&self) -> String {
        let study = self.evidence.study;
        format!(
            "{} of {} {} under {}: {}; + words of the first item's caption that the right one lacks, - the \
             other way round",
            self.kind.name,
            study.models[self.view.model].name,
            self.view.direction,
            self.evidence.truth_name(self.view.truth),
            self.share(),
        )
    }

    fn table(&self) -> Table<'_> {
        let row = |(example, told): (&Example, ExampleTexts)| {
            let signed = |sign: char, words: Vec<String>| {
                words.into_iter().map(move |word| format!("{sign}{word}"))
            };
            let difference = signed('+', told.extra).chain(signed('-', told.missing));
            row![
                Cell::Id(told.id),
                told.wanted,
                told.item.map_or(Cell::Empty, Cell::Id),
                told.retrieved,
                Cell::List(difference.collect()),
                example.rank,
                value(example)
            ]
        };
        let head = ["id", "right", "first", "its caption", "difference", "rank", "AP@R"];
        Table::new(self.title(), head, 5, self.examples().map(row))
    }

    fn json(&self) -> Value {
        let study = self.evidence.study;
        json!({
            "kind": self.kind.key,
            "meaning": self.kind.meaning,
            "where": self.kind.expression(study, self.view),
            "model": study.models[self.view.model].name,
            "truth": self.evidence.truth_name(self.view.truth),
            "direction": self.view.direction.key(),
            "count": self.count.met,
            "of": self.count.of,
            "queries": self.data().records().collect::<Value>(),
        })
    }

    fn data(&self) -> Table<'_> {
        let head =
            ["id", "rank", "map_at_r", "first", "right_text", "first_text", "added", "lacking"];
        let rows = self.examples().map(|(example, told)| {
            row![
                Cell::Id(told.id),
                example.rank,
                value(example),
                told.item.map(Cell::Id),
                told.wanted,
                told.retrieved,
                Cell::List(told.extra),
                Cell::List(told.missing)
            ]
        });
        Table::new("", head, head.len(), rows)
    }
}

fn value(example: &Example) -> Option<Cell> {
    let value = example.map_at_r;
    value.map(|value| Cell::Value(value, Unit::Share))
}
