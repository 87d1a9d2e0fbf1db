//! A table as ranked lists of a gallery.
//!
//! First the queries are read: where each query's rows lie together, a list is a run of rows, and the
//! runs are decoded, looked up and ordered in parallel, each item at the place of its row. The scores
//! of such lists stay in the file until one is looked at. Other tables: see [`super::scattered`].

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::lookup::{Lookup, MISSING};
use super::order::{Orderer, Trend, Wrong};
use super::scores::{InTable, Keys};
use super::{Role, TASK_ROWS, Table};
use crate::data::id::{Id, IdList};
use crate::data::scores::{Items, ItemsWriter, ListScores, Lists, Resolved};
use crate::error::{Error, Result};

/// Rows of one query that follow each other.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub query: u32,
    pub rows: Range<usize>,
}

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
pub(super) struct Found {
    /// How many items each run keeps.
    pub lens: Vec<usize>,
    pub unknown: FxHashSet<Id>,
    pub trend: Trend,
}

impl Found {
    fn add(&mut self, other: Found) {
        self.lens.extend(other.lens);
        self.unknown.extend(other.unknown);
        self.trend = self.trend.and(other.trend);
    }
}

/// Runs that are decoded together, and their rows.
struct Task<'a> {
    runs: &'a [Run],
    rows: Range<usize>,
}

/// What a task makes: a place for each of its rows.
struct Decoded {
    items: Vec<u32>,
    scores: Vec<f64>,
    found: Found,
}

/// Cuts the runs where about [`TASK_ROWS`] rows are full.
fn tasks(mut runs: &[Run]) -> Vec<Task<'_>> {
    let mut tasks = Vec::new();
    while let Some(first) = runs.first() {
        let end = first.rows.start + TASK_ROWS;
        let count = runs.partition_point(|run| run.rows.end <= end).max(1);
        let (of_task, rest) = runs.split_at(count);
        let stop = of_task[count - 1].rows.end;
        tasks.push(Task {
            runs: of_task,
            rows: first.rows.start..stop,
        });
        runs = rest;
    }
    tasks
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
        let (lists, found) = if scattered > 0 {
            maker.scattered(&runs)?
        } else {
            maker.in_runs(&runs)?
        };
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
    /// The runs of queries that the gallery knows, in the order of the rows, and the other queries.
    fn runs(&self) -> Result<(Vec<Run>, FxHashSet<Id>)> {
        let of_task = |task: usize| {
            let start = task * TASK_ROWS;
            let (mut runs, mut unknown) = (Vec::<Run>::new(), FxHashSet::default());
            self.table.keys(
                Role::Query,
                start..self.table.rows.min(start + TASK_ROWS),
                |at, key| {
                    let (query, row) = (self.queries.find(key), start + at);
                    if query == MISSING {
                        unknown.insert(key.id());
                        return;
                    }
                    match runs.last_mut() {
                        Some(run) if run.query == query && run.rows.end == row => run.rows.end += 1,
                        _ => runs.push(Run {
                            query,
                            rows: row..row + 1,
                        }),
                    }
                },
            )?;
            Ok((runs, unknown))
        };
        let tasks = (0..self.table.rows.div_ceil(TASK_ROWS)).into_par_iter();
        let tasks: Vec<_> = tasks.map(of_task).collect::<Result<_>>()?;
        let count = tasks.iter().map(|(runs, _)| runs.len()).sum();
        let (mut all, mut unknown) = (Vec::<Run>::with_capacity(count), FxHashSet::default());
        for (runs, of_task) in tasks {
            unknown.extend(of_task);
            let mut runs = runs.into_iter().peekable();
            if let (Some(last), Some(first)) = (all.last_mut(), runs.peek())
                && last.query == first.query
                && last.rows.end == first.rows.start
            {
                last.rows.end = first.rows.end;
                runs.next();
            }
            all.extend(runs);
        }
        Ok((all, unknown))
    }

    /// Lists whose rows lie together.
    fn in_runs(&self, runs: &[Run]) -> Result<(Lists, Found)> {
        let has_scores = self.table.columns.score.is_some();
        let (items, _, found) = self.decoded(runs, false)?;
        let mut scores = ListScores::None;
        if let Some(sign) = found.trend.sign().filter(|_| has_scores) {
            scores = if found.unknown.is_empty() {
                ListScores::Read(Arc::new(InTable {
                    table: self.table.clone(),
                    sign,
                }))
            } else {
                // Which rows were left out is not kept: their scores are read along with them.
                let (_, mut held, _) = self.decoded(runs, true)?;
                held.par_iter_mut().for_each(|score| *score *= sign);
                ListScores::Held(held)
            };
        }
        let mut spans = vec![0..0; self.query_ids.len()];
        for (run, len) in runs.iter().zip(&found.lens) {
            spans[run.query as usize] = run.rows.start..run.rows.start + len;
        }
        let lists = Lists::placed(self.item_ids.len(), spans, items, scores);
        Ok((lists, found))
    }

    /// The items at the places of their rows, and the scores likewise where they are asked for.
    fn decoded(&self, runs: &[Run], with_scores: bool) -> Result<(Items, Vec<f64>, Found)> {
        let items = ItemsWriter::new(self.table.rows);
        let new = || Orderer::new(self.item_ids.len(), self.table.columns.rank.is_some());
        let decode = |orderer: &mut Orderer, task: &Task| {
            let decoded = self.task(orderer, task, with_scores)?;
            items.put(task.rows.start, &decoded.items)?;
            Ok((decoded.scores, decoded.found))
        };
        let tasks = tasks(runs);
        let parts = tasks.par_iter().map_init(new, decode);
        let (mut scores, mut found) = (Vec::new(), Found::default());
        for (task, (of_task, there)) in tasks.iter().zip(parts.collect::<Result<Vec<_>>>()?) {
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
        let runs = task.runs;
        let rows = &task.rows;
        let mut decoded = Decoded {
            items: vec![0; task.rows.len()],
            scores: vec![0.0; if with_scores { task.rows.len() } else { 0 }],
            found: Found::default(),
        };
        let found = &mut decoded.found;
        let keys = Keys::read(self.table, rows.clone())?;
        let all = self.items(rows.clone(), runs, &mut found.unknown)?;
        let mut list = Vec::new();
        for run in runs {
            list.clear();
            let places = run.rows.start - rows.start..run.rows.end - rows.start;
            let known = places.filter(|&at| all[at] != MISSING);
            list.extend(known.map(|at| keys.row(at, run.query, all[at])));
            let trend = orderer
                .order(&mut list)
                .map_err(|wrong| self.wrong(run.query, &wrong))?;
            found.trend = found.trend.and(trend);
            found.lens.push(list.len());
            let start = run.rows.start - task.rows.start;
            for (slot, row) in decoded.items[start..].iter_mut().zip(&list) {
                *slot = row.item;
            }
            for (slot, row) in decoded.scores.iter_mut().skip(start).zip(&list) {
                *slot = row.score;
            }
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
            let run = runs.partition_point(|run| run.rows.end <= row);
            runs.get(run).is_some_and(|run| run.rows.contains(&row))
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
