//! What orders a list, and its scores.

use std::ops::Range;
use std::sync::Arc;

use super::lookup::MISSING;
use super::order::Row;
use super::{Role, Table};
use crate::data::scores::ReadScores;
use crate::error::Result;

/// The keys and scores of some rows, the items still to come.
pub(super) fn keyed(table: &Table, rows: Range<usize>) -> Result<Vec<Row>> {
    let ranks = table.numbers(Role::Rank, rows.clone())?;
    let scores = table.numbers(Role::Score, rows)?;
    let worse = match table.columns.score {
        Some((_, true)) => 1.0,
        _ => -1.0,
    };
    let row = |key: f64, score: f64| Row {
        query: MISSING,
        item: MISSING,
        key,
        score,
    };
    Ok(match (ranks, scores) {
        (Some(ranks), Some(scores)) => {
            let both = ranks.into_iter().zip(scores);
            both.map(|(rank, score)| row(rank, score)).collect()
        }
        (Some(ranks), None) => ranks.into_iter().map(|rank| row(rank, 0.0)).collect(),
        (None, Some(scores)) => scores
            .into_iter()
            .map(|score| row(worse * score, score))
            .collect(),
        (None, None) => unreachable!("a table has one of the two"),
    })
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
        let mut rows = keyed(&self.table, rows).ok()?;
        rows.sort_by(|a, b| a.key.total_cmp(&b.key));
        Some(rows.iter().map(|row| self.sign * row.score).collect())
    }
}
