//! Sort keys of rows, and sorting of lists.

use std::cmp::Ordering;
use std::ops::Range;

use super::{Cursors, Role, Table};
use crate::data::columns::Columns;
use crate::error;

/// Ranks and scores of some rows; at least one of both.
pub(super) struct Keys {
    /// Empty if the table has none.
    ranks: Vec<f64>,
    /// Empty if the table has none.
    scores: Vec<f64>,
    /// Factor that makes lower scores better.
    sign: f64,
}

impl Keys {
    /// Decodes the ranks and the scores of these rows.
    ///
    /// # Errors
    /// Damaged pages, NULL, NaN.
    pub(super) fn read(
        table: &Table,
        rows: Range<usize>,
        cursors: &mut Cursors,
    ) -> error::Result<Self> {
        let Columns { rank, score, .. } = &table.columns;
        let mut read = |has_column: bool, role| {
            let numbers = has_column.then(|| table.numbers(role, rows.clone(), cursors));
            numbers.transpose().map(Option::unwrap_or_default)
        };
        Ok(Keys {
            ranks: read(rank.is_some(), Role::Rank)?,
            scores: read(score.is_some(), Role::Score)?,
            sign: if matches!(score, Some((_, true))) { 1.0 } else { -1.0 },
        })
    }

    /// Whether each of the rows at `places`, counted from the first row read, is better than the next.
    pub(super) fn are_ascending(&self, places: Range<usize>) -> bool {
        match self.ranks.get(places.clone()) {
            Some(ranks) => ranks.is_sorted_by(|a, b| a < b),
            None => self.scores[places].is_sorted_by(|a, b| self.sign * a < self.sign * b),
        }
    }

    /// Trend of the scores of the rows at `places`, counted from the first row read.
    pub(super) fn trend(&self, places: Range<usize>) -> Trend {
        Trend::from_scores(self.scores.get(places).unwrap_or_default().iter().copied())
    }

    /// The row at index `at`, counted from the first row read, with these gallery indices of its query and item.
    #[inline]
    pub(super) fn row(&self, at: usize, query: u32, item: u32) -> TableRow {
        let score = self.scores.get(at).copied().unwrap_or_default();
        let key = self.ranks.get(at).copied().unwrap_or(self.sign * score);
        TableRow { query, item, key, score }
    }
}

/// A row of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableRow {
    pub query: u32,
    pub item: u32,
    /// Lower is better: the rank, the distance, or the negative score. Not NaN.
    pub key: f64,
    pub score: f64,
}

/// An item or rank that occurs twice in a list.
pub(super) enum Duplicate {
    Item(u32),
    Rank(f64),
}

/// Sorts lists and finds duplicates in them.
pub(super) struct ListSorter {
    /// A bit for each item, set while its list is checked.
    seen: Vec<u64>,
    /// Whether the keys are ranks, which must be distinct.
    has_ranks: bool,
}

impl ListSorter {
    pub(super) fn new(item_count: usize, has_ranks: bool) -> Self {
        ListSorter { seen: vec![0; item_count.div_ceil(64)], has_ranks }
    }

    /// Checks that the items of the next list are distinct.
    pub(super) fn check_list(
        &mut self,
        mut items: impl Iterator<Item = u32> + Clone,
    ) -> Result<(), Duplicate> {
        let all = items.clone();
        let twice = items.find(|&item| {
            let word = &mut self.seen[item as usize / 64];
            let bit = 1 << (item % 64);
            let is_set = *word & bit != 0;
            *word |= bit;
            is_set
        });
        all.for_each(|item| self.seen[item as usize / 64] = 0);
        twice.map_or(Ok(()), |item| Err(Duplicate::Item(item)))
    }

    /// Sorts a list by key, equal ones by item, and returns the trend of the scores.
    ///
    /// # Errors
    /// An item or a rank that occurs twice.
    pub(super) fn sort(&mut self, rows: &mut [TableRow]) -> Result<Trend, Duplicate> {
        self.check_list(rows.iter().map(|row| row.item))?;
        let compare = |a: &TableRow, b: &TableRow| match a.key.partial_cmp(&b.key) {
            Some(Ordering::Equal) | None => a.item.cmp(&b.item),
            Some(ordering) => ordering,
        };
        if !rows.is_sorted_by(|a, b| compare(a, b).is_lt()) {
            rows.sort_unstable_by(compare);
        }
        let equal = rows.windows(2).find(|pair| pair[0].key >= pair[1].key);
        match equal.filter(|_| self.has_ranks) {
            Some(pair) => Err(Duplicate::Rank(pair[1].key)),
            None => Ok(Trend::from_scores(rows.iter().map(|row| row.score))),
        }
    }
}

/// Whether scores rise or fall anywhere along lists.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Trend {
    pub rises: bool,
    pub falls: bool,
}

impl Trend {
    /// Trend along one list.
    pub(super) fn from_scores(scores: impl Iterator<Item = f64> + Clone) -> Trend {
        let after = scores.clone().skip(1);
        let mut trend = Trend::default();
        for (score, next) in scores.zip(after) {
            trend.rises |= score < next;
            trend.falls |= score > next;
        }
        trend
    }

    /// The trend along both lists.
    pub(super) fn merge(self, other: Trend) -> Trend {
        Trend { rises: self.rises || other.rises, falls: self.falls || other.falls }
    }

    /// Factor 1 or -1 that makes higher scores better; `None` if they contradict the ranks.
    pub(super) fn sign(self) -> Option<f64> {
        match (self.rises, self.falls) {
            (true, true) => None,
            (true, false) => Some(-1.0),
            (false, _) => Some(1.0),
        }
    }
}
