//! The queries of one kind of failure, in every format.

use serde_json::{Value, json};

use crate::analysis::evidence::Evidence;
use crate::analysis::kinds::{Count, Kind};
use crate::analysis::survey::Example;
use crate::data::json_text;
use crate::data::text::grouped;
use crate::data::words::Contrast;
use crate::metric::Unit;
use crate::report::csv;
use crate::report::found::id;
use crate::report::sheet::{self, NO_NOTES, Sheet};
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

/// One query with its texts.
struct Told {
    id: String,
    item: Option<String>,
    wanted: String,
    retrieved: String,
    extra: Vec<String>,
    missing: Vec<String>,
}

impl Listed<'_> {
    /// How many of how many, in words.
    pub fn share(&self) -> String {
        let Count { met, of } = self.count;
        format!("{} of {} queries", grouped(met), grouped(of))
    }

    fn examples(&self) -> impl Iterator<Item = (&Example, Told)> {
        let examples = self.examples.iter().take(self.limit);
        examples.map(|example| (example, self.told(example)))
    }

    fn told(&self, example: &Example) -> Told {
        let study = self.evidence.study;
        let direction = self.view.direction;
        let contrast = example.contrast.as_ref();
        let caption = |of: fn(&Contrast) -> u32| {
            contrast.map_or_else(String::new, |contrast| super::text(study, of(contrast)))
        };
        let word = |&number: &u32| self.evidence.texts.word(number).to_owned();
        let words = |of: Option<&Vec<u32>>| of.into_iter().flatten().map(word).collect();
        Told {
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
            study.truths[self.view.truth].name,
            self.share(),
        )
    }

    fn sheet(&self) -> Sheet {
        let row = |(example, told): (&Example, Told)| {
            let signed = |sign: char, words: Vec<String>| {
                words.into_iter().map(move |word| format!("{sign}{word}"))
            };
            let difference = signed('+', told.extra).chain(signed('-', told.missing));
            let difference: Vec<String> = difference.collect();
            vec![
                told.id,
                told.wanted,
                told.item.unwrap_or_default(),
                told.retrieved,
                difference.join(" "),
                example
                    .rank
                    .map_or("-".into(), |rank| grouped(rank as usize)),
                Unit::Share.shown(example.map_at_r),
            ]
        };
        let head = [
            "id",
            "right",
            "first",
            "its caption",
            "difference",
            "rank",
            "AP@R",
        ];
        Sheet {
            title: self.title(),
            head: head.map(str::to_owned).to_vec(),
            rows: self.examples().map(row).collect(),
            words: 5,
        }
    }
}

fn json(listed: &Listed<'_>) -> String {
    let study = listed.evidence.study;
    let example = |(example, told): (&Example, Told)| {
        json!({
            "id": id(&told.id),
            "rank": example.rank,
            "map_at_r": example.map_at_r,
            "first": told.item.as_deref().map(id),
            "right_text": told.wanted,
            "first_text": told.retrieved,
            "added": told.extra,
            "lacking": told.missing,
        })
    };
    let whole = json!({
        "kind": listed.kind.key,
        "meaning": listed.kind.meaning,
        "where": listed.kind.expression(study, listed.view),
        "model": study.models[listed.view.model].name,
        "truth": study.truths[listed.view.truth].name,
        "direction": listed.view.direction.key(),
        "count": listed.count.met,
        "of": listed.count.of,
        "queries": listed.examples().map(example).collect::<Vec<Value>>(),
    });
    json_text::pretty(&whole)
}

fn csv(listed: &Listed<'_>) -> String {
    let head = [
        "id",
        "rank",
        "map_at_r",
        "first",
        "right_text",
        "first_text",
        "added",
        "lacking",
    ];
    let rows = listed.examples().map(|(example, told)| {
        [
            told.id,
            example
                .rank
                .map_or_else(String::new, |rank| rank.to_string()),
            csv::full(example.map_at_r),
            told.item.unwrap_or_default(),
            told.wanted,
            told.retrieved,
            told.extra.join(" "),
            told.missing.join(" "),
        ]
    });
    csv::lines(std::iter::once(head.map(str::to_owned)).chain(rows))
}
