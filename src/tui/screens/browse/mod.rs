//! The browse screen: every query, its ranking, and how each item stands.

mod detail;
pub mod layout;
mod page;
mod pointer;
pub(in crate::tui::screens) mod queries;
mod ranking;
mod sort;
mod thumbs;
pub mod view;

use crate::data::index::TruthIx;
use crate::data::{Direction, PerDirection};
use crate::rank::QueryRanks;
use crate::truth::standing::Badge;
use crate::truth::{Kind, Truth};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::screens::layout::{follow, rows};
use crate::tui::selection::View;
pub(super) use page::Browsing;
pub use sort::Sort;

/// Lines of column names in both lists.
pub(in crate::tui::screens) const NAMES: u16 = 1;
/// What is said where [`App::positive_from`] finds none.
pub(in crate::tui::screens) const NO_FURTHER: &str = "no further positive in this direction";

/// The list that keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The queries.
    #[default]
    Queries,
    /// The ranking of the selected query.
    Ranking,
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Browse {
    /// Gallery indices of the queries listed.
    pub queries: Vec<u32>,
    /// Place of the selected query in the list.
    pub selected: usize,
    /// Place of the first query shown.
    pub offset: usize,
    /// Place of the selected item in the ranking.
    pub item: usize,
    /// Place of the first item shown.
    pub item_offset: usize,
    /// The list that keys go to.
    pub pane: Pane,
    /// The order of the queries.
    pub sort: Sort,
    /// The direction whose queries are listed.
    listed: Option<Direction>,
    /// The query last selected in each direction.
    last: PerDirection<Option<u32>>,
}

impl Browse {
    /// Gallery index of the selected query.
    pub fn query(&self) -> Option<usize> {
        self.queries.get(self.selected).map(|&query| query as usize)
    }
}

/// One item of the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    /// Gallery index.
    pub item: usize,
    /// Rank, from 1.
    pub rank: usize,
    /// The model's score; NaN where it tells none.
    pub score: f64,
}

impl App {
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
        self.item_at(self.browse.item).filter(|_| is_ranked)
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

    /// The same as [`App::ranks_of`] without verdicts.
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

    /// Takes an action of this screen.
    fn browse_act(&mut self, action: Action) {
        let page = self.page_lines();
        match action {
            Action::Down => self.browse_move(1),
            Action::Up => self.browse_move(-1),
            Action::PageDown => self.browse_move(page),
            Action::PageUp => self.browse_move(-page),
            Action::First => self.browse_move(isize::MIN / 2),
            Action::Last => self.browse_move(isize::MAX / 2),
            Action::NextPane | Action::PreviousPane | Action::Left | Action::Right => {
                self.browse.pane = match self.browse.pane {
                    Pane::Queries => Pane::Ranking,
                    Pane::Ranking => Pane::Queries,
                };
                self.browse_follow();
            }
            Action::NextPositive => self.browse_positive(true),
            Action::PreviousPositive => self.browse_positive(false),
            Action::Sort => self.sort_by(self.browse.sort.next()),
            _ => {}
        }
    }

    /// Moves the selection of the list that keys go to.
    pub(in crate::tui::screens) fn browse_move(&mut self, by: isize) {
        match self.browse.pane {
            Pane::Queries => {
                let last = self.browse.queries.len().saturating_sub(1);
                let to = self.browse.selected.saturating_add_signed(by).min(last);
                self.browse_select(to);
            }
            Pane::Ranking => {
                let last = self
                    .ranking()
                    .map_or(0, |ranking| ranking.order.len().saturating_sub(1));
                self.browse.item = self.browse.item.saturating_add_signed(by).min(last);
                self.browse_follow();
            }
        }
    }

    /// Selects a query by its place in the list.
    pub(in crate::tui) fn browse_select(&mut self, place: usize) {
        if place != self.browse.selected {
            self.browse.selected = place;
            self.browse.item = 0;
            self.browse.item_offset = 0;
            self.browse.last[self.view.direction] = self.browse.queries.get(place).copied();
        }
        self.browse_follow();
    }

    /// Goes to the next or previous item that any truth calls right.
    fn browse_positive(&mut self, forward: bool) {
        let (Some(query), Some(ranking)) = (self.browse.query(), self.ranking()) else {
            return;
        };
        match self.positive_from(query, &ranking.order, self.browse.item, forward) {
            Some(place) => {
                self.browse.item = place;
                self.browse.pane = Pane::Ranking;
                self.browse_follow();
            }
            None => self.message = Some(NO_FURTHER.into()),
        }
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

    /// Scrolls both lists so that their selection is in sight.
    pub(in crate::tui) fn browse_follow(&mut self) {
        let (areas, items) = (self.areas(), self.items_in_sight());
        let browse = &mut self.browse;
        browse.offset = follow(browse.offset, browse.selected, rows(areas.queries, NAMES));
        browse.item_offset = follow(browse.item_offset, browse.item, items);
    }
}
