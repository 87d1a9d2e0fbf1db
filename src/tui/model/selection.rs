//! The queries that are listed, and what is selected of them and of their rankings.

use super::sort::Sort;
use crate::data::index::ItemIx;
use crate::data::{Direction, PerDirection};
use crate::jobs::{RankingKey, Stamp};
use crate::study::View;

/// The list that keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The queries.
    #[default]
    Queries,
    /// The ranking of the selected query.
    Ranking,
}

/// The queries that are listed, and what is selected.
#[derive(Debug, Default)]
pub struct Selection {
    /// Gallery indices of the queries listed.
    pub queries: Vec<u32>,
    /// Place of the selected query in the list.
    pub selected: usize,
    /// Place of the first query shown.
    pub offset: usize,
    /// Place of the selected item in the ranking.
    pub item: usize,
    /// The list that keys go to.
    pub pane: Pane,
    /// The order of the queries.
    pub sort: Sort,
    /// What is to be selected once the ranking of the selected query is there.
    pub(in crate::tui::model) sought: Option<Sought>,
    /// The numbers that queries are sorted by, in the order of `queries`; empty where these are sorted by no
    /// expression.
    pub(in crate::tui::model) values: Vec<Option<f64>>,
    /// Whether one of these is no whole number: then all have decimals.
    pub(in crate::tui) has_fractions: bool,
    /// A selected item that the model looked at does not rank.
    pub(in crate::tui::model) apart: Option<Apart>,
    /// The direction whose queries are listed.
    pub(in crate::tui::model) listed: Option<Direction>,
    /// The query last selected in each direction.
    pub(in crate::tui::model) last: PerDirection<Option<u32>>,
    /// Whether the query that is to be selected may be gone: then the nearest one is.
    pub(in crate::tui::model) wants_nearest: bool,
    /// The row of the list in which the selected query is to stand, until another one is selected.
    pub(in crate::tui::model) wanted_row: Option<usize>,
    /// The ranking in which the item was selected.
    pub(in crate::tui::model) item_of: Option<RankedIn>,
    /// What was selected before the files were read again, until it is told where it is now.
    pub(in crate::tui::model) left: Option<Left>,
}

impl Selection {
    /// Lists no query, until those of another study are listed.
    pub(in crate::tui::model) fn forget_list(&mut self) {
        self.wanted_row = Some(self.row());
        self.wants_nearest = true;
        self.queries.clear();
        (self.listed, self.apart) = (None, None);
    }

    /// The row of the list in which the selected query stands.
    pub(in crate::tui::model) fn row(&self) -> usize {
        self.selected.saturating_sub(self.offset)
    }

    /// Gallery index of the selected query.
    pub fn query(&self) -> Option<usize> {
        self.queries.get(self.selected).map(|&query| query as usize)
    }
}

/// A ranking: of a study as its dials stand, by the model of a view, of one of its queries.
pub(in crate::tui::model) type RankedIn = (Stamp, View, usize);

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

/// An item that was selected, and its rank then.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui::model) struct Left {
    pub(in crate::tui::model) direction: Direction,
    pub(in crate::tui::model) query: usize,
    pub(in crate::tui::model) item: usize,
    pub(in crate::tui::model) rank: usize,
}

/// What is to be selected in a ranking that is not there yet.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui::model) enum Sought {
    /// This item.
    Item(ItemIx),
    /// The next one without an answer after this item.
    After(ItemIx),
    /// The first item that is asked about and has no answer; where all have one, the first that is asked about.
    Asked,
    /// The first item without an answer; where there is none, that of one of so many further queries.
    Unanswered {
        /// Queries of the list that were not looked through yet.
        others: usize,
    },
}

/// An item that only other models rank, selected while this was selected in the first ranking.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui::model) struct Apart {
    pub(in crate::tui::model) at: (RankingKey, usize),
    pub(in crate::tui::model) item: u32,
}
