//! A table as ranked lists of a gallery.
//!
//! First the queries are read: if each query's rows are consecutive, a list is a run of rows, and the runs are decoded,
//! looked up and sorted in parallel, each item at the index of its row. The scores of such lists stay in the file until
//! needed. The rows of other tables are gathered first, and held with their scores.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::lookup::{Lookup, MISSING};
use super::order::{Duplicate, Keys, ListSorter, TableRow, Trend};
use super::runs::{Run, Task, split_tasks};
use super::{Cursors, Key, Role, Table};
use crate::data::id::{Id, IdList};
use crate::data::parallel;
use crate::data::scores::{ItemsWriter, ListScores, Lists, ReadScores, ResolvedLists};
use crate::error::{Error, Result};

/// Builds the lists of one table.
pub(super) struct ListBuilder<'a> {
    pub table: &'a Arc<Table>,
    pub query_ids: &'a IdList,
    pub item_ids: &'a IdList,
    pub queries: Lookup<'a>,
    pub items: Lookup<'a>,
}

/// The lists of a table, the trend of its scores, and unknown items.
struct BuiltLists {
    lists: Lists,
    trend: Trend,
    /// Items that the gallery lacks.
    unknown: FxHashSet<Id>,
}

/// Scores that stay in the table.
#[derive(Debug)]
struct TableScores {
    table: Arc<Table>,
    /// -1 for distances.
    sign: f64,
}

impl ReadScores for TableScores {
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
    pub fn lists(self: &Arc<Self>, queries: &IdList, items: &IdList) -> Result<ResolvedLists> {
        let builder = ListBuilder {
            table: self,
            query_ids: queries,
            item_ids: items,
            queries: Lookup::new(queries),
            items: Lookup::new(items),
        };
        let (runs, unknown_queries) = builder.runs()?;
        let mut seen = vec![false; queries.len()];
        let is_new = |run: &&Run| !std::mem::replace(&mut seen[run.query as usize], true);
        let known = runs.iter().filter(is_new).count();
        let lists_of_runs = if known == runs.len() { builder.lists_of_runs(&runs)? } else { None };
        let built = lists_of_runs.map_or_else(|| builder.lists_of_rows(&runs), Ok)?;
        Ok(ResolvedLists {
            lists: built.lists,
            queries: known,
            unknown_queries: unknown_queries.len(),
            unknown_items: built.unknown.len(),
            example: built.unknown.into_iter().min(),
            has_unordered_scores: self.columns.score.is_some() && built.trend.sign().is_none(),
        })
    }
}

impl ListBuilder<'_> {
    /// A sorter for lists of this table.
    fn sorter(&self) -> ListSorter {
        ListSorter::new(self.item_ids.len(), self.table.columns.rank.is_some())
    }

    /// Factor 1 or -1 that makes higher scores better; `None` if the table has no scores, or they contradict the ranks.
    fn sign(&self, trend: Trend) -> Option<f64> {
        trend.sign().filter(|_| self.table.columns.score.is_some())
    }

    /// Builds lists that are runs of rows; `None` if the gallery lacks an item.
    fn lists_of_runs(&self, runs: &[Run]) -> Result<Option<BuiltLists>> {
        let items = ItemsWriter::new(self.table.rows, self.item_ids.len());
        let decode = |(sorter, cursors): &mut (ListSorter, Cursors), task: &Task| {
            let decoded = self.task_items(sorter, cursors, task)?;
            decoded
                .map(|(sorted, trend)| items.write(task.rows.start, &sorted).map(|()| trend))
                .transpose()
        };
        let start = || (self.sorter(), Cursors::default());
        let trends = parallel::try_map_with(&split_tasks(runs), start, decode)?;
        let merge = |all: Trend, trend: Option<Trend>| trend.map(|trend| all.merge(trend));
        let Some(trend) = trends.into_iter().try_fold(Trend::default(), merge) else {
            return Ok(None);
        };
        let scores = self.sign(trend).map_or(ListScores::None, |sign| {
            ListScores::InFile(Arc::new(TableScores { table: self.table.clone(), sign }))
        });
        let mut spans = vec![0..0; self.query_ids.len()];
        for run in runs {
            spans[run.query as usize] = run.rows();
        }
        let lists = Lists::from_spans(self.item_ids.len(), spans, items.finish()?, scores);
        Ok(Some(BuiltLists { lists, trend, unknown: FxHashSet::default() }))
    }

    /// The items of a task's rows, each list sorted, and the trend of their scores; `None` if the gallery lacks an
    /// item.
    fn task_items(
        &self,
        sorter: &mut ListSorter,
        cursors: &mut Cursors,
        task: &Task,
    ) -> Result<Option<(Vec<u32>, Trend)>> {
        let keys = Keys::read(self.table, task.rows.clone(), cursors)?;
        let mut items = Vec::with_capacity(task.rows.len());
        let find = |_, key: Key| items.push(self.items.find(key));
        self.table.for_each_key(Role::Item, task.rows.clone(), cursors, find)?;
        let (mut rows, mut all) = (Vec::new(), Trend::default());
        for run in task.runs {
            let start = run.start - task.rows.start;
            let places = start..start + run.len as usize;
            let list = &mut items[places.clone()];
            if list.contains(&MISSING) {
                return Ok(None);
            }
            // Most files have sorted lists: these stay as they are.
            let trend = if keys.are_ascending(places.clone()) {
                sorter.check_list(list.iter().copied()).map(|()| keys.trend(places))
            } else {
                rows.clear();
                rows.extend(places.zip(&*list).map(|(at, item)| keys.row(at, run.query, *item)));
                let trend = sorter.sort(&mut rows);
                for (slot, row) in list.iter_mut().zip(&rows) {
                    *slot = row.item;
                }
                trend
            };
            all = all.merge(trend.map_err(|found| self.duplicate_error(run.query, &found))?);
        }
        Ok(Some((items, all)))
    }

    /// Builds lists of rows in any order, without items that the gallery lacks.
    fn lists_of_rows(&self, runs: &[Run]) -> Result<BuiltLists> {
        let tasks = self.table.map_tasks(|cursors, rows| self.known_rows(runs, rows, cursors))?;
        let (mut rows, mut unknown) = (Vec::new(), FxHashSet::default());
        for (known_rows, unknown_there) in tasks {
            rows.extend(known_rows);
            unknown.extend(unknown_there);
        }
        parallel::sort_unstable_by_key(&mut rows, |row: &TableRow| row.query);
        let mut lists: Vec<&mut [TableRow]> =
            rows.chunk_by_mut(|a, b| a.query == b.query).collect();
        let step = parallel::step(lists.len());
        let trends = parallel::try_map_chunks_mut(&mut lists, step, |lists| {
            let (mut sorter, mut all) = (self.sorter(), Trend::default());
            for list in lists {
                let query = list[0].query;
                let trend =
                    sorter.sort(list).map_err(|found| self.duplicate_error(query, &found))?;
                all = all.merge(trend);
            }
            Ok(all)
        })?;
        let trend = trends.into_iter().fold(Trend::default(), Trend::merge);
        let mut spans = vec![0..0; self.query_ids.len()];
        let mut start = 0;
        for list in rows.chunk_by(|a, b| a.query == b.query) {
            spans[list[0].query as usize] = start..start + list.len();
            start += list.len();
        }
        let scores = self.sign(trend).map_or(ListScores::None, |sign| {
            ListScores::InMemory(rows.iter().map(|row| sign * row.score).collect())
        });
        let items: Vec<u32> = rows.iter().map(|row| row.item).collect();
        let lists = Lists::from_spans(self.item_ids.len(), spans, items, scores);
        Ok(BuiltLists { lists, trend, unknown })
    }

    /// Those of `rows` whose query and item are in the gallery; and in lists of its queries, the items that it lacks.
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
        self.table.for_each_key(Role::Item, rows, cursors, |at, key| {
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

    /// The error of a duplicate in the list of a query.
    fn duplicate_error(&self, query: u32, duplicate: &Duplicate) -> Error {
        let query = &self.query_ids[query as usize];
        let file = &self.table.file.name;
        match duplicate {
            Duplicate::Item(item) => {
                Lists::duplicate_error(file, &self.item_ids[*item as usize], query)
            }
            Duplicate::Rank(rank) => {
                Error::new(file, format!("rank {rank} stands twice in the list of query {query}"))
                    .expected("every rank once in a list")
                    .fix("if shards were ranked on their own, leave the ranks out: scores order the items then")
            }
        }
    }
}
