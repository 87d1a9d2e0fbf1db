//! Which queries are listed, in which order, and what is selected and marked of them and of their rankings.

use std::collections::BTreeSet;

use super::Model;
use super::item_list::ItemRows;
use crate::data::index::ItemIx;
use crate::data::{Direction, PerDirection};
use crate::filter::Expression;
use crate::jobs::{RankingKey, Stamp};
use crate::study::View;
use crate::truth::verdict::Pair;
use crate::tui::sort::{Sort, negated};

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
    /// Place of the selected item in the ranking.
    pub item: usize,
    /// The list that keys go to.
    pub pane: Pane,
    /// The order of the queries that was chosen; [`Model::order`] has the one in force.
    pub sort: Sort,
    /// Name of the model that was chosen to be compared with the one looked at.
    pub rival: Option<String>,
    /// What is to be selected once the ranking of the selected query is there.
    pub(super) sought: Option<Sought>,
    /// The numbers that queries are sorted by, in the order of `queries`; empty where these are sorted by no
    /// expression.
    pub(super) values: Vec<Option<f64>>,
    /// A selected item that the model looked at does not rank.
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
        let key = Expression::number(number, &self.study, self.view).ok()?;
        let counts = self.counts_of(key.needs())?;
        let key = key.over(&self.study, &counts)?;
        Some(queries.iter().map(|&query| key.number(query as usize)).collect())
    }

    /// Reads anew the numbers that the queries listed are sorted by.
    pub(super) fn read_sort_values(&mut self) {
        let number = self.selection.sort.number();
        let values = number.and_then(|number| self.numbers_of(&self.selection.queries, number));
        self.selection.values = values.unwrap_or_default();
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
            _ => None,
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

/// What pairs are marked in: a direction, and the query whose ranking it is; on Items no single one.
type MarkedIn = (Direction, Option<u32>);

/// The marked pairs, and what they were made in: elsewhere there are none.
#[derive(Debug, Default)]
pub struct Marked(Option<(MarkedIn, BTreeSet<Pair>)>);

impl Marked {
    /// The marked pairs.
    pub fn pairs(&self, of: MarkedIn) -> Option<&BTreeSet<Pair>> {
        let (marked_in, marks) = self.0.as_ref()?;
        (*marked_in == of && !marks.is_empty()).then_some(marks)
    }

    /// Marks a pair, or removes the mark.
    pub(super) fn pair(&mut self, of: MarkedIn, pair: Pair, is_marked: bool) {
        let (_, marks) = match &mut self.0 {
            Some(known) if known.0 == of => known,
            other => other.insert((of, BTreeSet::new())),
        };
        if is_marked {
            marks.insert(pair);
        } else {
            marks.remove(&pair);
        }
    }
}

impl Model {
    /// What pairs are marked in here.
    pub(super) fn marked_in(&self) -> MarkedIn {
        let query = self.selection.query().filter(|_| !self.demand.items);
        (self.view.direction, query.map(|query| query as u32))
    }

    /// The marked pairs of the selected query, or on Items of any.
    pub(super) fn marked_pairs(&self) -> Option<&BTreeSet<Pair>> {
        self.marked.pairs(self.marked_in())
    }

    /// The number of marked pairs.
    pub fn marked_count(&self) -> usize {
        self.marked_pairs().map_or(0, BTreeSet::len)
    }

    /// Whether an item of a query is marked.
    pub fn is_item_marked(&self, query: usize, item: usize) -> bool {
        let pair = Pair::of(self.view.direction, query.into(), item.into());
        self.marked_pairs().is_some_and(|marks| marks.contains(&pair))
    }

    /// Marks the selected item, or removes its mark.
    pub(in crate::tui) fn toggle_mark(&mut self) {
        let Some(pair) = self.pair_at_hand() else {
            self.message = Some("no item is selected".into());
            return;
        };
        let (of, is_marked) =
            (self.marked_in(), self.marked_pairs().is_some_and(|of| of.contains(&pair)));
        self.marked.pair(of, pair, !is_marked);
    }

    /// Whether the judging mode is what ends next: marks and the search go before it.
    pub(in crate::tui) fn ends_judging(&self) -> bool {
        self.judging.is_on && self.marked_count() == 0 && !self.is_searched()
    }

    /// Removes all marks; whether there were any here.
    pub(in crate::tui) fn clear_marks(&mut self) -> bool {
        let were_any = self.marked_count() > 0;
        self.marked = Marked::default();
        were_any
    }

    /// The pairs that an answer is about, each with its rank: those that are marked, else the selected one.
    pub(in crate::tui) fn pairs_to_judge(&self) -> Vec<(Pair, usize)> {
        let Some(marks) = self.marked_pairs() else {
            let pair = self.pair_at_hand();
            return Vec::from_iter(pair.zip(self.item().map(|item| item.rank)));
        };
        let (query, direction) = (self.selection.query().unwrap_or_default(), self.view.direction);
        let ranked: Vec<(Pair, usize)> = if self.demand.items {
            let rows = self.item_rows().into_iter().flat_map(ItemRows::all);
            rows.map(|one| (self.pair_of(one), one.rank as usize)).collect()
        } else {
            let order = self.ranking().map_or(&[][..], |of| &of.order);
            let pair = |item: u32| Pair::of(direction, query.into(), (item as usize).into());
            order.iter().zip(1..).map(|(item, rank)| (pair(*item), rank)).collect()
        };
        ranked.into_iter().filter(|(pair, _)| marks.contains(pair)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_of_what_they_were_made_on() {
        let pair = |caption: u32| Pair { image: 3_u32.into(), caption: caption.into() };
        let (here, elsewhere) = ((Direction::I2t, Some(3)), (Direction::I2t, None));
        let mut marked = Marked::default();
        marked.pair(here, pair(7), true);
        marked.pair(here, pair(5), true);
        let pairs = marked.pairs(here).unwrap();
        assert_eq!(pairs.iter().copied().collect::<Vec<_>>(), [pair(5), pair(7)]);
        assert_eq!(marked.pairs(elsewhere), None);
        marked.pair(elsewhere, pair(1), true);
        assert_eq!(marked.pairs(here), None);
        marked.pair(elsewhere, pair(1), false);
        assert_eq!(marked.pairs(elsewhere), None, "none is left");
    }
}
