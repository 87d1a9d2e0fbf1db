//! Tables whose queries' rows lie apart: the rows are brought together first, and held with their
//! scores.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::TASK_ROWS;
use super::lists::{ListLengths, Maker};
use super::lookup::MISSING;
use super::order::{Orderer, TableRow, Trend};
use super::runs::Run;
use super::scores::Keys;
use crate::data::id::Id;
use crate::data::parallel;
use crate::data::scores::{ListScores, Lists};
use crate::error::Result;

impl Maker<'_> {
    /// Lists whose rows lie anywhere.
    pub(super) fn scattered(&self, runs: &[Run]) -> Result<(Lists, ListLengths)> {
        let (mut rows, mut found) = self.known_rows(runs)?;
        parallel::sort_unstable_by_key(&mut rows, |row| row.query);
        let mut lists = Vec::new();
        lists.extend(rows.chunk_by_mut(|a, b| a.query == b.query));
        let step = parallel::step(lists.len());
        let trends = parallel::try_map_chunks_mut(&mut lists, step, |lists| self.ordered(lists))?;
        found.trend = trends.into_iter().fold(Trend::default(), Trend::and);
        let mut spans = vec![0..0; self.query_ids.len()];
        let mut start = 0;
        for list in rows.chunk_by(|a, b| a.query == b.query) {
            spans[list[0].query as usize] = start..start + list.len();
            start += list.len();
        }
        let sign = found.trend.sign().filter(|_| self.table.columns.score.is_some());
        let scores = sign.map_or(ListScores::None, |sign| {
            ListScores::Held(rows.iter().map(|row| sign * row.score).collect())
        });
        let items: Vec<u32> = rows.iter().map(|row| row.item).collect();
        Ok((Lists::placed(self.item_ids.len(), spans, items, scores), found))
    }

    /// Orders each of some lists, and tells by what.
    fn ordered(&self, lists: &mut [&mut [TableRow]]) -> Result<Trend> {
        let mut orderer = Orderer::new(self.item_ids.len(), self.table.columns.rank.is_some());
        let mut trend = Trend::default();
        for list in lists {
            let query = list[0].query;
            let of_list = orderer.order(list);
            trend = trend.and(of_list.map_err(|wrong| self.wrong(query, &wrong))?);
        }
        Ok(trend)
    }

    /// The rows of which both ids are known.
    fn known_rows(&self, runs: &[Run]) -> Result<(Vec<TableRow>, ListLengths)> {
        let of_rows = |rows: Range<usize>| {
            let from = runs.partition_point(|run| run.rows().end <= rows.start);
            let to = runs.partition_point(|run| run.start < rows.end);
            self.of_task(&runs[from..to], rows)
        };
        let tasks = parallel::try_map_ranges(self.table.rows, TASK_ROWS, of_rows)?;
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
