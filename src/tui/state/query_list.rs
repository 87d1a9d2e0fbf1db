//! Listed queries, their order, and the selection of queries and items.

use super::Model;
use crate::data::index::ItemIx;
use crate::data::{Direction, PerDirection};
use crate::filter::Expression;
use crate::jobs::{RankingKey, Stamp};
use crate::study::View;
use crate::tui::sort::{Sort, negated};

/// The focused list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The queries.
    #[default]
    Queries,
    /// The ranking of the selected query.
    Ranking,
}

/// The listed queries, and the selection.
#[derive(Debug, Default)]
pub struct Selection {
    /// Gallery indices of the queries listed.
    pub queries: Vec<u32>,
    /// List index of the selected query.
    pub selected: usize,
    /// Index of the selected item in the ranking.
    pub item: usize,
    /// The focused list.
    pub pane: Pane,
    /// The chosen order of queries; [`Model::order`] returns the one in force.
    pub sort: Sort,
    /// Name of the model chosen for comparison with the current one.
    pub rival: Option<String>,
    /// Item to select once the ranking of the selected query is there.
    pub(super) sought: Option<Sought>,
    /// Sort keys in the order of `queries`; empty if not sorted by an expression.
    pub(super) values: Vec<Option<f64>>,
    /// A selected item that the current model does not rank.
    pub(super) apart: Option<Apart>,
    /// The direction whose queries are listed.
    pub(super) listed: Option<Direction>,
    /// The query last selected in each direction.
    pub(super) last: PerDirection<Option<u32>>,
    /// The ranking in which the item was selected.
    pub(super) item_of: Option<RankedIn>,
}

impl Selection {
    /// Gallery index of the selected query.
    pub fn query(&self) -> Option<usize> {
        self.queries.get(self.selected).map(|&query| query as usize)
    }
}

/// A ranking: study stamp, view, and query.
pub(super) type RankedIn = (Stamp, View, usize);

/// One item of the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    /// Gallery index.
    pub item: usize,
    /// Rank, from 1.
    pub rank: usize,
    /// The model's score; NaN if there is none.
    pub score: f64,
}

/// Selection to make in a pending ranking.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sought {
    /// This item.
    Item(ItemIx),
    /// The first unjudged item; if there is none, the first item to judge.
    PopupNeeds,
    /// The first unjudged item; if there is none, that of one of `others` further queries.
    Unanswered {
        /// Queries of the list not searched yet.
        others: usize,
    },
}

/// An item that only other models rank, and the selection in the first ranking at that time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Apart {
    pub(super) at: (RankingKey, usize),
    pub(super) item: u32,
}

impl Model {
    /// A number of each of these queries; `None` while its inputs are computed, or if it does not apply.
    fn numbers_of(&self, queries: &[u32], number: &str) -> Option<Vec<Option<f64>>> {
        let key = Expression::number(number, &self.study, self.view).ok()?;
        let counts = self.counts_of(key.needs())?;
        let key = key.over(&self.study, &counts)?;
        Some(queries.iter().map(|&query| key.number(query as usize)).collect())
    }

    /// Rereads the sort keys of the listed queries.
    pub(super) fn read_sort_values(&mut self) {
        let number = self.selection.sort.number();
        let values = number.and_then(|number| self.numbers_of(&self.selection.queries, number));
        self.selection.values = values.unwrap_or_default();
    }

    /// Sort key of the query at a list index, unless every list shows it.
    pub(in crate::tui) fn sort_value(&self, place: usize) -> Option<f64> {
        let sort = &self.selection.sort;
        let query = || self.selection.queries.get(place).copied();
        match sort {
            Sort::By(number) => {
                let value = self.selection.values.get(place).copied().flatten()?;
                // A minus reverses the order, not the number.
                Some(if negated(number).is_some() { -value } else { value })
            }
            // Sorted by agreement, which is the negative difference.
            Sort::Places => Some(-self.agreement(sort, query()? as usize)?),
            _ => None,
        }
    }

    /// Drops the query selection: the next list starts at its top.
    pub(crate) fn select_from_top(&mut self) {
        self.selection.last[self.view.direction] = None;
    }

    /// Lists the queries known to match, keeping the selected one if it is still there.
    pub(super) fn list_queries(&mut self) {
        if self.study.truths.is_empty() {
            return;
        }
        let direction = self.view.direction;
        let queries = self.listed_queries(direction);
        let selection = &mut self.selection;
        selection.queries = queries;
        let is_turned = selection.listed.is_some_and(|before| before != direction);
        selection.listed = Some(direction);
        let wanted = selection.last[direction];
        let at = wanted.and_then(|query| selection.queries.iter().position(|&q| q == query));
        let nearest = |query: u32| {
            let listed = selection.queries.iter().enumerate();
            let nearest = listed.min_by_key(|(_, listed)| listed.abs_diff(query));
            nearest.map(|(at, _)| at)
        };
        let near = wanted.filter(|_| at.is_none()).and_then(nearest);
        selection.selected = at.or(near).unwrap_or(0);
        let selected = selection.queries.get(selection.selected).copied();
        // Item indices differ between directions.
        if selected != wanted || is_turned {
            selection.item = 0;
            // Nothing was chosen there yet, even if the list returns to the query.
            selection.item_of = None;
        }
        if selected.is_some() && selected != wanted {
            selection.sought = None;
        }
        selection.last[direction] = selected.or(wanted);
    }

    /// Queries that the truth covers and that match search and filter, in order: by search quality if not sorted
    /// otherwise; while a pool is judged, only those of its pairs; none until the filter is evaluated.
    fn listed_queries(&self, direction: Direction) -> Vec<u32> {
        let Some(relevance) = &self.truth().relevance[direction] else {
            return Vec::new();
        };
        if self.is_filtering() {
            return Vec::new();
        }
        let covered = |query: &u32| {
            relevance.place(*query as usize).is_some()
                && self.passes(*query)
                && self.is_queued(direction, *query)
        };
        let found = self.search.found(direction);
        let count = self.study.gallery.queries(direction).len() as u32;
        let mut queries: Vec<u32> = match self.filtered() {
            _ if let Some(found) = found => {
                let found = found.queries.iter().copied();
                found.filter(covered).collect()
            }
            Some(met) => {
                let queued = |query: &u32| self.is_queued(direction, *query);
                met.iter().copied().filter(queued).collect()
            }
            None => (0..count).filter(covered).collect(),
        };
        let values = match self.order() {
            Sort::Gallery => None,
            Sort::By(number) => self.numbers_of(&queries, number),
            of_two => {
                let agreement = |&query: &u32| self.agreement(of_two, query as usize);
                Some(queries.iter().map(agreement).collect())
            }
        };
        if let Some(values) = values {
            // Unknown values come last.
            let mut valued: Vec<(u32, Option<f64>)> = queries.drain(..).zip(values).collect();
            valued.sort_by(|(_, one), (_, other)| {
                let is_unknown = one.is_none().cmp(&other.is_none());
                is_unknown.then(one.unwrap_or_default().total_cmp(&other.unwrap_or_default()))
            });
            queries.extend(valued.into_iter().map(|(query, _)| query));
        }
        queries
    }
}

impl Model {
    /// Whether closing ends the judging mode: a search ends first.
    pub(in crate::tui) fn ends_judging(&self) -> bool {
        self.judging.is_on && !self.is_searched()
    }
}
