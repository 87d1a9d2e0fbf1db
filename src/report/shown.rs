//! One query and the first items of its rankings.

use serde_json::{Value, json};

use super::cell::{Cell, id, row, score};
use super::{Json, Report, Table};
use crate::data::Direction;
use crate::data::text::{grouped, shown};
use crate::truth::standing::{Badge, Standing};
use crate::truth::verdict::Verdict;

/// A query and what ranks first for it.
#[derive(Debug)]
pub struct Shown {
    /// Direction of retrieval.
    pub direction: Direction,
    /// The truth that positives are of.
    pub truth: String,
    /// The candidate pool, in words; `None` where it is the whole gallery.
    pub pool: Option<String>,
    /// Whether verdicts of a person are asked for.
    pub has_verdicts: bool,
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
    /// What a person said of the pair.
    pub verdict: Option<Verdict>,
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
        let tables = self.rankings.iter().map(|of| self.table(of)).collect();
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
            "models": self.rankings.iter().map(|of| self.ranked(of)).collect::<Vec<Value>>(),
        })
    }

    fn ranked(&self, ranked: &Ranked) -> Value {
        let top = ranked.items.iter().map(|one| self.item(one));
        json!({
            "model": shown(&ranked.model),
            "positives": ranked.listed,
            "hits_in_top_r": ranked.listed.map(|_| ranked.hits),
            "first_positive": ranked.first,
            "ranked": ranked.of,
            "top": top.collect::<Vec<Value>>(),
        })
    }

    fn item(&self, item: &RankedItem) -> Value {
        let standings = || item.standings.iter();
        let right = standings().map(|(truth, of)| (shown(truth), json!(of.is_right())));
        let words = standings().map(|(truth, of)| (shown(truth), json!(of.key())));
        let mut value = json!({
            "rank": item.rank,
            "score": item.score.is_finite().then_some(item.score),
            "badge": item.badge.words(),
            "item": entry(&item.entry),
            "truths": right.collect::<serde_json::Map<_, _>>(),
            "standings": words.collect::<serde_json::Map<_, _>>(),
        });
        if self.has_verdicts {
            value["verdict"] = json!(item.verdict);
        }
        value
    }

    /// Cells, and one more of verdicts where these are asked for.
    fn and_verdict<T>(&self, mut cells: Vec<T>, verdict: T) -> Vec<T> {
        cells.extend(self.has_verdicts.then_some(verdict));
        cells
    }

    fn table<'a>(&'a self, ranked: &'a Ranked) -> Table<'a> {
        let row = |item: &'a RankedItem| {
            let cells = row![
                item.rank.to_string(),
                score(item.score),
                format!("{} {}", item.sign, item.badge.words()),
                Cell::Id(item.entry.id.clone()),
                item.entry.words()
            ];
            self.and_verdict(cells, verdict(item))
        };
        let title = format!("{}: {}", ranked.model, ranked.words());
        let head = self.and_verdict(vec!["#", "score", "", "id", "item"], "verdict");
        Table::new(title, head, 0, ranked.items.iter().map(row)).with_numbers(0..2)
    }

    /// An item a row.
    fn data(&self) -> Table<'_> {
        let row = |model: &str, item: &RankedItem| {
            let (id, text) = (Cell::Id(item.entry.id.clone()), item.entry.words());
            let (score, badge) = (score(item.score), item.badge.words());
            let cells = row![model, item.rank, score, badge, id, text];
            self.and_verdict(cells, verdict(item))
        };
        let of_model = move |ranked: &Ranked| {
            let rows = ranked.items.iter().map(|item| row(&ranked.model, item));
            rows.collect::<Vec<_>>()
        };
        let head = ["model", "rank", "score", "badge", "id", "text"].to_vec();
        let head = self.and_verdict(head, "verdict");
        let words = head.len();
        let rows = self.rankings.iter().flat_map(of_model);
        Table::new("", head, words, rows)
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

/// What a person said of an item.
fn verdict(item: &RankedItem) -> Cell {
    item.verdict.map_or(Cell::Empty, |verdict| verdict.key().into())
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
