//! Items of rankings: badges, ranks, labels, and phrase annotation of the selected pair.

use super::Model;
use super::query_list::{Item, Pane};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::jobs::PlaceKey;
use crate::phrase::Phrases;
use crate::rank::QueryRanks;
use crate::study::View;
use crate::truth::standing::Badge;

/// Minimum columns for an id beside the text.
const WITH_ID: usize = 40;

/// Status of a query's top-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Top {
    /// Nothing is ranked.
    Unranked,
    /// Top-1 is not known yet.
    Unknown,
    /// Badge of top-1.
    Known(Badge),
}

pub(in crate::tui) const NO_FURTHER: &str = "no further positive in this direction";

impl Model {
    /// The item at a ranking index.
    pub fn item_at(&self, place: usize) -> Option<Item> {
        let ranking = self.ranking()?;
        let item = *ranking.order.get(place)? as usize;
        Some(Item { item, rank: place + 1, score: ranking.scores[item] })
    }

    /// The selected item of the ranking.
    pub fn item(&self) -> Option<Item> {
        let is_ranked = self.item_apart().is_none();
        self.item_at(self.selection.item).filter(|_| is_ranked)
    }

    /// Ranks of a query under a truth, with judgments.
    pub fn ranks_of(&self, truth: TruthIx, query: usize) -> Option<QueryRanks<'_>> {
        self.ranks_at(View { truth, ..self.view }, query)
    }

    /// Ranks of a query of a view, with judgments.
    pub fn ranks_at(&self, view: View, query: usize) -> Option<QueryRanks<'_>> {
        let place = self.place_of(view.truth, query)?;
        Some(self.scored_at(view)?.ranks.query(place))
    }

    /// [`Model::ranks_of`] under the truth as loaded.
    pub fn counted_ranks(&self, truth: TruthIx, query: usize) -> Option<QueryRanks<'_>> {
        let place = self.place_of(truth, query)?;
        Some(self.counted_at(View { truth, ..self.view })?.ranks.query(place))
    }

    fn place_of(&self, truth: TruthIx, query: usize) -> Option<usize> {
        let relevance = self.study.truths[truth].relevance[self.view.direction].as_ref();
        relevance?.place(query)
    }

    /// Badge of an item from all truths and this session's judgment.
    pub fn badge(&self, query: usize, item: usize) -> Badge {
        let judgment = self.judgment(query, item);
        let direction = self.view.direction;
        self.study.badge(judgment, direction, query.into(), item.into())
    }

    /// Status of a query's top-1.
    pub fn top(&self, query: usize) -> Top {
        if self.scored().is_none() {
            return Top::Unranked;
        }
        if let Some(item) = self.first_item(query) {
            return Top::Known(self.badge(query, item as usize));
        }
        let ranks = self.counted_ranks(self.view.truth, query);
        let is_ranked = ranks.is_none_or(|ranks| ranks.depth != Some(0));
        if is_ranked { Top::Unknown } else { Top::Unranked }
    }

    /// Top-1 of a query, if the top items of all queries are known or a judgment concerns it.
    fn first_item(&self, query: usize) -> Option<u32> {
        let (model, direction) = (self.view.model, self.view.direction);
        let found = self.top_k_of(model, direction);
        let found = found.and_then(|of| of.retrieved.first(query as u32));
        found.or_else(|| {
            let judgments = self.judgments.decided.iter();
            let mut asked = judgments.filter_map(|(pair, _)| {
                let (of, item) = pair.query_and_item(direction);
                let key = PlaceKey::for_pair(model, direction, pair);
                let is_first = || self.known.judged.ranks.get(&key) == Some(&Some(1));
                (of.get() == query && is_first()).then_some(item.raw())
            });
            asked.next()
        })
    }

    /// Selects a query by list index.
    pub(in crate::tui) fn select_query(&mut self, place: usize) {
        if place != self.selection.selected {
            self.selection.selected = place;
            self.selection.item = 0;
            self.selection.sought = None;
            self.selection.last[self.view.direction] = self.selection.queries.get(place).copied();
        }
    }

    /// Moves the query selection by list entries.
    pub(in crate::tui) fn move_query(&mut self, by: isize) {
        let last = self.selection.queries.len().saturating_sub(1);
        let to = self.selection.selected.saturating_add_signed(by);
        self.select_query(to.min(last));
    }

    /// Index of the next or previous positive of any truth in a ranking.
    pub(in crate::tui) fn positive_from(
        &self,
        query: usize,
        order: &[u32],
        here: usize,
        forward: bool,
    ) -> Option<usize> {
        let right = |&place: &usize| {
            let item = order[place] as usize;
            self.badge(query, item).is_positive()
        };
        if forward { (here + 1..order.len()).find(right) } else { (0..here).rev().find(right) }
    }

    /// A query of a direction in one line of `columns`: a caption's text; for an image its first own caption, with the
    /// image's id if there is room, else its file name.
    pub(in crate::tui) fn label(
        &self,
        direction: Direction,
        query: usize,
        columns: usize,
    ) -> String {
        self.label_by(self.view.model, direction, query, columns)
    }

    /// [`Model::label`] with the texts given to a model.
    pub(in crate::tui) fn label_by(
        &self,
        model: ModelIx,
        direction: Direction,
        query: usize,
        columns: usize,
    ) -> String {
        let gallery = &self.study.gallery;
        if direction == Direction::T2i {
            return self.study.caption_of(model, query);
        }
        match self.captions_of(query).first() {
            Some(&caption) if !gallery.texts.is_empty() => {
                let words = self.study.caption_of(model, caption as usize);
                if columns < WITH_ID || self.is_blind() {
                    return words;
                }
                format!("[{}] {words}", gallery.images[query])
            }
            _ => gallery.image(query),
        }
    }

    /// Own captions of an image; while judging blind, without that of the pair, which would reveal that both belong
    /// together, and without the last one of any other image with several, so that the number reveals nothing.
    pub(in crate::tui) fn captions_of(&self, image: usize) -> Vec<u32> {
        let mut own: Vec<u32> = self.study.original_items(Direction::I2t, image).iter().collect();
        if self.is_blind() {
            let of_pair = match self.view.direction {
                Direction::T2i => self.selection.query(),
                Direction::I2t => self.item().map(|item| item.item),
            };
            let hidden = own.iter().position(|own| Some(*own as usize) == of_pair);
            let hidden = hidden.or((own.len() > 1).then(|| own.len() - 1));
            hidden.map(|at| own.remove(at));
        }
        own
    }

    /// Id and words of a query of a direction.
    pub(in crate::tui) fn named(&self, direction: Direction, index: usize) -> String {
        let gallery = &self.study.gallery;
        let id = &gallery.queries(direction)[index];
        let words = match direction {
            Direction::I2t => gallery.image(index),
            Direction::T2i => gallery.caption(index),
        };
        format!("{id}\t{words}")
    }

    /// Id and words of the selection in the focused list.
    pub(in crate::tui) fn selected_line(&self) -> Option<String> {
        let direction = self.view.direction;
        Some(match self.selection.pane {
            Pane::Queries => self.named(direction, self.selection.query()?),
            Pane::Ranking => self.named(direction.flipped(), self.linked()?),
        })
    }

    /// Image of the selected pair: the item of a caption query, or the query.
    pub fn selected_image(&self) -> Option<usize> {
        match self.view.direction {
            Direction::T2i => Some(self.item()?.item),
            Direction::I2t => self.selection.query(),
        }
    }
}

impl Model {
    /// Whether the selected pair's caption is annotated as unrelated to its image.
    pub(in crate::tui) fn is_unrelated(&self) -> bool {
        let phrases: Option<&Phrases> = self.study.phrases.as_deref();
        let caption = self.pair_at_hand().and_then(|pair| phrases?.caption(pair.caption.get()));
        caption.is_some_and(|caption| caption.sentence.is_unrelated)
    }
}
