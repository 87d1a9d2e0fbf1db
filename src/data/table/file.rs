//! One Parquet file, and the cells of its columns.

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Once};

use bytes::Bytes;
use parquet::column::reader::ColumnReader;
use parquet::errors::{ParquetError, Result as Parquet};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;

use super::cells::Cells;
use super::columns::{Kind, kind};
use super::pages;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// A file with its metadata. Its pages are not unpacked yet.
pub(super) struct TableFile {
    pub name: String,
    bytes: Bytes,
    metadata: ParquetMetaData,
}

/// Gives the crate the bytes of a file, with shared ownership.
struct Shared(Arc<Source>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

impl TableFile {
    /// Reads the metadata of a file.
    ///
    /// # Errors
    /// Damaged metadata.
    pub(super) fn open(source: &Arc<Source>) -> Result<Self> {
        let name = source.display();
        let bytes = Bytes::from_owner(Shared(source.clone()));
        let metadata = catch_panic(|| ParquetMetaDataReader::new().parse_and_finish(&bytes));
        let metadata = metadata.map_err(|error| damage_error(&name, error))?;
        Ok(TableFile { name, bytes, metadata })
    }

    pub(super) fn schema(&self) -> &SchemaDescriptor {
        self.metadata.file_metadata().schema_descr()
    }

    /// The row groups of the file.
    pub(super) fn groups(&self) -> &[RowGroupMetaData] {
        self.metadata.row_groups()
    }

    /// The error of damaged data in this file.
    pub(super) fn damage_error(&self, error: impl Display) -> Error {
        damage_error(&self.name, error)
    }

    /// Reads `count` cells of a column without lists, after the first `skipped` of its row group. `reader` has skipped
    /// them already, or is `None`: then a new reader is stored in it.
    ///
    /// # Errors
    /// Damaged pages, an unsupported compression, NULL, NaN.
    pub(super) fn read_cells(
        &self,
        group: usize,
        column: usize,
        (skipped, count): (usize, usize),
        reader: &mut Option<ColumnReader>,
    ) -> Result<Cells> {
        let descriptor = self.schema().column(column);
        let is_unsigned = kind(&descriptor) == Some(Kind::Unsigned);
        let row_group = self.metadata.row_group(group);
        let codec = row_group.column(column).compression();
        if !pages::is_supported(codec) {
            return Err(Error::new(&self.name, format!("Parquet pages compressed with {codec}"))
                .expected("Snappy, Zstandard, gzip, LZ4_RAW, or none")
                .fix("write it again, for instance with compression='zstd'"));
        }
        let cells = catch_panic(|| {
            let to_skip = if reader.is_some() { 0 } else { skipped };
            let mut column_reader = match reader.take() {
                Some(open) => open,
                None => pages::column_reader(&self.bytes, row_group, column)?,
            };
            let cells = Cells::read(&mut column_reader, is_unsigned, to_skip, count)?;
            *reader = Some(column_reader);
            Ok(cells)
        });
        let cells = cells.map_err(|error| self.damage_error(error))?;
        cells.map_err(|(at, found)| {
            let before = self.groups()[..group].iter().map(|group| group.num_rows() as usize);
            let row = grouped(before.sum::<usize>() + skipped + at);
            Error::new(
                &self.name,
                format!("{found} in column {}, row {row} (counted from 0)", descriptor.name()),
            )
            .expected("a value in every row")
            .fix("leave such rows out when the file is written: an item without a score is not in a list")
        })
    }
}

/// The error of damaged data in the file `name`.
fn damage_error(name: &str, error: impl Display) -> Error {
    let error = error.to_string();
    let error = error.trim_start_matches("Parquet error: ");
    Error::new(name, format!("damaged Parquet data: {error}"))
        .fix("the file was cut or is still being written: copy it again, or write it again")
}

/// Runs a decoder, and turns a panic into an error without a message: the crate panics on some damaged data.
fn catch_panic<T>(decode: impl FnOnce() -> Parquet<T>) -> Parquet<T> {
    thread_local! {
        static DECODING: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default_hook = take_hook();
        set_hook(Box::new(move |info| {
            if !DECODING.get() {
                default_hook(info);
            }
        }));
    });
    DECODING.set(true);
    let done = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    done.unwrap_or_else(|_| Err(ParquetError::General("nothing that can be decoded".into())))
}
