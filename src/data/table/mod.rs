//! Ranked lists as Parquet tables: a row for each query and item, as Spark, Ray and data frames write them, in one file
//! or in a folder of parts.
//!
//! Files stay mapped and are decoded some hundred thousand rows at a time, in parallel. Only one gallery index per row
//! is kept.

mod cells;
mod columns;
mod file;
mod lists;
mod lookup;
mod order;
mod pages;
mod runs;

use std::ops::Range;
use std::sync::Arc;

use parquet::column::reader::ColumnReader;

use self::cells::{Cells, Key};
use self::file::TableFile;
use super::Direction;
use super::columns::Columns;
use super::id::{DistinctIds, Id};
use super::source::Source;
use crate::data::parallel;
use crate::error::{Error, Result};

/// Start of a Parquet file.
pub const MAGIC: &[u8] = b"PAR1";
/// Command that saves a column of embeddings.
pub const SAVE_EMBEDDINGS: &str = "save a column of embeddings as a matrix: python3 -c \"import numpy as n, pandas as p; \
     n.save(open('images.npy', 'xb'), n.stack(p.read_parquet('FILE')['embedding']))\", then --image-emb images.npy --text-emb FILE";
/// Rows per decoding task.
const TASK_ROWS: usize = 1 << 17;
/// Maximum number of rows searched for the first queries.
const FIRST_ROWS: usize = 1 << 16;
/// Number of parts of the rows in which distinct ids are collected in parallel.
const DISTINCT_PARTS: usize = 16;

/// A table of ranked lists, its columns known and its cells still in the file.
pub struct Table {
    file: TableFile,
    /// Indices of the columns in the file, by [`Role`].
    column_indices: [Option<usize>; 4],
    /// Rows of each row group.
    groups: Vec<Range<usize>>,
    /// Number of rows.
    rows: usize,
    columns: Columns,
}

/// Position in each [`Role`]'s column at which the next read can continue, in a page that is unpacked already.
#[derive(Default)]
struct Cursors([Cursor; 4]);

#[derive(Default)]
struct Cursor {
    /// The next row.
    at: usize,
    reader: Option<ColumnReader>,
}

/// Role of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Query,
    Item,
    Rank,
    Score,
}

impl std::fmt::Debug for Table {
    /// Without the content.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} rows)", self.rows)
    }
}

impl Table {
    /// Opens a table; a known direction decides which id is the query.
    ///
    /// # Errors
    /// A damaged file, columns that are missing, ambiguous or of another type, no rows.
    pub fn open(source: &Arc<Source>, direction: Option<Direction>) -> Result<Self> {
        let file = TableFile::open(source)?;
        let all = file.schema().columns();
        let flat = all.iter().filter(|column| column.path().parts().len() == 1);
        let names: Vec<&str> = flat.map(|column| column.name()).collect();
        let columns = Columns::find(&file.name, &names, direction).map_err(|error| {
            if all.iter().any(|column| column.max_rep_level() > 0) {
                error.fix(SAVE_EMBEDDINGS)
            } else {
                error
            }
        })?;
        let column_indices = columns.column_indices(&file.name, file.schema())?;
        let (mut groups, mut rows) = (Vec::new(), 0_usize);
        for group in file.groups() {
            let mut used = column_indices.iter().flatten().map(|&column| group.column(column));
            if used.any(|chunk| chunk.num_values() != group.num_rows()) {
                return Err(file.damage_error("columns of different lengths"));
            }
            let len = usize::try_from(group.num_rows()).ok();
            let end = len.and_then(|len| rows.checked_add(len));
            let end = end.ok_or_else(|| file.damage_error("an impossible number of rows"))?;
            groups.push(rows..end);
            rows = end;
        }
        if rows == 0 {
            return Err(Error::new(&file.name, "a Parquet table without rows")
                .expected("a row for each query and item"));
        }
        Ok(Table { file, column_indices, groups, rows, columns })
    }

    /// The direction, if column names give it.
    pub fn direction(&self) -> Option<Direction> {
        self.columns.direction
    }

    /// Order of the items in words, such as `by rank`, for messages.
    pub fn describe_order(&self) -> String {
        match (&self.columns.rank, &self.columns.score) {
            (Some(rank), _) => format!("by {rank}"),
            (None, Some((name, true))) => format!("by {name}, least first"),
            (None, Some((name, false))) => format!("by {name}, highest first"),
            (None, None) => unreachable!("a table has one of the two"),
        }
    }

    /// The queries of the first rows, each once.
    ///
    /// # Errors
    /// Damaged pages, NULL.
    pub fn sample_queries(&self) -> Result<Vec<Id>> {
        self.distinct_ids(Role::Query, self.rows.min(FIRST_ROWS))
    }

    /// The ids of all queries (if `of_queries`) or of all items, each once, in the order of their first appearance.
    ///
    /// # Errors
    /// Those of [`Table::sample_queries`].
    pub fn ids(&self, of_queries: bool) -> Result<Vec<Id>> {
        self.distinct_ids(if of_queries { Role::Query } else { Role::Item }, self.rows)
    }

    /// The ids in the first `rows` rows of a column, each once, in the order of their first appearance.
    fn distinct_ids(&self, role: Role, rows: usize) -> Result<Vec<Id>> {
        let step = rows.div_ceil(DISTINCT_PARTS).max(TASK_ROWS);
        let ids_of_part = |part: Range<usize>| {
            let (mut ids, mut cursors) = (DistinctIds::default(), Cursors::default());
            for start in part.clone().step_by(TASK_ROWS) {
                let rows = start..part.end.min(start + TASK_ROWS);
                self.for_each_key(role, rows, &mut cursors, |_, key| ids.push(key.id()))?;
            }
            Ok(ids.ids)
        };
        let parts: Vec<Vec<Id>> = parallel::try_map_ranges(rows, step, ids_of_part)?;
        let mut ids = DistinctIds::default();
        parts.into_iter().flatten().for_each(|id| ids.push(id));
        Ok(ids.ids)
    }

    /// Maps all rows in tasks of [`TASK_ROWS`]: `f` gets the cursors and the rows of a task. Neighbouring tasks share
    /// cursors: few pages are unpacked twice.
    fn map_tasks<R: Send>(
        &self,
        f: impl Fn(&mut Cursors, Range<usize>) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let starts: Vec<usize> = (0..self.rows).step_by(TASK_ROWS).collect();
        parallel::try_map_with(&starts, Cursors::default, |cursors, &start| {
            f(cursors, start..self.rows.min(start + TASK_ROWS))
        })
    }

    /// Calls `f` for each of `rows` with its offset from the first one and its id.
    fn for_each_key(
        &self,
        role: Role,
        rows: Range<usize>,
        cursors: &mut Cursors,
        mut f: impl FnMut(usize, Key),
    ) -> Result<()> {
        let mut at = 0;
        self.for_each_piece(role, rows, cursors, |cells| {
            let call = |key: Key<'_>| {
                f(at, key);
                at += 1;
            };
            cells.for_each_key(call).map_err(|error| self.file.damage_error(error))
        })
    }

    /// The numbers in these rows of a rank or score column.
    fn numbers(&self, role: Role, rows: Range<usize>, cursors: &mut Cursors) -> Result<Vec<f64>> {
        let mut numbers = Vec::new();
        self.for_each_piece(role, rows, cursors, |cells| {
            let piece = cells.into_numbers().map_err(|error| self.file.damage_error(error))?;
            if numbers.is_empty() {
                numbers = piece;
            } else {
                numbers.extend(piece);
            }
            Ok(())
        })?;
        Ok(numbers)
    }

    /// Calls `f` with the decoded cells of a column for these rows, one piece per row group.
    fn for_each_piece(
        &self,
        role: Role,
        rows: Range<usize>,
        cursors: &mut Cursors,
        mut f: impl FnMut(Cells) -> Result<()>,
    ) -> Result<()> {
        let cursor = &mut cursors.0[role as usize];
        let column = self.column_indices[role as usize].expect("a column that was found");
        let first = self.groups.partition_point(|group| group.end <= rows.start);
        for (index, group) in self.groups.iter().enumerate().skip(first) {
            let (start, end) = (group.start.max(rows.start), group.end.min(rows.end));
            if start >= end {
                break;
            }
            if cursor.at != start || start == group.start {
                cursor.reader = None;
            }
            let span = (start - group.start, end - start);
            let cells = self.file.read_cells(index, column, span, &mut cursor.reader)?;
            cursor.at = end;
            f(cells)?;
        }
        Ok(())
    }
}
