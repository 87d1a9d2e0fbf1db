//! Which queries are listed, in which order, and what is selected.

use super::Model;
use super::sort::{Sort, negated};
use crate::data::index::ItemIx;
use crate::data::{Direction, PerDirection};
use crate::filter::Key;
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
    pub(super) sought: Option<Sought>,
    /// The numbers that queries are sorted by, in the order of `queries`; empty where these are sorted by no
    /// expression.
    pub(super) values: Vec<Option<f64>>,
    /// Whether one of these is no whole number: then all have decimals.
    pub(in crate::tui) has_fractions: bool,
    /// A selected item that the model looked at does not rank.
    pub(super) apart: Option<Apart>,
    /// The direction whose queries are listed.
    pub(super) listed: Option<Direction>,
    /// The query last selected in each direction.
    pub(super) last: PerDirection<Option<u32>>,
    /// Whether the query that is to be selected may be gone: then the nearest one is.
    pub(super) wants_nearest: bool,
    /// The row of the list in which the selected query is to stand, until another one is selected.
    pub(super) wanted_row: Option<usize>,
    /// The ranking in which the item was selected.
    pub(super) item_of: Option<RankedIn>,
    /// What was selected before the files were read again, until it is told where it is now.
    pub(super) left: Option<Left>,
}

impl Selection {
    /// Lists no query, until those of another study are listed.
    pub(super) fn forget_list(&mut self) {
        self.wanted_row = Some(self.row());
        self.wants_nearest = true;
        self.queries.clear();
        (self.listed, self.apart) = (None, None);
    }

    /// The row of the list in which the selected query stands.
    pub(super) fn row(&self) -> usize {
        self.selected.saturating_sub(self.offset)
    }

    /// Gallery index of the selected query.
    pub fn query(&self) -> Option<usize> {
        self.queries.get(self.selected).map(|&query| query as usize)
    }
}

/// A ranking: of a study as its dials stand, by the model of a view, of one of its queries.
pub(super) type RankedIn = (Stamp, View, usize);

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
pub(super) struct Left {
    pub(super) direction: Direction,
    pub(super) query: usize,
    pub(super) item: usize,
    pub(super) rank: usize,
}

/// What is to be selected in a ranking that is not there yet.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sought {
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
pub(super) struct Apart {
    pub(super) at: (RankingKey, usize),
    pub(super) item: u32,
}

impl Model {
    /// A number of each of these queries; `None` while what it needs is counted, and where it means nothing
    /// here.
    fn numbers_of(&self, queries: &[u32], number: &str) -> Option<Vec<Option<f64>>> {
        let key = Key::parse(number, &self.study, self.view).ok()?;
        let counts = self.counts_of(key.needs())?;
        let key = key.over(&counts).ok()?;
        Some(queries.iter().map(|&query| key.of(query as usize)).collect())
    }

    /// Sorts by a number of each query, the unknown last; they stay as they are where there is none.
    fn sort_by_number(&self, queries: &mut Vec<u32>, number: &str) {
        let Some(numbers) = self.numbers_of(queries, number) else {
            return;
        };
        let mut numbered: Vec<(u32, Option<f64>)> = queries.drain(..).zip(numbers).collect();
        numbered.sort_by_key(|(_, of)| (of.is_none(), Ordered(of.unwrap_or_default())));
        queries.extend(numbered.into_iter().map(|(query, _)| query));
    }

    /// Reads anew the numbers that the queries listed are sorted by.
    pub(super) fn read_sort_values(&mut self) {
        let number = self.selection.sort.number();
        let values = number.and_then(|number| self.numbers_of(&self.selection.queries, number));
        self.selection.values = values.unwrap_or_default();
        let mut values = self.selection.values.iter().flatten();
        self.selection.has_fractions = values.any(|value| value.fract() != 0.0);
    }

    /// What the query at a place of the list is sorted by, where that is no number that every list shows.
    pub(in crate::tui) fn sort_value(&self, place: usize) -> Option<f64> {
        let sort = &self.selection.sort;
        let query = || self.selection.queries.get(place).copied();
        match sort {
            Sort::By(number) => {
                let value = self.selection.values.get(place).copied().flatten()?;
                // The order is turned round by a minus, the number is not.
                Some(if negated(number).is_some() { -value } else { value })
            }
            // These are sorted by agreement, and a difference is the less of it.
            Sort::Places => Some(-self.agreement(sort, query()? as usize)?),
            Sort::Overlap | Sort::RankBiased => self.agreement(sort, query()? as usize),
            _ => None,
        }
    }

    /// Puts the queries in an order, and says so: the frame of the list may have no room for it.
    pub(in crate::tui) fn sort_by(&mut self, after: Sort) {
        let words = match &after {
            Sort::Gallery => "as in the gallery".into(),
            order => order.description(),
        };
        self.message = Some(format!("sorted, {words}"));
        if self.selection.sort != after {
            self.select_from_top();
            self.change(|facts| facts.sort = after);
        }
    }

    /// Forgets which query is selected: the next list is looked at from its top.
    pub(crate) fn select_from_top(&mut self) {
        self.selection.last[self.view.direction] = None;
    }

    /// Lists the queries that are known to meet what is asked, keeping the selected one if it is still there.
    pub(super) fn list_queries(&mut self) {
        if self.study.truths.is_empty() {
            return;
        }
        let direction = self.view.direction;
        let queries = self.listed_queries(direction);
        let is_asked = self.is_filtering();
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
        let near = wanted.filter(|_| at.is_none() && selection.wants_nearest);
        let near = near.and_then(|query| Some((query, nearest(query)?)));
        selection.wants_nearest &= selection.queries.is_empty() || is_asked;
        selection.selected = at.or(near.map(|(_, at)| at)).unwrap_or(0);
        if let Some(row) = selection.wanted_row {
            selection.offset = selection.selected.saturating_sub(row);
        }
        let selected = selection.queries.get(selection.selected).copied();
        // A place among captions is none among images.
        if selected != wanted || is_turned {
            selection.item = 0;
            // Nothing was chosen there yet, even if the list comes back to the query.
            selection.item_of = None;
        }
        if selected.is_some() && selected != wanted {
            selection.sought = None;
        }
        selection.last[direction] = selected.or(wanted);
        if let Some((query, _)) = near {
            let id = &self.study.gallery.queries(direction)[query as usize];
            let words = format!("query {id} is not listed here: this is the nearest");
            let said = self.message.take();
            self.message = Some(said.map_or(words.clone(), |said| format!("{said}; {words}")));
        }
    }

    /// The queries that the truth covers, the search matches and the filter lets through, in order: that of the search
    /// where they are sorted by nothing else; while a pool is
    /// judged, those of its pairs; none while it is not known which the filter lets through.
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
        let Some(scored) = self.scored() else {
            return queries;
        };
        let place = |query: u32| {
            let place = relevance.place(query as usize);
            place.expect("listed queries are covered")
        };
        // Queries without a value come last in both orders.
        let ap = |&query: &u32| {
            let value = scored.ap_at_r[place(query)];
            (value.is_nan(), Ordered(value))
        };
        let first = |&query: &u32| {
            let first = scored.ranks.query(place(query)).first();
            first.unwrap_or(u32::MAX)
        };
        match &self.selection.sort {
            Sort::Gallery => {}
            Sort::By(number) => self.sort_by_number(&mut queries, number),
            Sort::Worst => queries.sort_by_cached_key(ap),
            Sort::Best => queries.sort_by_cached_key(|query| {
                let (unknown, value) = ap(query);
                (unknown, std::cmp::Reverse(value))
            }),
            Sort::Latest => queries.sort_by_cached_key(|query| std::cmp::Reverse(first(query))),
            Sort::Earliest => queries.sort_by_cached_key(first),
            of_two => queries.sort_by_cached_key(|&query| {
                let agreement = self.agreement(of_two, query as usize);
                (agreement.is_none(), Ordered(agreement.unwrap_or_default()))
            }),
        }
        queries
    }
}

/// A number that is never NaN, in order.
#[derive(PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
