//! Runs of rows of each query in a table.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::lists::ListBuilder;
use super::lookup::MISSING;
use super::{Cursors, Role, TASK_ROWS};
use crate::data::id::Id;
use crate::error::Result;

/// Consecutive rows of one query, by its gallery index.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub query: u32,
    pub len: u32,
    pub start: usize,
}

impl Run {
    pub(super) fn rows(&self) -> Range<usize> {
        self.start..self.start + self.len as usize
    }

    /// Appends `next` if it continues this run; returns whether it did.
    fn append(&mut self, next: &Run) -> bool {
        let follows = self.query == next.query && self.rows().end == next.start;
        let len = self.len.checked_add(next.len).filter(|_| follows);
        self.len = len.unwrap_or(self.len);
        len.is_some()
    }
}

/// Runs that are decoded together, and their rows.
pub(super) struct Task<'a> {
    pub runs: &'a [Run],
    pub rows: Range<usize>,
}

/// Splits the runs into tasks of about [`TASK_ROWS`] rows.
pub(super) fn split_tasks(mut runs: &[Run]) -> Vec<Task<'_>> {
    let mut tasks = Vec::new();
    while let Some(first) = runs.first() {
        let end = first.start + TASK_ROWS;
        let count = runs.partition_point(|run| run.rows().end <= end).max(1);
        let (task_runs, rest) = runs.split_at(count);
        tasks.push(Task { runs: task_runs, rows: first.start..task_runs[count - 1].rows().end });
        runs = rest;
    }
    tasks
}

impl ListBuilder<'_> {
    /// The runs of queries of the gallery, in row order, and the queries that the gallery lacks.
    pub(super) fn runs(&self) -> Result<(Vec<Run>, FxHashSet<Id>)> {
        let tasks = self.table.map_tasks(|cursors, rows| self.runs_in_rows(rows, cursors))?;
        let count = tasks.iter().map(|(runs, _)| runs.len()).sum();
        let (mut all, mut unknown) = (Vec::with_capacity(count), FxHashSet::default());
        for (runs, unknown_there) in tasks {
            unknown.extend(unknown_there);
            for run in runs {
                push_run(&mut all, run);
            }
        }
        Ok((all, unknown))
    }

    /// The runs in some rows, and the queries there that the gallery lacks.
    fn runs_in_rows(
        &self,
        rows: Range<usize>,
        cursors: &mut Cursors,
    ) -> Result<(Vec<Run>, FxHashSet<Id>)> {
        let start = rows.start;
        let (mut runs, mut unknown) = (Vec::new(), FxHashSet::default());
        let mut last = None;
        self.table.for_each_key(Role::Query, rows, cursors, |at, key| {
            // Rows of one query are mostly consecutive.
            let query = match &last {
                Some((id, query)) if key.equals(id) => *query,
                _ => {
                    let query = self.queries.find(key);
                    last = Some((key.id(), query));
                    query
                }
            };
            if query == MISSING {
                unknown.insert(key.id());
                return;
            }
            let run = Run { query, len: 1, start: start + at };
            push_run(&mut runs, run);
        })?;
        runs.shrink_to_fit();
        Ok((runs, unknown))
    }
}

/// Adds a run, as part of the last one if it continues that.
fn push_run(runs: &mut Vec<Run>, run: Run) {
    if !runs.last_mut().is_some_and(|last| last.append(&run)) {
        runs.push(run);
    }
}
