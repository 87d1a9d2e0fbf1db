//! One query and its top results.

use serde_json::json;

use super::Report;
use super::cell::{Cell, id, score};
use super::list::{List, Section};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::sets::Set;
use crate::data::text::shown;
use crate::rank::ranking::Ranking;
use crate::study::{Study, View};
use crate::truth::judgment::{Judgments, Pair};
use crate::truth::standing::Standing;

/// The result of `show`: a query and the top results of each model.
pub struct TopResults<'a> {
    /// Study with models, truths and gallery.
    pub study: &'a Study,
    /// Gallery index of the query.
    pub query: usize,
    /// Number of items shown per ranking.
    pub depth: usize,
    /// A person's judgments, if requested.
    pub judgments: Option<&'a Judgments>,
    /// Returns the sign of an item's standing in a truth.
    pub sign: fn(Standing) -> &'static str,
    /// The ranking of each model; all have the same direction and truth.
    pub rankings: Vec<(View, Ranking)>,
}

/// An image or a caption.
#[derive(Debug)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// Text of a caption, or file name of an image; a placeholder if unknown.
    pub name: String,
    /// The captions written for an image.
    pub captions: Vec<String>,
    /// Whether it is an image.
    pub is_image: bool,
}

impl TopResults<'_> {
    /// Ranks of the positives in each ranking, and its top items.
    pub fn report(&self) -> Report<'_> {
        let View { model, truth, direction } = self.rankings[0].0;
        let truth = &self.study.truths[truth].name;
        let query = Entry::new(self.study, model, direction, self.query);
        let rankings = List::new("rankings", "", &self.rankings)
            .column("model", "model", |(view, _)| &self.study.models[view.model].name)
            .column("positives", "R", |(view, _)| Some(self.positives(*view)?.0))
            .column("hits_in_top_r", "in the top R", |(view, ranking)| {
                let (listed, positives) = self.positives(*view)?;
                let top = ranking.order.iter().take(listed as usize);
                Some(top.filter(|item| positives.contains(**item)).count())
            })
            .column("first_positive", "first positive", |(view, ranking)| {
                let (_, positives) = self.positives(*view)?;
                let place = ranking.order.iter().position(|item| positives.contains(*item));
                Some(place? + 1)
            })
            .column("ranked", "ranked", |(_, ranking)| ranking.order.len());
        let is_covered = self.rankings.iter().all(|(view, _)| self.positives(*view).is_some());
        let query_line =
            format!("{} ({direction}, id {}, ground truth {truth})", query.name, query.id);
        let captions = query.captions.iter().map(|caption| format!("- {caption}"));
        let mut report = Report {
            notes: if is_covered {
                vec![]
            } else {
                vec![format!("{truth} does not cover this query")]
            },
            heading: std::iter::once(query_line).chain(captions).collect::<Vec<_>>().join("\n"),
            ..Report::from_sections(vec![rankings.section(), self.items(direction)])
        }
        .with_json("direction", json!(direction.key()))
        .with_json("truth", json!(shown(truth)))
        .with_json(
            "query",
            json!({"id": id(&query.id), "name": query.name, "captions": query.captions}),
        );
        report.tables.iter_mut().for_each(|table| table.make_optional(["image"]));
        report
    }

    /// Number of positives of the query in the view's truth, and the set of positives in the gallery; `None` if the
    /// query is not covered, or the truth lists nothing at all.
    fn positives(&self, view: View) -> Option<(u32, Set<'_>)> {
        // Without any ground truth the number of positives is unknown.
        let truth = Some(&self.study.truths[view.truth]).filter(|truth| !truth.is_none_truth())?;
        let relevance = truth.relevance[view.direction].as_ref()?;
        let place = relevance.place(self.query)?;
        Some((relevance.total_positives(place), relevance.positives(place)))
    }

    /// A row for each of the top items of each model.
    fn items(&self, direction: Direction) -> Section {
        type Item = (ModelIx, usize, u32, f64);
        let (study, query) = (self.study, self.query);
        let records = self.rankings.iter().flat_map(|(view, ranking)| {
            let top = (1..).zip(&ranking.order).take(self.depth);
            top.map(|(rank, &item)| (view.model, rank, item, ranking.scores[item as usize]))
        });
        let entry = move |&(model, _, item, _): &Item| {
            Entry::new(study, model, direction.flipped(), item as usize)
        };
        let badge = move |item: u32| study.badge(None, direction, query.into(), item.into());
        let mut list = List::new("items", "top results", records)
            .column("model", "model", |&(model, ..)| &study.models[model].name)
            .column("rank", "#", |&(_, rank, ..)| rank)
            .column("score", "score", |&(.., value)| score(value))
            .data("badge", move |&(_, _, item, _)| badge(item).label())
            .display("", move |&(_, _, item, _)| {
                format!("{} {}", badge(item).glyph(), badge(item).label())
            })
            .column("id", "id", move |record| Cell::Id(entry(record).id));
        if direction == Direction::T2i {
            list = list.column("image", "image", move |record| entry(record).name);
        }
        list = list.column("caption", "caption", move |record| entry(record).caption().to_owned());
        for truth in &study.truths {
            let standing = move |&(_, _, item, _): &Item| {
                study.standing(truth, direction, query.into(), item.into())
            };
            list = list
                .data(format!("standing_{}", shown(&truth.name)), move |one| standing(one).key())
                .display(&truth.name, move |one| (self.sign)(standing(one)));
        }
        if let Some(judgments) = self.judgments {
            list = list.column("judgment", "judgment", move |&(_, _, item, _)| {
                let judgment =
                    judgments.get(Pair::from_query(direction, query.into(), item.into()));
                judgment.map_or(Cell::Empty, |judgment| judgment.key().into())
            });
        }
        list.section()
    }
}

impl Entry {
    /// The image (for `I2t`) or the caption (for `T2i`) at a gallery index, with the texts given to a model.
    pub fn new(study: &Study, model: ModelIx, as_query: Direction, index: usize) -> Self {
        let captions = study.original_items(as_query, index).iter();
        let captions = captions.map(|caption| study.caption_of(model, caption as usize));
        let is_image = as_query == Direction::I2t;
        Entry {
            id: study.gallery.queries(as_query)[index].to_string(),
            name: match as_query {
                Direction::I2t => study.gallery.image(index),
                Direction::T2i => study.caption_of(model, index),
            },
            captions: captions.filter(|_| is_image).collect(),
            is_image,
        }
    }

    /// Text of a caption, or first caption of an image; empty if unknown.
    pub(super) fn caption(&self) -> &str {
        if self.is_image { self.captions.first().map_or("", String::as_str) } else { &self.name }
    }
}
