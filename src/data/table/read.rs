//! The cells of some rows of a table, through all of its parts.

use std::ops::Range;

use parquet::basic::Type;
use rustc_hash::FxHashSet;

use super::cells::{Broken, Cells, Key};
use super::columns::Kind;
use super::guard::guarded;
use super::{Part, Role, TASK_ROWS, Table, damaged, pages};
use crate::data::columns::Columns;
use crate::data::id::Id;
use crate::data::parallel;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Parts that distinct ids are collected in.
const DISTINCT_PARTS: usize = 16;

impl Table {
    /// The ids of some rows, each once, in the order of their first appearance.
    pub(super) fn distinct(&self, role: Role, rows: usize) -> Result<Vec<Id>> {
        let step = rows.div_ceil(DISTINCT_PARTS).max(TASK_ROWS);
        let of_part = |part: Range<usize>| {
            let (mut seen, mut ids) = (FxHashSet::default(), Vec::new());
            for start in part.clone().step_by(TASK_ROWS) {
                self.keys(role, start..part.end.min(start + TASK_ROWS), |_, key| {
                    let id = key.id();
                    if !seen.contains(&id) {
                        seen.insert(id.clone());
                        ids.push(id);
                    }
                })?;
            }
            Ok(ids)
        };
        let parts: Vec<Vec<Id>> = parallel::try_map_ranges(rows, step, of_part)?;
        let mut seen = FxHashSet::default();
        let ids = parts.into_iter().flatten();
        Ok(ids.filter(|id| seen.insert(id.clone())).collect())
    }

    /// Calls `with` for each id of some rows, and its place among them.
    pub(super) fn keys(
        &self,
        role: Role,
        rows: Range<usize>,
        mut with: impl FnMut(usize, Key),
    ) -> Result<()> {
        let mut at = 0;
        self.each(role, rows, |part, cells, kind| {
            let each = |key: Key<'_>| {
                with(at, key);
                at += 1;
            };
            cells.each_key(kind, each).map_err(|error| damaged(&part.file, &error))
        })
    }

    /// The numbers of some rows; `None` without such a column.
    pub(super) fn numbers(&self, role: Role, rows: Range<usize>) -> Result<Option<Vec<f64>>> {
        if self.parts[0].columns[role as usize].is_none() {
            return Ok(None);
        }
        let mut numbers = Vec::with_capacity(rows.len().min(TASK_ROWS));
        let start = rows.start;
        self.each(role, rows, |_, cells, kind| {
            numbers.extend(cells.numbers(kind));
            Ok(())
        })?;
        if let Some(at) = numbers.iter().position(|number| number.is_nan()) {
            return Err(self.bad_cell(role, start + at, "NaN").mend(
                "leave such rows out when the file is written: an item without a score is not in a list",
            ));
        }
        Ok(Some(numbers))
    }

    /// The scores of some rows, where all parts have them as integers of eight bytes; [`Table::numbers`] rounds these.
    pub(super) fn whole_scores(&self, rows: Range<usize>) -> Result<Option<Vec<i64>>> {
        if !self.has_whole_scores() {
            return Ok(None);
        }
        let mut whole = Vec::with_capacity(rows.len().min(TASK_ROWS));
        self.each(Role::Score, rows, |_, cells, kind| {
            whole.extend(cells.whole(kind));
            Ok(())
        })?;
        Ok(Some(whole))
    }

    /// Whether all parts have scores of one such type.
    fn has_whole_scores(&self) -> bool {
        let kind = |part: &Part| {
            let (column, kind) = part.columns[Role::Score as usize]?;
            let schema = part.metadata.file_metadata().schema_descr();
            (schema.column(column).physical_type() == Type::INT64).then_some(kind)
        };
        let first = kind(&self.parts[0]);
        first.is_some() && self.parts.iter().all(|part| kind(part) == first)
    }

    /// Decodes a column of some rows, a piece for each group that they lie in.
    fn each(
        &self,
        role: Role,
        rows: Range<usize>,
        mut with: impl FnMut(&Part, &Cells, Kind) -> Result<()>,
    ) -> Result<()> {
        let first = self.groups.partition_point(|group| group.rows.end <= rows.start);
        for group in &self.groups[first..] {
            let (start, end) = (group.rows.start.max(rows.start), group.rows.end.min(rows.end));
            if start >= end {
                break;
            }
            let part = &self.parts[group.part];
            let (column, kind) = part.columns[role as usize].expect("a column that was found");
            let read = || {
                let reader =
                    pages::reader(&part.bytes, part.metadata.row_group(group.place), column)?;
                Cells::read(reader, start - group.rows.start, end - start)
            };
            let cells = guarded(read).map_err(|broken| match broken {
                Broken::Damaged(error) => damaged(&part.file, &error),
                Broken::Null(at) => self
                    .bad_cell(role, group.rows.start + at, "NULL")
                    .mend("leave such rows out when the file is written"),
            })?;
            with(part, &cells, kind)?;
        }
        Ok(())
    }

    /// Says where a cell without a value is.
    fn bad_cell(&self, role: Role, row: usize, what: &str) -> Error {
        let group = self.groups.partition_point(|group| group.rows.end <= row);
        let part = self.groups[group].part;
        let first = self.groups.partition_point(|group| group.part < part);
        let row = row - self.groups[first].rows.start;
        let Columns { query, item, rank, score, .. } = &self.columns;
        let column = match role {
            Role::Query => Some(query),
            Role::Item => Some(item),
            Role::Rank => rank.as_ref(),
            Role::Score => score.as_ref().map(|(name, _)| name),
        };
        let column = column.map_or("", String::as_str);
        let place = format!("{what} in column {column}, row {} (counted from 0)", grouped(row));
        Error::new(&self.parts[part].file, place).expected("a value in every row")
    }
}
