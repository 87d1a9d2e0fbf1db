//! Tables whose queries' rows lie apart: the rows are brought together first, and held with their
//! scores.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::TASK_ROWS;
use super::lists::{ListLengths, Maker};
use super::lookup::MISSING;
use super::order::{Orderer, TableRow, Trend};
use super::runs::Run;
use super::scores::Keys;
use crate::data::id::Id;
use crate::data::scores::{ListScores, Lists};
use crate::error::Result;

impl Maker<'_> {
    /// Lists whose rows lie anywhere.
    pub(super) fn scattered(&self, runs: &[Run]) -> Result<(Lists, ListLengths)> {
        let (mut rows, mut found) = self.known_rows(runs)?;
        rows.par_sort_unstable_by_key(|row| row.query);
        let mut lists = Vec::new();
        lists.extend(rows.chunk_by_mut(|a, b| a.query == b.query));
        let new = || Orderer::new(self.item_ids.len(), self.table.columns.rank.is_some());
        let ordered = lists.into_par_iter().map_init(new, |orderer, list| {
            let query = list[0].query;
            orderer
                .order(list)
                .map_err(|wrong| self.wrong(query, &wrong))
        });
        found.trend = ordered.try_reduce(Trend::default, |a, b| Ok(a.and(b)))?;
        let mut spans = vec![0..0; self.query_ids.len()];
        let mut start = 0;
        for list in rows.chunk_by(|a, b| a.query == b.query) {
            spans[list[0].query as usize] = start..start + list.len();
            start += list.len();
        }
        let sign = found
            .trend
            .sign()
            .filter(|_| self.table.columns.score.is_some());
        let scores = sign.map_or(ListScores::None, |sign| {
            ListScores::Held(rows.par_iter().map(|row| sign * row.score).collect())
        });
        let items: Vec<u32> = rows.par_iter().map(|row| row.item).collect();
        Ok((
            Lists::placed(self.item_ids.len(), spans, items, scores),
            found,
        ))
    }

    /// The rows of which both ids are known.
    fn known_rows(&self, runs: &[Run]) -> Result<(Vec<TableRow>, ListLengths)> {
        let rows = self.table.rows;
        let tasks = (0..rows.div_ceil(TASK_ROWS)).into_par_iter();
        let tasks = tasks.map(|task| {
            let start = task * TASK_ROWS;
            let rows = start..rows.min(start + TASK_ROWS);
            let from = runs.partition_point(|run| run.rows().end <= rows.start);
            let to = runs.partition_point(|run| run.start < rows.end);
            self.of_task(&runs[from..to], rows)
        });
        let tasks: Vec<(Vec<TableRow>, FxHashSet<Id>)> = tasks.collect::<Result<_>>()?;
        let (mut all, mut found) = (Vec::new(), ListLengths::default());
        for (rows, unknown) in tasks {
            all.extend(rows);
            found.unknown.extend(unknown);
        }
        Ok((all, found))
    }

    fn of_task(&self, runs: &[Run], rows: Range<usize>) -> Result<(Vec<TableRow>, FxHashSet<Id>)> {
        let mut unknown = FxHashSet::default();
        let start = rows.start;
        let keys = Keys::read(self.table, rows.clone())?;
        let items = self.items(rows.clone(), runs, &mut unknown)?;
        let mut known = Vec::with_capacity(items.len());
        for run in runs {
            let inside = run.start.max(rows.start)..run.rows().end.min(rows.end);
            let places = inside.start - start..inside.end - start;
            let found = places.filter(|&at| items[at] != MISSING);
            known.extend(found.map(|at| keys.row(at, run.query, items[at])));
        }
        Ok((known, unknown))
    }
}
