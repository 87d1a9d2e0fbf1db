//! What orders a list, and its scores.

use std::ops::Range;
use std::sync::Arc;

use super::lookup::MISSING;
use super::order::{TableRow, Trend, ordered};
use super::{Role, Table};
use crate::data::scores::ReadScores;
use crate::error::Result;

/// What orders some rows, and their scores: at least one of the two.
pub(super) struct Keys {
    ranks: Option<Vec<f64>>,
    scores: Option<Vec<f64>>,
    /// The scores as they are, where no float holds them.
    whole: Option<Vec<i64>>,
    /// Makes less better, where scores order.
    worse: f64,
}

impl Keys {
    /// Decodes the ranks and the scores of these rows.
    ///
    /// # Errors
    /// As [`Table::numbers`].
    pub(super) fn read(table: &Table, rows: Range<usize>) -> Result<Self> {
        Ok(Keys {
            ranks: table.numbers(Role::Rank, rows.clone())?,
            scores: table.numbers(Role::Score, rows.clone())?,
            whole: table.whole_scores(rows)?,
            worse: match table.columns.score {
                Some((_, true)) => 1.0,
                _ => -1.0,
            },
        })
    }

    /// The scores, or nothing without such a column.
    pub(super) fn scores(&self) -> &[f64] {
        self.scores.as_deref().unwrap_or_default()
    }

    /// Whether each row of these is better than the next.
    pub(super) fn ascend(&self, places: Range<usize>) -> bool {
        match (&self.ranks, &self.whole) {
            (Some(ranks), _) => ranks[places].is_sorted_by(|a, b| a < b),
            (None, Some(_)) => places.map(|at| self.key(at)).is_sorted_by(|a, b| a < b),
            (None, None) => {
                self.scores()[places].is_sorted_by(|a, b| self.worse * a < self.worse * b)
            }
        }
    }

    /// How the scores run along these rows.
    pub(super) fn trend(&self, places: Range<usize>) -> Trend {
        let scores = self.scores.as_ref().map(|scores| &scores[places]);
        Trend::of(scores.into_iter().flatten().copied())
    }

    /// What orders the row at a place: less is better.
    #[inline]
    fn key(&self, at: usize) -> i64 {
        match (&self.ranks, &self.whole) {
            (Some(ranks), _) => ordered(ranks[at]),
            (None, Some(whole)) if self.worse > 0.0 => whole[at],
            // Negating the least integer would overflow.
            (None, Some(whole)) => !whole[at],
            (None, None) => ordered(self.worse * self.scores()[at]),
        }
    }

    /// The row at a place among them.
    #[inline]
    pub(super) fn row(&self, at: usize, query: u32, item: u32) -> TableRow {
        let score = self.scores.as_ref().map_or(0.0, |scores| scores[at]);
        TableRow { query, item, key: self.key(at), score }
    }
}

/// Scores that stay in the table.
#[derive(Debug)]
pub(super) struct InTable {
    pub table: Arc<Table>,
    /// Makes more better.
    pub sign: f64,
}

impl ReadScores for InTable {
    fn read(&self, rows: Range<usize>) -> Option<Vec<f64>> {
        let len = rows.len();
        let keys = Keys::read(&self.table, rows).ok()?;
        let mut rows: Vec<TableRow> = (0..len).map(|at| keys.row(at, MISSING, MISSING)).collect();
        rows.sort_by_key(|row| row.key);
        Some(rows.iter().map(|row| self.sign * row.score).collect())
    }
}
