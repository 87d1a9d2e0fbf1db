//! Listed queries, their order, and the selection of queries and items.

use super::Model;
use crate::data::index::ItemIx;
use crate::data::{Direction, PerDirection};
use crate::filter::Expression;
use crate::jobs::{RankingKey, Stamp};
use crate::study::View;
use crate::tui::sort::{Sort, negated};

/// A list that can have the focus.
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
    /// Gallery indices of the listed queries, in list order.
    pub queries: Vec<u32>,
    /// Index of the selected query in `queries`.
    pub selected: usize,
    /// Index of the selected item in the ranking.
    pub item: usize,
    /// The focused list.
    pub pane: Pane,
    /// The order of queries that the person chose; [`Model::order`] returns the one in force.
    pub sort: Sort,
    /// Name of the model chosen for comparison with the current one.
    pub rival: Option<String>,
    /// Item to select once the ranking of the selected query is computed.
    pub(super) sought: Option<Sought>,
    /// Sort keys in the order of `queries`; empty if not sorted by an expression.
    pub(super) values: Vec<Option<f64>>,
    /// A selected item that the current model does not rank.
    pub(super) unranked: Option<UnrankedItem>,
    /// The direction whose queries are listed.
    pub(super) listed: Option<Direction>,
    /// The query last selected in each direction.
    pub(super) last: PerDirection<Option<u32>>,
    /// The ranking in which `item` was selected.
    pub(super) item_ranking: Option<RankingId>,
}

impl Selection {
    /// Gallery index of the selected query.
    pub fn query(&self) -> Option<usize> {
        self.queries.get(self.selected).map(|&query| query as usize)
    }
}

/// Identity of a ranking: study stamp, view, and gallery index of the query.
pub(super) type RankingId = (Stamp, View, usize);

/// An item of the ranking by the current model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    /// Gallery index.
    pub item: usize,
    /// Rank, from 1.
    pub rank: usize,
    /// The model's score; NaN if there is none.
    pub score: f64,
}

/// Item to select once a ranking is computed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sought {
    /// This item.
    Item(ItemIx),
    /// The first unjudged item; if there is none, the first item to judge.
    ToJudge,
    /// The first unjudged item; if there is none, the first one of a following query.
    Unjudged {
        /// Number of following queries that are not searched yet.
        others: usize,
    },
}

/// A selected item that only other models rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnrankedItem {
    /// Ranking by the current model, and the index selected in it when this item was selected.
    pub(super) at: (RankingKey, usize),
    /// Gallery index of the item.
    pub(super) item: u32,
}

impl Model {
    /// The value of an expression for each of these queries; `None` while its inputs are computed, or if it does not
    /// apply to the view.
    fn sort_values(&self, queries: &[u32], expression: &str) -> Option<Vec<Option<f64>>> {
        let parsed = Expression::number(expression, &self.study, self.view).ok()?;
        let counts = self.condition_inputs(parsed.needs())?;
        let bound = parsed.bind(&self.study, &counts)?;
        Some(queries.iter().map(|&query| bound.number(query as usize)).collect())
    }

    /// Recomputes the sort values of the listed queries.
    pub(super) fn recompute_sort_values(&mut self) {
        let expression = self.selection.sort.expression();
        let values = expression.and_then(|text| self.sort_values(&self.selection.queries, text));
        self.selection.values = values.unwrap_or_default();
    }

    /// Sort value of the query at a list index, as its column shows it; `None` if it is unknown or has no column.
    pub(in crate::tui) fn sort_value(&self, index: usize) -> Option<f64> {
        let sort = &self.selection.sort;
        let query = || self.selection.queries.get(index).copied();
        match sort {
            Sort::By(expression) => {
                let value = self.selection.values.get(index).copied().flatten()?;
                // A minus reverses the order, not the number.
                Some(if negated(expression).is_some() { -value } else { value })
            }
            // Sorted by agreement, which is the negative difference.
            Sort::RankDifference => Some(-self.agreement(sort, query()? as usize)?),
            _ => None,
        }
    }

    /// Drops the query selection, so that the next list starts at its top.
    pub(crate) fn select_from_top(&mut self) {
        self.selection.last[self.view.direction] = None;
    }

    /// Lists the queries again. The selected query stays selected if listed; else the nearest listed one in gallery
    /// order is selected.
    pub(super) fn list_queries(&mut self) {
        if self.study.truths.is_empty() {
            return;
        }
        let direction = self.view.direction;
        let queries = self.listed_queries(direction);
        let selection = &mut self.selection;
        selection.queries = queries;
        let is_flipped = selection.listed.is_some_and(|before| before != direction);
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
        if selected != wanted || is_flipped {
            selection.item = 0;
            // No item of this ranking is selected yet, even if the list returns to an earlier query.
            selection.item_ranking = None;
        }
        if selected.is_some() && selected != wanted {
            selection.sought = None;
        }
        selection.last[direction] = selected.or(wanted);
    }

    /// Gallery indices of the queries that the truth covers and that match search and filter, in list order. Unsorted
    /// matches of a search are best first. While a pool is judged, only queries of its pairs. Empty until the filter is
    /// evaluated.
    fn listed_queries(&self, direction: Direction) -> Vec<u32> {
        let Some(relevance) = &self.truth().relevance[direction] else {
            return Vec::new();
        };
        if self.is_filtering() {
            return Vec::new();
        }
        let is_listed = |query: &u32| {
            relevance.place(*query as usize).is_some()
                && self.meets_filter(*query)
                && self.is_queued(direction, *query)
        };
        let found = self.search.current_matches(direction);
        let count = self.study.gallery.queries(direction).len() as u32;
        let mut queries: Vec<u32> = match self.filtered_queries() {
            _ if let Some(found) = found => {
                let found = found.queries.iter().copied();
                found.filter(is_listed).collect()
            }
            Some(met) => {
                let is_queued = |query: &u32| self.is_queued(direction, *query);
                met.iter().copied().filter(is_queued).collect()
            }
            None => (0..count).filter(is_listed).collect(),
        };
        let values = match self.order() {
            Sort::Gallery => None,
            Sort::By(expression) => self.sort_values(&queries, expression),
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

    /// Whether [`Action::Close`](crate::tui::action::Action::Close) ends the judging mode; false if there is a search,
    /// which it ends first.
    pub(in crate::tui) fn ends_judging(&self) -> bool {
        self.judging.is_on && !self.is_searched()
    }
}
