//! Embeddings as Parquet tables: a row for each image or caption, as data sets of Hugging Face have them.

use std::sync::Arc;

use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result as Parquet};
use parquet::schema::types::ColumnDescriptor;

use super::cells::{Key, half};
use super::columns::{Kind, kind};
use super::file::TableFile;
use crate::data::Direction;
use crate::data::columns::{CAPTION, ID, IMAGE, TEXT, bare};
use crate::data::id::Id;
use crate::data::npy::{self, Npy};
use crate::data::source::{MOST_UNPACKED, Source};
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Most numbers of all embeddings: 4 GiB of them.
const MAX_CELLS: usize = 1 << 29;
/// Rows whose lists are decoded together.
const ROWS: usize = 1 << 10;

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

impl EmbeddingTable {
    /// Reads the table of a side: images are the queries of i2t.
    ///
    /// # Errors
    /// Damaged files, no column or several of lists of numbers, lists of different lengths, NULL.
    pub fn read(source: &Arc<Source>, side: Direction) -> Result<Self> {
        let file = TableFile::open(source)?;
        let own = match side {
            Direction::I2t => IMAGE,
            Direction::T2i => CAPTION,
        };
        let id = flat(&file, own).or_else(|| flat(&file, ID));
        let of_captions = |names| flat(&file, names).filter(|_| side == Direction::T2i);
        let ids = |column: Option<usize>| {
            column.map(|at| keys(&file, at, |key: Key| key.id())).transpose()
        };
        let text = |key: Key| match key {
            Key::Text(text) => text.to_owned(),
            Key::Number(number) => number.to_string(),
        };
        Ok(EmbeddingTable {
            embeddings: embeddings(&file, &source.path().to_string_lossy())?,
            ids: ids(id)?,
            images: ids(of_captions(IMAGE))?,
            texts: of_captions(TEXT).map(|column| keys(&file, column, text)).transpose()?,
        })
    }
}

/// The place of the first column of ids or text that has one of some names.
fn flat(file: &TableFile, names: &[&str]) -> Option<usize> {
    file.schema().columns().iter().position(|column| {
        column.path().parts().len() == 1
            && names.contains(&bare(column.name()).as_str())
            && matches!(kind(column), Some(Kind::Signed | Kind::Unsigned | Kind::Text))
    })
}

/// What `make` makes of all cells of a column that is no list.
fn keys<R>(file: &TableFile, column: usize, make: impl Fn(Key) -> R) -> Result<Vec<R>> {
    let mut made = Vec::new();
    for (at, group) in file.groups().iter().enumerate() {
        let rows = usize::try_from(group.num_rows()).map_err(|error| file.damaged(error))?;
        let cells = file.cells(at, column, 0, rows)?;
        cells.each_key(|key| made.push(make(key))).map_err(|error| file.damaged(error))?;
    }
    Ok(made)
}

fn wrong(file: &TableFile, found: impl std::fmt::Display) -> Error {
    Error::new(&file.name, found)
        .expected("one column of embeddings: lists of numbers, all of one length")
}

fn embeddings(file: &TableFile, path: &str) -> Result<Npy> {
    let columns = file.schema().columns().iter().enumerate();
    let lists: Vec<(usize, _)> = columns
        .filter(|(_, column)| column.max_rep_level() == 1 && kind(column) == Some(Kind::Float))
        .collect();
    let [(column, descriptor)] = lists[..] else {
        let names: Vec<&str> = lists.iter().map(|(_, column)| &*column.path().parts()[0]).collect();
        let found = match names[..] {
            [] => "a table without a column of embeddings".to_owned(),
            _ => format!("several columns of lists of numbers ({})", names.join(", ")),
        };
        return Err(wrong(file, found).mend("save the ids and the embeddings alone: df[[\"id\", \"embedding\"]].to_parquet(FILE) with pandas"));
    };
    let most = file.len().saturating_mul(MOST_UNPACKED as usize).min(MAX_CELLS);
    let announced = |group: &parquet::file::metadata::RowGroupMetaData| {
        usize::try_from(group.column(column).num_values()).unwrap_or(usize::MAX)
    };
    if file.groups().iter().map(announced).fold(0, usize::saturating_add) > most {
        return Err(file.damaged("embeddings of more than 4 GiB, or than the file can hold"));
    }
    let mut cells: Vec<f64> = Vec::new();
    let mut rows = 0;
    for (at, group) in file.groups().iter().enumerate() {
        let (found, starts) = file.read(at, column, |reader| {
            numbers(reader, descriptor, usize::try_from(group.num_rows())?)
        })?;
        rows += starts.len();
        let ends = starts.iter().skip(1).copied().chain([found.len()]);
        let dimensions = (cells.len() + found.len()).checked_div(rows).unwrap_or_default();
        let mut lengths = starts.iter().zip(ends).map(|(start, end)| end - start);
        if let Some(other) = lengths.find(|length| *length != dimensions) {
            return Err(wrong(file, format!("lists of {other} and of other numbers of cells")));
        }
        cells.extend(found);
    }
    let dimensions = cells.len().checked_div(rows).unwrap_or_default();
    if dimensions == 0 {
        return Err(wrong(file, format!("{} rows without any number", grouped(rows))));
    }
    let (shape, cells) = ([rows, dimensions], cells.into_iter());
    if descriptor.physical_type() == Type::DOUBLE {
        return Ok(Npy::in_memory(path, shape, cells));
    }
    let bytes = cells.flat_map(|cell| (cell as f32).to_le_bytes()).collect();
    let source = Source::in_memory(path, bytes);
    Npy::open(Arc::new(source.as_array(npy::header("<f4", false, &shape), None)))
}

/// The numbers of the lists of some rows, and where the list of each row begins.
fn numbers(
    reader: ColumnReader,
    descriptor: &ColumnDescriptor,
    rows: usize,
) -> Parquet<(Vec<f64>, Vec<usize>)> {
    let levels = descriptor.max_def_level();
    match reader {
        ColumnReader::FloatColumnReader(reader) => lists(reader, levels, rows, |&cell| cell.into()),
        ColumnReader::DoubleColumnReader(reader) => lists(reader, levels, rows, |&cell| cell),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => lists(reader, levels, rows, half),
        _ => unreachable!("lists of such cells have no kind"),
    }
}

fn lists<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    deepest: i16,
    rows: usize,
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
        let first = numbers.len();
        let begins = repeated.iter().enumerate().filter(|(_, level)| **level == 0);
        starts.extend(begins.map(|(at, _)| first + at));
        numbers.extend(cells.iter().map(&number));
    }
    Ok((numbers, starts))
}
