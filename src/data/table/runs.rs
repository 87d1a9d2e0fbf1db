//! Runs of rows of each query in a table.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::lists::Maker;
use super::lookup::MISSING;
use super::{Cursors, Role, TASK_ROWS};
use crate::data::id::Id;
use crate::error::Result;

/// Consecutive rows of one query.
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

    /// Appends the next run, if it continues this one.
    fn takes(&mut self, next: &Run) -> bool {
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

/// Cuts the runs after about [`TASK_ROWS`] rows.
pub(super) fn tasks(mut runs: &[Run]) -> Vec<Task<'_>> {
    let mut tasks = Vec::new();
    while let Some(first) = runs.first() {
        let end = first.start + TASK_ROWS;
        let count = runs.partition_point(|run| run.rows().end <= end).max(1);
        let (of_task, rest) = runs.split_at(count);
        tasks.push(Task { runs: of_task, rows: first.start..of_task[count - 1].rows().end });
        runs = rest;
    }
    tasks
}

impl Maker<'_> {
    /// The runs of queries of the gallery, in row order, and the other queries.
    pub(super) fn runs(&self) -> Result<(Vec<Run>, FxHashSet<Id>)> {
        let tasks = self.table.in_tasks(|cursors, rows| self.runs_of(rows, cursors))?;
        let count = tasks.iter().map(|(runs, _)| runs.len()).sum();
        let (mut all, mut unknown) = (Vec::with_capacity(count), FxHashSet::default());
        for (runs, of_task) in tasks {
            unknown.extend(of_task);
            for run in runs {
                add(&mut all, run);
            }
        }
        Ok((all, unknown))
    }

    /// Runs of the rows of one task.
    fn runs_of(
        &self,
        rows: Range<usize>,
        cursors: &mut Cursors,
    ) -> Result<(Vec<Run>, FxHashSet<Id>)> {
        let start = rows.start;
        let (mut runs, mut unknown) = (Vec::new(), FxHashSet::default());
        let mut last = None;
        self.table.keys(Role::Query, rows, cursors, |at, key| {
            // Rows of one query are mostly consecutive.
            let query = match &last {
                Some((id, query)) if key.is(id) => *query,
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
            add(&mut runs, run);
        })?;
        runs.shrink_to_fit();
        Ok((runs, unknown))
    }
}

fn add(runs: &mut Vec<Run>, run: Run) {
    if !runs.last_mut().is_some_and(|last| last.takes(&run)) {
        runs.push(run);
    }
}
