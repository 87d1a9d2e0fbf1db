//! A table as ranked lists of a gallery.
//!
//! First the queries are read: if each query's rows are consecutive, a list is a run of rows, and the runs are decoded,
//! looked up and sorted in parallel, each item at the index of its row. The scores of such lists stay in the file until
//! needed. The rows of other tables are gathered first, and held with their scores.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::lookup::{Lookup, MISSING};
use super::order::{Keys, Orderer, TableRow, Trend, Wrong};
use super::runs::{Run, Task, tasks};
use super::{Cursors, Key, Role, Table};
use crate::data::id::{Id, IdList};
use crate::data::parallel;
use crate::data::scores::{ItemsWriter, ListScores, Lists, ReadScores, Resolved};
use crate::error::{Error, Result};

/// Makes the lists of one table.
pub(super) struct Maker<'a> {
    pub table: &'a Arc<Table>,
    pub query_ids: &'a IdList,
    pub item_ids: &'a IdList,
    pub queries: Lookup<'a>,
    pub items: Lookup<'a>,
}

/// The lists of a table, and further findings.
struct Made {
    lists: Lists,
    trend: Trend,
    /// Items that the gallery lacks.
    unknown: FxHashSet<Id>,
}

/// Scores that stay in the table.
#[derive(Debug)]
struct InTable {
    table: Arc<Table>,
    /// -1 for distances.
    sign: f64,
}

impl ReadScores for InTable {
    fn read(&self, rows: Range<usize>) -> Option<Vec<f64>> {
        let len = rows.len();
        let keys = Keys::read(&self.table, rows, &mut Cursors::default()).ok()?;
        let mut rows: Vec<TableRow> = (0..len).map(|at| keys.row(at, MISSING, MISSING)).collect();
        rows.sort_by(|a, b| a.key.total_cmp(&b.key));
        Some(rows.iter().map(|row| self.sign * row.score).collect())
    }
}

impl Table {
    /// Looks up the ids of all rows and sorts the lists: by rank if there is one, else by score, and equal scores by
    /// the lower index. Ids that the gallery lacks are skipped.
    ///
    /// # Errors
    /// Damaged pages, NULL, NaN, a repeated item or rank in a list.
    pub fn lists(self: &Arc<Self>, queries: &IdList, items: &IdList) -> Result<Resolved> {
        let maker = Maker {
            table: self,
            query_ids: queries,
            item_ids: items,
            queries: Lookup::new(queries),
            items: Lookup::new(items),
        };
        let (runs, unknown_queries) = maker.runs()?;
        let mut seen = vec![false; queries.len()];
        let is_new = |run: &&Run| !std::mem::replace(&mut seen[run.query as usize], true);
        let known = runs.iter().filter(is_new).count();
        let in_runs = if known == runs.len() { maker.in_runs(&runs)? } else { None };
        let made = in_runs.map_or_else(|| maker.gathered(&runs), Ok)?;
        Ok(Resolved {
            lists: made.lists,
            queries: known,
            unknown_queries: unknown_queries.len(),
            unknown_items: made.unknown.len(),
            example: made.unknown.into_iter().min(),
            has_unordered_scores: self.columns.score.is_some() && made.trend.sign().is_none(),
        })
    }
}

impl Maker<'_> {
    fn orderer(&self) -> Orderer {
        Orderer::new(self.item_ids.len(), self.table.columns.rank.is_some())
    }

    /// Sign of scores so that higher is better; `None` if the table has none that follow the ranks.
    fn sign(&self, trend: Trend) -> Option<f64> {
        trend.sign().filter(|_| self.table.columns.score.is_some())
    }

    /// Lists of consecutive rows; `None` if the gallery lacks an item.
    fn in_runs(&self, runs: &[Run]) -> Result<Option<Made>> {
        let items = ItemsWriter::new(self.table.rows, self.item_ids.len());
        let decode = |(orderer, cursors): &mut (Orderer, Cursors), task: &Task| {
            let decoded = self.task(orderer, cursors, task)?;
            decoded
                .map(|(of_task, trend)| items.write(task.rows.start, &of_task).map(|()| trend))
                .transpose()
        };
        let start = || (self.orderer(), Cursors::default());
        let trends = parallel::try_map_with(&tasks(runs), start, decode)?;
        let all = |all: Trend, trend: Option<Trend>| trend.map(|trend| all.and(trend));
        let Some(trend) = trends.into_iter().try_fold(Trend::default(), all) else {
            return Ok(None);
        };
        let scores = self.sign(trend).map_or(ListScores::None, |sign| {
            ListScores::Read(Arc::new(InTable { table: self.table.clone(), sign }))
        });
        let mut spans = vec![0..0; self.query_ids.len()];
        for run in runs {
            spans[run.query as usize] = run.rows();
        }
        let lists = Lists::from_spans(self.item_ids.len(), spans, items.finish()?, scores);
        Ok(Some(Made { lists, trend, unknown: FxHashSet::default() }))
    }

    /// The items of a task's rows, each list sorted; `None` if the gallery lacks one.
    fn task(
        &self,
        orderer: &mut Orderer,
        cursors: &mut Cursors,
        task: &Task,
    ) -> Result<Option<(Vec<u32>, Trend)>> {
        let keys = Keys::read(self.table, task.rows.clone(), cursors)?;
        let mut items = Vec::with_capacity(task.rows.len());
        let find = |_, key: Key| items.push(self.items.find(key));
        self.table.keys(Role::Item, task.rows.clone(), cursors, find)?;
        let (mut rows, mut all) = (Vec::new(), Trend::default());
        for run in task.runs {
            let start = run.start - task.rows.start;
            let places = start..start + run.len as usize;
            let list = &mut items[places.clone()];
            if list.contains(&MISSING) {
                return Ok(None);
            }
            // Most files have sorted lists: these stay as they are.
            let trend = if keys.ascend(places.clone()) {
                orderer.distinct(list.iter().copied()).map(|()| keys.trend(places))
            } else {
                rows.clear();
                rows.extend(places.zip(&*list).map(|(at, item)| keys.row(at, run.query, *item)));
                let trend = orderer.order(&mut rows);
                for (slot, row) in list.iter_mut().zip(&rows) {
                    *slot = row.item;
                }
                trend
            };
            all = all.and(trend.map_err(|wrong| self.wrong(run.query, &wrong))?);
        }
        Ok(Some((items, all)))
    }

    /// Lists of rows in any order, without items that the gallery lacks.
    fn gathered(&self, runs: &[Run]) -> Result<Made> {
        let tasks = self.table.in_tasks(|cursors, rows| self.known_rows(runs, rows, cursors))?;
        let (mut rows, mut unknown) = (Vec::new(), FxHashSet::default());
        for (of_task, unknown_there) in tasks {
            rows.extend(of_task);
            unknown.extend(unknown_there);
        }
        parallel::sort_unstable_by_key(&mut rows, |row: &TableRow| row.query);
        let mut lists: Vec<&mut [TableRow]> =
            rows.chunk_by_mut(|a, b| a.query == b.query).collect();
        let step = parallel::step(lists.len());
        let trends = parallel::try_map_chunks_mut(&mut lists, step, |lists| {
            let (mut orderer, mut all) = (self.orderer(), Trend::default());
            for list in lists {
                let query = list[0].query;
                let trend = orderer.order(list).map_err(|wrong| self.wrong(query, &wrong))?;
                all = all.and(trend);
            }
            Ok(all)
        })?;
        let trend = trends.into_iter().fold(Trend::default(), Trend::and);
        let mut spans = vec![0..0; self.query_ids.len()];
        let mut start = 0;
        for list in rows.chunk_by(|a, b| a.query == b.query) {
            spans[list[0].query as usize] = start..start + list.len();
            start += list.len();
        }
        let scores = self.sign(trend).map_or(ListScores::None, |sign| {
            ListScores::Held(rows.iter().map(|row| sign * row.score).collect())
        });
        let items: Vec<u32> = rows.iter().map(|row| row.item).collect();
        let lists = Lists::from_spans(self.item_ids.len(), spans, items, scores);
        Ok(Made { lists, trend, unknown })
    }

    /// Rows with two known ids, and unknown items of known queries.
    fn known_rows(
        &self,
        runs: &[Run],
        rows: Range<usize>,
        cursors: &mut Cursors,
    ) -> Result<(Vec<TableRow>, FxHashSet<Id>)> {
        let (mut known, mut unknown) = (Vec::new(), FxHashSet::default());
        let keys = Keys::read(self.table, rows.clone(), cursors)?;
        let start = rows.start;
        let mut runs = &runs[runs.partition_point(|run| run.rows().end <= start)..];
        self.table.keys(Role::Item, rows, cursors, |at, key| {
            while let [first, rest @ ..] = runs
                && first.rows().end <= start + at
            {
                runs = rest;
            }
            if let Some(run) = runs.first().filter(|run| run.start <= start + at) {
                match self.items.find(key) {
                    MISSING => _ = unknown.insert(key.id()),
                    item => known.push(keys.row(at, run.query, item)),
                }
            }
        })?;
        Ok((known, unknown))
    }

    /// The error of a duplicate.
    fn wrong(&self, query: u32, wrong: &Wrong) -> Error {
        let query = &self.query_ids[query as usize];
        let file = &self.table.file.name;
        match wrong {
            Wrong::Item(item) => {
                let item = &self.item_ids[*item as usize];
                Error::new(file, format!("item {item} stands twice in the list of query {query}"))
                    .expected("every item once in a list")
            }
            Wrong::Rank(rank) => {
                Error::new(file, format!("rank {rank} stands twice in the list of query {query}"))
                    .expected("every rank once in a list")
                    .mend("if shards were ranked on their own, leave the ranks out: scores order the items then")
            }
        }
    }
}
