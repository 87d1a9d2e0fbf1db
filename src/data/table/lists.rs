//! A table as ranked lists of a gallery.
//!
//! First the queries are read: where each query's rows lie together, a list is a run of rows, and the
//! runs are decoded, looked up and ordered in parallel, each item at the place of its row. The scores
//! of such lists stay in the file until one is looked at. Other tables: see [`super::scattered`].

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::lookup::{Lookup, MISSING};
use super::order::{Orderer, TableRow, Trend, Wrong};
use super::runs::{Run, Task, tasks};
use super::scores::{InTable, Keys};
use super::{Role, Table};
use crate::data::id::{Id, IdList};
use crate::data::parallel;
use crate::data::scores::{Items, ItemsWriter, ListScores, Lists, Resolved};
use crate::error::{Error, Result};

/// Makes the lists of one table.
pub(super) struct Maker<'a> {
    pub table: &'a Arc<Table>,
    pub query_ids: &'a IdList,
    pub item_ids: &'a IdList,
    pub queries: Lookup<'a>,
    pub items: Lookup<'a>,
}

/// What a task found.
#[derive(Default)]
pub(super) struct ListLengths {
    /// How many items each run keeps.
    pub lens: Vec<u32>,
    pub unknown: FxHashSet<Id>,
    pub trend: Trend,
}

impl ListLengths {
    fn add(&mut self, other: ListLengths) {
        self.lens.extend(other.lens);
        self.unknown.extend(other.unknown);
        self.trend = self.trend.and(other.trend);
    }
}

/// What a task makes: a place for each of its rows.
struct Decoded {
    items: Vec<u32>,
    scores: Vec<f64>,
    found: ListLengths,
}

impl Decoded {
    /// Puts a list that was ordered in the place of its rows.
    fn put(&mut self, start: usize, rows: &[TableRow]) {
        for (slot, row) in self.items[start..].iter_mut().zip(rows) {
            *slot = row.item;
        }
        for (slot, row) in self.scores.iter_mut().skip(start).zip(rows) {
            *slot = row.score;
        }
    }
}

impl Table {
    /// Looks up the ids of all rows and puts the lists in order: by rank where there is one, else by
    /// score, and equal scores by the lower index. Ids that the gallery lacks are left out.
    ///
    /// # Errors
    /// Damaged pages, NULL, NaN, an item or a rank that stands twice in a list.
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
        let twice = |run: &Run| std::mem::replace(&mut seen[run.query as usize], true);
        let scattered = runs.iter().map(twice).filter(|&twice| twice).count();
        let known = runs.len() - scattered;
        let (lists, found) =
            if scattered > 0 { maker.scattered(&runs)? } else { maker.in_runs(&runs)? };
        Ok(Resolved {
            lists,
            queries: known,
            unknown_queries: unknown_queries.len(),
            unknown_items: found.unknown.len(),
            example: found.unknown.into_iter().min(),
            has_unordered_scores: self.columns.score.is_some() && found.trend.sign().is_none(),
        })
    }
}

impl Maker<'_> {
    /// Lists whose rows lie together.
    fn in_runs(&self, runs: &[Run]) -> Result<(Lists, ListLengths)> {
        let has_scores = self.table.columns.score.is_some();
        let (items, _, found) = self.decoded(runs, false)?;
        let mut scores = ListScores::None;
        if let Some(sign) = found.trend.sign().filter(|_| has_scores) {
            scores = if found.unknown.is_empty() {
                ListScores::Read(Arc::new(InTable { table: self.table.clone(), sign }))
            } else {
                // Which rows were left out is not kept: their scores are read along with them.
                let (_, mut held, _) = self.decoded(runs, true)?;
                for score in &mut held {
                    *score *= sign;
                }
                ListScores::Held(held)
            };
        }
        let mut spans = vec![0..0; self.query_ids.len()];
        for (run, len) in runs.iter().zip(&found.lens) {
            spans[run.query as usize] = run.start..run.start + *len as usize;
        }
        let lists = Lists::placed(self.item_ids.len(), spans, items, scores);
        Ok((lists, found))
    }

    /// The items at the places of their rows, and the scores likewise where they are asked for.
    fn decoded(&self, runs: &[Run], with_scores: bool) -> Result<(Items, Vec<f64>, ListLengths)> {
        let items = ItemsWriter::new(self.table.rows, self.item_ids.len());
        let new = || Orderer::new(self.item_ids.len(), self.table.columns.rank.is_some());
        let decode = |orderer: &mut Orderer, task: &Task| {
            let decoded = self.task(orderer, task, with_scores)?;
            items.put(task.rows.start, &decoded.items)?;
            Ok((decoded.scores, decoded.found))
        };
        let tasks = tasks(runs);
        let parts = parallel::try_map_with(&tasks, new, decode)?;
        let (mut scores, mut found) = (Vec::new(), ListLengths::default());
        for (task, (of_task, there)) in tasks.iter().zip(parts) {
            if with_scores {
                // Rows between the tasks are of queries that the gallery lacks.
                scores.resize(task.rows.start, 0.0);
                scores.extend(of_task);
            }
            found.add(there);
        }
        Ok((items.finish()?, scores, found))
    }

    /// Decodes and orders the runs of a task.
    fn task(&self, orderer: &mut Orderer, task: &Task, with_scores: bool) -> Result<Decoded> {
        let mut found = ListLengths::default();
        let keys = Keys::read(self.table, task.rows.clone())?;
        let items = self.items(task.rows.clone(), task.runs, &mut found.unknown)?;
        let scores = with_scores.then(|| keys.scores().to_vec());
        let mut decoded = Decoded { items, scores: scores.unwrap_or_default(), found };
        let mut rows = Vec::new();
        for run in task.runs {
            let start = run.start - task.rows.start;
            let places = start..start + run.len as usize;
            let list = &decoded.items[places.clone()];
            // Most files have their lists in order: these stay as they are.
            let ordered = if keys.ascend(places.clone()) && !list.contains(&MISSING) {
                let trend = keys.trend(places);
                let distinct = orderer.distinct(list.iter().copied());
                distinct.map(|()| (run.len, trend))
            } else {
                rows.clear();
                let known = places.filter(|&at| decoded.items[at] != MISSING);
                rows.extend(known.map(|at| keys.row(at, run.query, decoded.items[at])));
                let ordered = orderer.order(&mut rows);
                decoded.put(start, &rows);
                ordered.map(|trend| (rows.len() as u32, trend))
            };
            let (len, trend) = ordered.map_err(|wrong| self.wrong(run.query, &wrong))?;
            decoded.found.lens.push(len);
            decoded.found.trend = decoded.found.trend.and(trend);
        }
        Ok(decoded)
    }

    /// The items of some rows, or [`MISSING`]; what `runs` have of these goes to `unknown`.
    pub(super) fn items(
        &self,
        rows: Range<usize>,
        runs: &[Run],
        unknown: &mut FxHashSet<Id>,
    ) -> Result<Vec<u32>> {
        let start = rows.start;
        let wanted = |row: usize| {
            let run = runs.partition_point(|run| run.rows().end <= row);
            runs.get(run).is_some_and(|run| run.rows().contains(&row))
        };
        let mut items = Vec::with_capacity(rows.len());
        self.table.keys(Role::Item, rows, |at, key| {
            let item = self.items.find(key);
            if item == MISSING && wanted(start + at) {
                unknown.insert(key.id());
            }
            items.push(item);
        })?;
        Ok(items)
    }

    /// Says what stands twice in a list.
    pub(super) fn wrong(&self, query: u32, wrong: &Wrong) -> Error {
        let query = &self.query_ids[query as usize];
        let file = &self.table.parts[0].file;
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
