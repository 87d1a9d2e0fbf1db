//! One query and the first items of its rankings.

use serde_json::{Value, json};

use super::cell::{Cell, id, row};
use super::{Json, Report, Table};
use crate::data::Direction;
use crate::data::text::{grouped, shown};
use crate::truth::standing::{Badge, Standing};

/// A query and what ranks first for it.
#[derive(Debug)]
pub struct Shown {
    /// Direction of retrieval.
    pub direction: Direction,
    /// The truth that positives are of.
    pub truth: String,
    /// The candidate pool, in words; `None` where it is the whole gallery.
    pub pool: Option<String>,
    /// The query.
    pub query: Entry,
    /// One ranking for each model.
    pub rankings: Vec<Ranked>,
}

/// An image or a caption.
#[derive(Debug)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// A caption's text, an image's file name; without one what stands for it.
    pub name: String,
    /// The captions written for an image.
    pub captions: Vec<String>,
    /// Gallery index of an image; `None` for a caption.
    pub image: Option<usize>,
}

/// What a model ranks first.
#[derive(Debug)]
pub struct Ranked {
    /// The model.
    pub model: String,
    /// Positives that the truth lists; `None` where it does not judge the query.
    pub listed: Option<u32>,
    /// Positives among the first that many.
    pub hits: usize,
    /// Rank of the first positive; `None` where none is ranked.
    pub first: Option<usize>,
    /// Items ranked.
    pub of: usize,
    /// The first items.
    pub items: Vec<RankedItem>,
}

/// An item of a ranking with its rank, score and standing in every truth.
#[derive(Debug)]
pub struct RankedItem {
    /// Rank, from 1.
    pub rank: usize,
    /// The model's score; NaN where it tells none.
    pub score: f64,
    /// How it stands over all truths.
    pub badge: Badge,
    /// The badge's glyph.
    pub sign: &'static str,
    /// How it stands in each truth.
    pub standings: Vec<(String, Standing)>,
    /// What it is.
    pub entry: Entry,
}

impl Ranked {
    /// R, the hits and the first positive, in words.
    pub fn words(&self) -> String {
        let Some(listed) = self.listed else {
            return "not judged by this ground truth".into();
        };
        let first = self.first.map_or_else(
            || "no positive is ranked".to_owned(),
            |rank| format!("first positive at rank {}", grouped(rank)),
        );
        format!("R {listed}, {} in the top R, {first}", self.hits)
    }
}

impl Shown {
    /// A table for each model.
    pub fn report(&self) -> Report<'_> {
        let Shown { query, truth, .. } = self;
        let tables = self.rankings.iter().map(table).collect();
        Report {
            heading: format!(
                "{} ({}, id {}, ground truth {truth})",
                query.name, self.direction, query.id
            ),
            ..Report::new(tables, self.data(), Json::tree(|| self.json()))
        }
    }

    fn json(&self) -> Value {
        json!({
            "direction": self.direction.key(),
            "truth": shown(&self.truth),
            "query": entry(&self.query),
            "models": self.rankings.iter().map(ranked).collect::<Vec<Value>>(),
        })
    }

    /// An item a row.
    fn data(&self) -> Table<'_> {
        let of_model = |ranked: &Ranked| {
            let row = |item: &RankedItem| {
                let (id, text) = (Cell::Id(item.entry.id.clone()), item.entry.words());
                let (score, badge) = (finite(item.score), item.badge.words());
                row![&ranked.model, item.rank, score, badge, id, text]
            };
            ranked.items.iter().map(row).collect::<Vec<_>>()
        };
        let head = ["model", "rank", "score", "badge", "id", "text"];
        let rows = self.rankings.iter().flat_map(of_model);
        Table::new("", head, head.len(), rows)
    }
}

impl Entry {
    /// A caption; an image's name and its first caption.
    fn words(&self) -> String {
        match self.captions.first() {
            Some(caption) => format!("{}: {caption}", self.name),
            None => self.name.clone(),
        }
    }
}

fn table(ranked: &Ranked) -> Table<'_> {
    let row = |item: &RankedItem| {
        row![
            item.rank.to_string(),
            finite(item.score),
            format!("{} {}", item.sign, item.badge.words()),
            Cell::Id(item.entry.id.clone()),
            item.entry.words()
        ]
    };
    let title = format!("{}: {}", ranked.model, ranked.words());
    Table {
        numbers: 0..2,
        ..Table::new(
            title,
            ["#", "score", "", "id", "item"],
            0,
            ranked.items.iter().map(row),
        )
    }
}

fn ranked(ranked: &Ranked) -> Value {
    let item = |item: &RankedItem| {
        let standings = || item.standings.iter();
        let right = standings().map(|(truth, of)| (shown(truth), json!(of.is_right())));
        let words = standings().map(|(truth, of)| (shown(truth), json!(of.key())));
        json!({
            "rank": item.rank,
            "score": finite(item.score),
            "badge": item.badge.words(),
            "item": entry(&item.entry),
            "truths": right.collect::<serde_json::Map<_, _>>(),
            "standings": words.collect::<serde_json::Map<_, _>>(),
        })
    };
    json!({
        "model": shown(&ranked.model),
        "positives": ranked.listed,
        "hits_in_top_r": ranked.listed.map(|_| ranked.hits),
        "first_positive": ranked.first,
        "ranked": ranked.of,
        "top": ranked.items.iter().map(item).collect::<Vec<Value>>(),
    })
}

fn entry(entry: &Entry) -> Value {
    match entry.image {
        None => json!({ "id": id(&entry.id), "caption": entry.name }),
        Some(_) => json!({
            "id": id(&entry.id),
            "image": entry.name,
            "captions": entry.captions,
        }),
    }
}

/// JSON knows no infinities.
fn finite(score: f64) -> Option<f64> {
    score.is_finite().then_some(score)
}
