//! Ranked lists as Parquet tables: a row for each query and item, as Spark, Ray and data frames write
//! them, in one file or in a folder of parts.
//!
//! Files stay mapped and are decoded half a million rows at a time, in parallel. What is kept of
//! them is one gallery index a row.

mod cells;
mod columns;
mod delta;
mod embeddings;
mod guard;
mod headers;
mod lists;
mod lookup;
mod order;
mod pages;
mod read;
mod runs;
mod scattered;
mod scores;
mod varint;
mod write;

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use self::columns::Kind;
pub use self::embeddings::EmbeddingTable;
use self::guard::guarded;
use super::Direction;
use super::columns::Columns;
use super::id::Id;
use super::source::Source;
use crate::data::parallel;
use crate::error::{Error, Result};

/// A table as a Parquet file: columns of text, then columns of numbers, under these names.
///
/// # Errors
/// Columns that differ in length.
pub fn written(
    head: &[String],
    words: &[Vec<String>],
    numbers: &[Vec<Option<f64>>],
) -> Result<Vec<u8>> {
    write::written(head, words, numbers).map_err(|error| Error::new("Parquet table", error))
}

/// Rows that one task decodes.
const TASK_ROWS: usize = 1 << 19;
/// Rows that are looked at for the first queries.
const FIRST_ROWS: usize = 1 << 16;

/// A table of ranked lists, its columns found and its cells still in the files.
pub struct Table {
    parts: Vec<Part>,
    groups: Vec<Group>,
    rows: usize,
    columns: Columns,
}

/// One file of a table.
struct Part {
    file: String,
    bytes: Bytes,
    metadata: ParquetMetaData,
    /// Place and kind of the columns, by [`Role`].
    columns: [Option<(usize, Kind)>; 4],
}

/// The rows of a part that are stored together.
struct Group {
    part: usize,
    place: usize,
    /// Its rows, counted through the whole table.
    rows: Range<usize>,
}

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Query,
    Item,
    Rank,
    Score,
}

/// A file's bytes for the crate, which shares them by counting.
struct Shared(Arc<Source>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

impl std::fmt::Debug for Table {
    /// Without the content.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} parts, {} rows)", self.parts.len(), self.rows)
    }
}

impl Table {
    /// Opens the parts of a table, at least one; a known direction tells which of two ids is the query.
    ///
    /// # Errors
    /// Damaged files, columns that are missing, ambiguous or of another type, no rows.
    pub fn open(name: &str, sources: &[Arc<Source>], direction: Option<Direction>) -> Result<Self> {
        let read = |source: &Arc<Source>| {
            let file = source.display();
            let bytes = Bytes::from_owner(Shared(source.clone()));
            let metadata = guarded(|| ParquetMetaDataReader::new().parse_and_finish(&bytes));
            let metadata = metadata.map_err(|error| damaged(&file, &error))?;
            Ok((file, bytes, metadata))
        };
        let read: Vec<(String, Bytes, ParquetMetaData)> = parallel::try_map(sources, read)?;
        let (file, _, first) = &read[0];
        let all = first.file_metadata().schema_descr().columns();
        let has_lists = all.iter().any(|column| column.max_rep_level() > 0);
        let flat = all.iter().filter(|column| column.path().parts().len() == 1);
        let names: Vec<&str> = flat.map(|column| column.name()).collect();
        let columns = Columns::find(file, &names, direction).map_err(|error| {
            if has_lists {
                error.mend("if these are embeddings: --image-emb FILE --text-emb FILE")
            } else {
                error
            }
        })?;
        let mut table = Table { parts: Vec::new(), groups: Vec::new(), rows: 0, columns };
        for (file, bytes, metadata) in read {
            let columns = table.columns.places(&file, metadata.file_metadata().schema_descr())?;
            table.add(Part { file, bytes, metadata, columns })?;
        }
        if table.rows == 0 {
            return Err(Error::new(name, "a Parquet table without rows")
                .expected("a row for each query and item"));
        }
        Ok(table)
    }

    fn add(&mut self, part: Part) -> Result<()> {
        for (place, group) in part.metadata.row_groups().iter().enumerate() {
            let used = part.columns.iter().flatten().map(|&(column, _)| group.column(column));
            for chunk in used {
                if !pages::is_read(chunk.compression()) {
                    let what = format!("Parquet pages compressed with {}", chunk.compression());
                    return Err(Error::new(&part.file, what)
                        .expected("Snappy, Zstandard, gzip, LZ4, or none")
                        .mend("write it again, for instance with compression='zstd'"));
                }
                if chunk.num_values() != group.num_rows() {
                    let error = ParquetError::General("columns of different lengths".into());
                    return Err(damaged(&part.file, &error));
                }
            }
            let rows = usize::try_from(group.num_rows()).ok();
            let end = rows.and_then(|rows| self.rows.checked_add(rows));
            let end = end.ok_or_else(|| {
                damaged(&part.file, &ParquetError::General("an impossible number of rows".into()))
            })?;
            self.groups.push(Group { part: self.parts.len(), place, rows: self.rows..end });
            self.rows = end;
        }
        self.parts.push(part);
        Ok(())
    }

    /// The direction, where the names of the columns tell it.
    pub fn direction(&self) -> Option<Direction> {
        self.columns.direction
    }

    /// What orders the items, for messages.
    pub fn ordered_by(&self) -> String {
        match (&self.columns.rank, &self.columns.score) {
            (Some(rank), _) => format!("by {rank}"),
            (None, Some((name, true))) => format!("by {name}, least first"),
            (None, Some((name, false))) => format!("by {name}, highest first"),
            (None, None) => unreachable!("a table has one of the two"),
        }
    }

    /// Some of the first queries, each once.
    ///
    /// # Errors
    /// Damaged pages, NULL.
    pub fn first_queries(&self) -> Result<Vec<Id>> {
        self.distinct(Role::Query, self.rows.min(FIRST_ROWS))
    }

    /// All queries, each once, in the order of their first appearance.
    ///
    /// # Errors
    /// As [`Table::first_queries`].
    pub fn queries(&self) -> Result<Vec<Id>> {
        self.distinct(Role::Query, self.rows)
    }

    /// All items, each once, in the order of their first appearance.
    ///
    /// # Errors
    /// As [`Table::first_queries`].
    pub fn items(&self) -> Result<Vec<Id>> {
        self.distinct(Role::Item, self.rows)
    }
}

fn damaged(file: &str, error: &ParquetError) -> Error {
    let error = error.to_string();
    let error = error.trim_start_matches("Parquet error: ");
    Error::new(file, format!("damaged Parquet data: {error}"))
        .mend("the file was cut or is still being written: copy it again, or write it again")
}
