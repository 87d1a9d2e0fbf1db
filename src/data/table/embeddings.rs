//! Embeddings as Parquet tables: a row for each image or caption, as data sets of Hugging Face have them.

use std::sync::Arc;

use bytes::Bytes;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result as Parquet};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::ColumnDescriptor;

use super::cells::{Broken, Cells};
use super::columns::{Kind, kind};
use super::guard::guarded;
use super::{Shared, damaged, pages};
use crate::data::Direction;
use crate::data::columns::{CAPTION, ID, IMAGE, TEXT, bare};
use crate::data::id::Id;
use crate::data::npy::Npy;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Most numbers of all embeddings: 4 GiB of them.
const MAX_CELLS: usize = 1 << 29;

/// The embeddings of one side, and what the table tells of each row.
#[derive(Debug)]
pub struct EmbeddingTable {
    /// A row for each image or caption.
    pub embeddings: Npy,
    /// The id of each row.
    pub ids: Option<Vec<Id>>,
    /// Of captions, the image that each was written for.
    pub images: Option<Vec<Id>>,
    /// The text of each caption.
    pub texts: Option<Vec<String>>,
}

/// A file, and the columns that are read of it.
struct Reader<'a> {
    source: &'a Source,
    bytes: Bytes,
    metadata: ParquetMetaData,
}

impl EmbeddingTable {
    /// Reads the table of a side: images are the queries of i2t.
    ///
    /// # Errors
    /// Damaged files, no column or several of lists of numbers, lists of different lengths, NULL.
    pub fn read(source: &Arc<Source>, side: Direction) -> Result<Self> {
        let bytes = Bytes::from_owner(Shared(source.clone()));
        let metadata = guarded(|| ParquetMetaDataReader::new().parse_and_finish(&bytes));
        let metadata = metadata.map_err(|error| damaged(&source.display(), &error))?;
        let reader = Reader { source, bytes, metadata };
        let own = match side {
            Direction::I2t => IMAGE,
            Direction::T2i => CAPTION,
        };
        let id = reader.flat(own).or_else(|| reader.flat(ID));
        let of_captions = |names| reader.flat(names).filter(|_| side == Direction::T2i);
        let ids = |column: Option<usize>| column.map(|column| reader.ids(column)).transpose();
        Ok(EmbeddingTable {
            embeddings: reader.embeddings()?,
            ids: ids(id)?,
            images: ids(of_captions(IMAGE))?,
            texts: of_captions(TEXT).map(|column| reader.texts(column)).transpose()?,
        })
    }
}

impl Reader<'_> {
    fn columns(&self) -> impl Iterator<Item = (usize, &ColumnDescriptor)> {
        let schema = self.metadata.file_metadata().schema_descr();
        schema.columns().iter().map(|column| &**column).enumerate()
    }

    /// The place of the first column that has one of some names.
    fn flat(&self, names: &[&str]) -> Option<usize> {
        let is_it = |column: &ColumnDescriptor| {
            column.path().parts().len() == 1
                && names.contains(&bare(column.name()).as_str())
                && matches!(kind(column), Some(Kind::Signed | Kind::Unsigned | Kind::Text))
        };
        self.columns().find(|(_, column)| is_it(column)).map(|(at, _)| at)
    }

    fn error(&self, found: impl std::fmt::Display) -> Error {
        Error::new(self.source.display(), found)
            .expected("one column of embeddings: lists of numbers, all of one length")
    }

    fn embeddings(&self) -> Result<Npy> {
        let is_list = |column: &ColumnDescriptor| {
            column.max_rep_level() == 1 && matches!(kind(column), Some(Kind::Float | Kind::Half))
        };
        let lists: Vec<(usize, &ColumnDescriptor)> =
            self.columns().filter(|(_, column)| is_list(column)).collect();
        let [(column, descriptor)] = lists[..] else {
            let names: Vec<&str> =
                lists.iter().map(|(_, column)| &*column.path().parts()[0]).collect();
            let error = self.error(match names[..] {
                [] => "a table without a column of embeddings".to_owned(),
                _ => format!("several columns of lists of numbers ({})", names.join(", ")),
            });
            return Err(error.mend("save the ids and the embeddings alone: df[[\"id\", \"embedding\"]].to_parquet(FILE) with pandas"));
        };
        let mut cells: Vec<f64> = Vec::new();
        let mut rows = 0;
        for group in self.metadata.row_groups() {
            let read = || {
                let reader = pages::reader(&self.bytes, group, column)?;
                let count = usize::try_from(group.num_rows())?;
                numbers(reader, descriptor, count, MAX_CELLS - cells.len())
            };
            let (found, starts) =
                guarded(read).map_err(|error| damaged(&self.source.display(), &error))?;
            rows += starts.len();
            let ends = starts.iter().skip(1).copied().chain([found.len()]);
            let dimensions = (cells.len() + found.len()).checked_div(rows).unwrap_or_default();
            let mut lengths = starts.iter().zip(ends).map(|(start, end)| end - start);
            if let Some(other) = lengths.find(|length| *length != dimensions) {
                return Err(self.error(format!("lists of {other} and of other numbers of cells")));
            }
            cells.extend(found);
        }
        let dimensions = cells.len().checked_div(rows).unwrap_or_default();
        if dimensions == 0 {
            return Err(self.error(format!("{} rows without any number", grouped(rows))));
        }
        let path = self.source.path().to_string_lossy();
        let (shape, cells) = ([rows, dimensions], cells.into_iter());
        Ok(if descriptor.physical_type() == parquet::basic::Type::DOUBLE {
            Npy::in_memory(&path, shape, cells)
        } else {
            Npy::in_memory_single(&path, shape, cells.map(|cell| cell as f32))
        })
    }

    /// All cells of a column that is no list.
    fn cells(&self, column: usize, mut with: impl FnMut(&Cells) -> Parquet<()>) -> Result<()> {
        for group in self.metadata.row_groups() {
            let read = || {
                let reader = pages::reader(&self.bytes, group, column)?;
                let cells = Cells::read(
                    reader,
                    0,
                    usize::try_from(group.num_rows()).map_err(ParquetError::from)?,
                )?;
                with(&cells).map_err(Broken::from)
            };
            guarded(read).map_err(|broken| match broken {
                Broken::Damaged(error) => damaged(&self.source.display(), &error),
                Broken::Null(row) => {
                    self.error(format!("NULL in row {} of a group (counted from 0)", grouped(row)))
                }
            })?;
        }
        Ok(())
    }

    fn ids(&self, column: usize) -> Result<Vec<Id>> {
        let mut ids = Vec::new();
        let schema = self.metadata.file_metadata().schema_descr();
        let kind = kind(&schema.column(column)).expect("a column that was found");
        self.cells(column, |cells| cells.each_key(kind, |key| ids.push(key.id())))?;
        Ok(ids)
    }

    fn texts(&self, column: usize) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        self.cells(column, |cells| {
            if let Cells::Texts(cells) = cells {
                for cell in cells {
                    texts.push(cell.as_utf8()?.to_owned());
                }
            }
            Ok(())
        })?;
        Ok(texts)
    }
}

/// The numbers of the lists of some rows, and where the list of each row begins.
fn numbers(
    reader: ColumnReader,
    descriptor: &ColumnDescriptor,
    rows: usize,
    most: usize,
) -> Parquet<(Vec<f64>, Vec<usize>)> {
    let levels = descriptor.max_def_level();
    match reader {
        ColumnReader::FloatColumnReader(reader) => {
            lists(reader, levels, rows, most, |&cell| cell.into())
        }
        ColumnReader::DoubleColumnReader(reader) => lists(reader, levels, rows, most, |&cell| cell),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            lists(reader, levels, rows, most, super::cells::half)
        }
        _ => unreachable!("lists of such cells have no kind"),
    }
}

fn lists<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    deepest: i16,
    rows: usize,
    most: usize,
    number: impl Fn(&T::T) -> f64,
) -> Parquet<(Vec<f64>, Vec<usize>)> {
    let general = |what: &str| ParquetError::General(what.to_owned());
    let (mut numbers, mut starts) = (Vec::new(), Vec::new());
    while starts.len() < rows {
        let (mut cells, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
        let step = (rows - starts.len()).min(ROWS);
        let (read, ..) =
            reader.read_records(step, Some(&mut defined), Some(&mut repeated), &mut cells)?;
        if read == 0 {
            return Err(general("fewer rows than are announced"));
        }
        if defined.iter().any(|&level| level < deepest) {
            return Err(general("NULL, or an empty list, among the embeddings"));
        }
        if numbers.len() + cells.len() > most {
            return Err(general("embeddings of more than 4 GiB"));
        }
        let first = numbers.len();
        let begins = repeated.iter().enumerate().filter(|(_, level)| **level == 0);
        starts.extend(begins.map(|(at, _)| first + at));
        numbers.extend(cells.iter().map(&number));
    }
    Ok((numbers, starts))
}

/// Rows whose lists are decoded together.
const ROWS: usize = 1 << 10;
