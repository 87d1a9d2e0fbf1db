//! One query and the first items of its rankings.

use serde_json::json;

use super::Report;
use super::cell::{Cell, id, score};
use super::list::{List, Section};
use crate::data::Direction;
use crate::data::text::shown;
use crate::truth::standing::{Badge, Standing};
use crate::truth::verdict::Verdict;

/// A query and what ranks first for it.
#[derive(Debug)]
pub struct Shown {
    /// Direction of retrieval.
    pub direction: Direction,
    /// The truth that positives are of.
    pub truth: String,
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
    /// How it stands in each truth, and the sign of that.
    pub standings: Vec<(String, Standing, &'static str)>,
    /// What a person said of the pair.
    pub verdict: Option<Verdict>,
    /// What it is.
    pub entry: Entry,
}

impl Shown {
    /// Where the positives of each ranking stand, and its first items.
    pub fn report(&self) -> Report<'_> {
        let Shown { direction, query, truth, .. } = self;
        let rankings = List::new("rankings", "", &self.rankings)
            .column("model", "model", |of| &of.model)
            .column("positives", "R", |of| of.listed)
            .column("hits_in_top_r", "in the top R", |of| of.listed.map(|_| of.hits))
            .column("first_positive", "first positive", |of| of.first)
            .column("ranked", "ranked", |of| of.of);
        let is_covered = self.rankings.iter().all(|of| of.listed.is_some());
        let of_query =
            format!("{} ({direction}, id {}, ground truth {truth})", query.name, query.id);
        let captions = query.captions.iter().map(|caption| format!("- {caption}"));
        Report {
            notes: if is_covered {
                vec![]
            } else {
                vec![format!("{truth} does not cover this query")]
            },
            heading: std::iter::once(of_query).chain(captions).collect::<Vec<_>>().join("\n"),
            ..Report::of(vec![rankings.section(), self.items()])
        }
        .with_json("direction", json!(direction.key()))
        .with_json("truth", json!(shown(truth)))
        .with_json(
            "query",
            json!({"id": id(&query.id), "name": query.name, "captions": query.captions}),
        )
    }

    fn items(&self) -> Section {
        let records =
            self.rankings.iter().flat_map(|of| of.items.iter().map(move |item| (&of.model, item)));
        let truths = self.rankings.iter().filter_map(|of| of.items.first());
        let truths = truths.take(1).flat_map(|item| &item.standings);
        let mut list = List::new("items", "top results", records)
            .column("model", "model", |(model, _)| *model)
            .column("rank", "#", |(_, item)| item.rank)
            .column("score", "score", |(_, item)| score(item.score))
            .data("badge", |(_, item)| item.badge.words())
            .shown("", |(_, item)| format!("{} {}", item.sign, item.badge.words()))
            .column("id", "id", |(_, item)| Cell::Id(item.entry.id.clone()));
        if self.direction == Direction::T2i {
            list = list.column("image", "image", |(_, item)| &item.entry.name);
        }
        list = list.column("caption", "caption", |(_, item)| item.entry.caption());
        for (at, (truth, ..)) in truths.enumerate() {
            let key = format!("standing_{}", shown(truth));
            list = list
                .data(key, move |(_, item)| item.standings[at].1.key())
                .shown(truth, move |(_, item)| item.standings[at].2);
        }
        if self.has_verdicts {
            list = list.column("verdict", "verdict", |(_, item)| {
                item.verdict.map_or(Cell::Empty, |verdict| verdict.key().into())
            });
        }
        list.section()
    }
}

impl Entry {
    /// A caption's text; of an image its first caption.
    pub(super) fn caption(&self) -> &str {
        match self.image {
            None => &self.name,
            Some(_) => self.captions.first().map_or("", String::as_str),
        }
    }
}
