//! The cells of a column, decoded.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray};
use parquet::errors::{ParquetError, Result};

use super::TASK_ROWS;
use super::columns::Kind;
use crate::data::id::Id;

/// Cells of one column of one row group.
pub(super) enum Cells {
    Narrow(Vec<i32>),
    DenseRanks(Vec<i64>),
    Single(Vec<f32>),
    Double(Vec<f64>),
    Texts(Vec<ByteArray>),
    Fixed(Vec<FixedLenByteArray>),
}

/// An id as a cell has it.
#[derive(Clone, Copy)]
pub(super) enum Key<'a> {
    Number(i64),
    Text(&'a str),
}

impl Key<'_> {
    pub(super) fn id(self) -> Id {
        match self {
            Key::Number(number) => Id::Number(number),
            Key::Text(text) => Id::parse(text),
        }
    }

    /// Whether it is this id, as far as that is told at a glance.
    pub(super) fn is(self, id: &Id) -> bool {
        match (self, id) {
            (Key::Number(number), Id::Number(id)) => number == *id,
            (Key::Text(text), Id::Text(id)) => *text == **id,
            _ => false,
        }
    }
}

/// Why cells are none: the crate's complaint, or the place of a NULL.
pub(super) enum Broken {
    Damaged(ParquetError),
    Null(usize),
}

impl From<ParquetError> for Broken {
    fn from(error: ParquetError) -> Self {
        Broken::Damaged(error)
    }
}

impl Cells {
    /// Reads `count` cells after the first `skipped`.
    pub(super) fn read(
        reader: ColumnReader,
        skipped: usize,
        count: usize,
    ) -> std::result::Result<Self, Broken> {
        Ok(match reader {
            ColumnReader::Int32ColumnReader(reader) => Cells::Narrow(read(reader, skipped, count)?),
            ColumnReader::Int64ColumnReader(reader) => {
                Cells::DenseRanks(read(reader, skipped, count)?)
            }
            ColumnReader::FloatColumnReader(reader) => Cells::Single(read(reader, skipped, count)?),
            ColumnReader::DoubleColumnReader(reader) => {
                Cells::Double(read(reader, skipped, count)?)
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                Cells::Texts(read(reader, skipped, count)?)
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                Cells::Fixed(read(reader, skipped, count)?)
            }
            ColumnReader::BoolColumnReader(_) | ColumnReader::Int96ColumnReader(_) => {
                unreachable!("such columns have no kind")
            }
        })
    }

    /// Calls `with` for every cell of an id column, in order.
    #[inline]
    pub(super) fn each_key(&self, kind: Kind, mut with: impl FnMut(Key)) -> Result<()> {
        match (self, kind) {
            (Cells::Narrow(cells), Kind::Signed) => {
                for &cell in cells {
                    with(Key::Number(cell.into()));
                }
            }
            (Cells::Narrow(cells), _) => {
                for &cell in cells {
                    with(Key::Number((cell as u32).into()));
                }
            }
            (Cells::DenseRanks(cells), Kind::Signed) => {
                for &cell in cells {
                    with(Key::Number(cell));
                }
            }
            (Cells::DenseRanks(cells), _) => {
                for &cell in cells {
                    match cell {
                        0.. => with(Key::Number(cell)),
                        _ => with(Key::Text(&(cell as u64).to_string())),
                    }
                }
            }
            (Cells::Texts(cells), _) => {
                for cell in cells {
                    with(Key::Text(cell.as_utf8()?));
                }
            }
            _ => unreachable!("an id is an integer or a text"),
        }
        Ok(())
    }

    /// Integers of eight bytes, in their order.
    pub(super) fn whole(&self, kind: Kind) -> Vec<i64> {
        match self {
            Cells::DenseRanks(cells) if kind == Kind::Unsigned => {
                cells.iter().map(|&cell| cell ^ i64::MIN).collect()
            }
            Cells::DenseRanks(cells) => cells.clone(),
            _ => unreachable!("a column of integers of eight bytes"),
        }
    }

    /// The cells of a rank or score column.
    pub(super) fn numbers(&self, kind: Kind) -> Vec<f64> {
        match self {
            Cells::Narrow(cells) if kind == Kind::Unsigned => {
                cells.iter().map(|&cell| (cell as u32).into()).collect()
            }
            Cells::Narrow(cells) => cells.iter().map(|&cell| cell.into()).collect(),
            Cells::DenseRanks(cells) if kind == Kind::Unsigned => {
                cells.iter().map(|&cell| cell as u64 as f64).collect()
            }
            Cells::DenseRanks(cells) => cells.iter().map(|&cell| cell as f64).collect(),
            Cells::Single(cells) => cells.iter().map(|&cell| cell.into()).collect(),
            Cells::Double(cells) => cells.clone(),
            Cells::Fixed(cells) => cells.iter().map(half).collect(),
            Cells::Texts(_) => unreachable!("a text is no number"),
        }
    }
}

/// A number of two bytes: the length of the type is checked where the file is opened.
pub(super) fn half(cell: &FixedLenByteArray) -> f64 {
    let bytes = cell.data().try_into().unwrap_or_default();
    half::f16::from_le_bytes(bytes).into()
}

fn read<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    skipped: usize,
    count: usize,
) -> std::result::Result<Vec<T::T>, Broken> {
    let short = |found: usize| {
        Broken::Damaged(ParquetError::General(format!(
            "a column of {found} cells, where {} are announced",
            skipped + count
        )))
    };
    let passed = reader.skip_records(skipped)?;
    if passed < skipped {
        return Err(short(passed));
    }
    let mut cells = Vec::with_capacity(count.min(TASK_ROWS));
    let mut levels = Vec::with_capacity(count.min(TASK_ROWS));
    let (records, values, _) = reader.read_records(count, Some(&mut levels), None, &mut cells)?;
    if records < count {
        return Err(short(skipped + records));
    }
    if values < count {
        let deepest = levels.iter().max().copied().unwrap_or(0);
        let null = levels.iter().position(|&level| level == 0 || level < deepest);
        return Err(Broken::Null(skipped + null.unwrap_or(0)));
    }
    Ok(cells)
}
