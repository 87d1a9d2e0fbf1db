//! The queries that are listed, and what is selected of them and of their rankings.

use super::sort::Sort;
use crate::data::{Direction, PerDirection};
use crate::engine::RankingKey;

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
    /// A selected item that the model looked at does not rank.
    pub(in crate::tui::model) apart: Option<Apart>,
    /// The direction whose queries are listed.
    pub(in crate::tui::model) listed: Option<Direction>,
    /// The query last selected in each direction.
    pub(in crate::tui::model) last: PerDirection<Option<u32>>,
    /// The item that is to be selected once the ranking of a query is there.
    pub(in crate::tui::model) wanted_item: Option<(usize, u32)>,
    /// Whether the query that is to be selected may be gone: then the nearest one is.
    pub(in crate::tui::model) wants_nearest: bool,
    /// The row of the list in which the selected query is to stand, until another one is selected.
    pub(in crate::tui::model) wanted_row: Option<usize>,
}

impl Selection {
    /// The same before queries of another study are listed.
    pub(in crate::tui::model) fn without_list(self) -> Self {
        Selection {
            queries: Vec::new(),
            listed: None,
            apart: None,
            wants_nearest: true,
            wanted_row: Some(self.row()),
            ..self
        }
    }

    /// The row of the list in which the selected query stands.
    pub(in crate::tui::model) fn row(&self) -> usize {
        self.selected.saturating_sub(self.offset)
    }

    /// Selects the item that was to be selected in the ranking of a query.
    pub(in crate::tui::model) fn find_item(&mut self, query: usize, order: &[u32]) {
        if let Some((_, item)) = self.wanted_item.take_if(|(of, _)| *of == query)
            && let Some(at) = order.iter().position(|&one| one == item)
        {
            self.item = at;
        }
    }

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

/// An item that only other models rank, selected while this was selected in the first ranking.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui::model) struct Apart {
    pub(in crate::tui::model) at: (RankingKey, usize),
    pub(in crate::tui::model) item: u32,
}
