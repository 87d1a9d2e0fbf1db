//! Items of rankings, and how queries and items stand.

use super::Model;
use super::selection::Item;
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::rank::QueryRanks;
use crate::study::View;
use crate::truth::standing::Badge;
use crate::truth::{Kind, Truth};

/// What is said where [`Model::positive_from`] finds none.
pub(in crate::tui) const NO_FURTHER: &str = "no further positive in this direction";

impl Model {
    /// The item at a place of the ranking.
    pub fn item_at(&self, place: usize) -> Option<Item> {
        let ranking = self.ranking()?;
        let item = *ranking.order.get(place)? as usize;
        Some(Item {
            item,
            rank: place + 1,
            score: ranking.scores[item],
        })
    }

    /// The selected item of the ranking.
    pub fn item(&self) -> Option<Item> {
        let is_ranked = self.item_apart().is_none();
        self.item_at(self.selection.item).filter(|_| is_ranked)
    }

    /// The selected query, and the item that is selected in its ranking.
    pub(in crate::tui) fn selected_item(&self) -> Option<(usize, u32)> {
        Some((self.selection.query()?, self.item()?.item as u32))
    }

    /// The ranks of a query under a truth, with verdicts.
    pub fn ranks_of(&self, truth: TruthIx, query: usize) -> Option<QueryRanks<'_>> {
        self.ranks_at(View { truth, ..self.view }, query)
    }

    /// The ranks of a query of a view, with verdicts.
    pub fn ranks_at(&self, view: View, query: usize) -> Option<QueryRanks<'_>> {
        let place = self.place_of(view.truth, query)?;
        Some(self.scored_at(view)?.ranks.query(place))
    }

    /// The same as [`Model::ranks_of`] without verdicts.
    fn counted_ranks(&self, truth: TruthIx, query: usize) -> Option<QueryRanks<'_>> {
        let place = self.place_of(truth, query)?;
        Some(self.counted_by(truth)?.ranks.query(place))
    }

    fn place_of(&self, truth: TruthIx, query: usize) -> Option<usize> {
        let relevance = self.study.truths[truth].relevance[self.view.direction].as_ref();
        relevance?.place(query)
    }

    /// The badge of the item that comes first for a query: its ranks tell it without a ranking.
    /// `None` where nothing is ranked.
    pub fn first_badge(&self, query: usize) -> Option<Badge> {
        self.scored()?;
        let ranks = self.counted_ranks(self.view.truth, query);
        if ranks.is_some_and(|ranks| ranks.depth == Some(0)) {
            return None;
        }
        let first_is = |kind: Kind| {
            let of_kind = |(_, truth): &(TruthIx, &Truth)| truth.kind == kind;
            let mut truths = TruthIx::each(&self.study.truths).filter(of_kind);
            truths.any(|(at, _)| self.counted_ranks(at, query).and_then(|r| r.first()) == Some(1))
        };
        let judged = |truth: &Truth| {
            let relevance = truth.relevance[self.view.direction].as_ref();
            truth.kind == Kind::Rich && relevance.is_some_and(|r| r.place(query).is_some())
        };
        Some(if first_is(Kind::Original) {
            Badge::Original
        } else if first_is(Kind::Rich) {
            Badge::Extra
        } else if first_is(Kind::Loose) {
            Badge::Loose
        } else if self.study.truths.iter().any(judged) {
            Badge::Wrong
        } else {
            Badge::NotJudged
        })
    }

    /// Selects a query by its place in the list.
    pub(in crate::tui) fn select_query(&mut self, place: usize) {
        if place != self.selection.selected {
            self.selection.selected = place;
            self.selection.item = 0;
            self.selection.wanted_item = None;
            self.selection.wanted_row = None;
            self.selection.last[self.view.direction] = self.selection.queries.get(place).copied();
        }
        self.due.scroll = true;
    }

    /// Selects the query so many places further in the list.
    pub(in crate::tui) fn move_query(&mut self, by: isize) {
        let last = self.selection.queries.len().saturating_sub(1);
        let to = self.selection.selected.saturating_add_signed(by);
        self.select_query(to.min(last));
    }

    /// The place of the next or previous item of a ranking that any truth calls right.
    pub(in crate::tui) fn positive_from(
        &self,
        query: usize,
        order: &[u32],
        here: usize,
        forward: bool,
    ) -> Option<usize> {
        let right = |&place: &usize| {
            let item = order[place] as usize;
            let badge = Badge::of(
                &self.study.truths,
                self.view.direction,
                query.into(),
                item.into(),
            );
            matches!(badge, Badge::Original | Badge::Extra)
        };
        if forward {
            (here + 1..order.len()).find(right)
        } else {
            (0..here).rev().find(right)
        }
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

    /// The image that the selected pair has: the item that a caption ranks, or the image that asks.
    pub fn selected_image(&self) -> Option<usize> {
        match self.view.direction {
            Direction::T2i => Some(self.item()?.item),
            Direction::I2t => self.selection.query(),
        }
    }
}
