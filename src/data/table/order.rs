//! Sort keys of rows, and sorting of lists.

use std::cmp::Ordering;
use std::ops::Range;

use super::{Cursors, Role, TASK_ROWS, Table};
use crate::error;

/// Sort keys and scores of some rows.
pub(super) struct Keys {
    /// Less is better.
    keys: Vec<f64>,
    /// Empty if the table has none.
    scores: Vec<f64>,
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
        let mut keys = Vec::with_capacity(rows.len().min(TASK_ROWS));
        let mut scores = Vec::new();
        let has_ranks = table.columns.rank.is_some();
        if has_ranks {
            table.numbers(Role::Rank, rows.clone(), cursors, |rank| keys.push(rank))?;
        }
        if let Some((_, less_is_better)) = table.columns.score {
            let worse = if less_is_better { 1.0 } else { -1.0 };
            scores.reserve_exact(rows.len().min(TASK_ROWS));
            table.numbers(Role::Score, rows, cursors, |score| {
                scores.push(score);
                if !has_ranks {
                    keys.push(worse * score);
                }
            })?;
        }
        Ok(Keys { keys, scores })
    }

    /// Whether each row of these is better than the next.
    pub(super) fn ascend(&self, places: Range<usize>) -> bool {
        self.keys[places].is_sorted_by(|a, b| a < b)
    }

    /// Trend of scores along these rows.
    pub(super) fn trend(&self, places: Range<usize>) -> Trend {
        Trend::from_scores(self.scores.get(places).unwrap_or_default().iter().copied())
    }

    /// The row at a place among them.
    #[inline]
    pub(super) fn row(&self, at: usize, query: u32, item: u32) -> TableRow {
        let score = self.scores.get(at).copied().unwrap_or_default();
        TableRow { query, item, key: self.keys[at], score }
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

/// A duplicate in a list.
pub(super) enum Wrong {
    Item(u32),
    Rank(f64),
}

/// Sorts lists and finds duplicates in them.
pub(super) struct Orderer {
    /// Number of the last list with each item.
    seen: Vec<u32>,
    list: u32,
    /// Whether the keys are ranks, which must be distinct.
    ranked: bool,
}

impl Orderer {
    pub(super) fn new(item_count: usize, ranked: bool) -> Self {
        Orderer { seen: vec![0; item_count], list: 0, ranked }
    }

    /// Checks that the items of a list are distinct.
    pub(super) fn distinct(&mut self, items: impl Iterator<Item = u32>) -> Result<(), Wrong> {
        self.list += 1;
        for item in items {
            if std::mem::replace(&mut self.seen[item as usize], self.list) == self.list {
                return Err(Wrong::Item(item));
            }
        }
        Ok(())
    }

    /// Sorts a list, equal scores by lower index, and returns the trend of the scores.
    pub(super) fn order(&mut self, rows: &mut [TableRow]) -> Result<Trend, Wrong> {
        self.distinct(rows.iter().map(|row| row.item))?;
        let order = |a: &TableRow, b: &TableRow| match a.key.partial_cmp(&b.key) {
            Some(Ordering::Equal) | None => a.item.cmp(&b.item),
            Some(order) => order,
        };
        if !rows.is_sorted_by(|a, b| order(a, b).is_lt()) {
            rows.sort_unstable_by(order);
        }
        let twice = rows.windows(2).find(|pair| pair[0].key >= pair[1].key);
        match twice.filter(|_| self.ranked) {
            Some(pair) => Err(Wrong::Rank(pair[1].key)),
            None => Ok(Trend::from_scores(rows.iter().map(|row| row.score))),
        }
    }
}

/// Trend of scores along lists.
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

    pub(super) fn and(self, other: Trend) -> Trend {
        Trend { rises: self.rises || other.rises, falls: self.falls || other.falls }
    }

    /// Sign of scores so that higher is better; `None` if they do not follow the ranks.
    pub(super) fn sign(self) -> Option<f64> {
        match (self.rises, self.falls) {
            (true, true) => None,
            (true, false) => Some(-1.0),
            (false, _) => Some(1.0),
        }
    }
}
