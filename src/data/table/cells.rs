//! The cells of a column, decoded.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result as Parquet};

use super::TASK_ROWS;
use crate::data::id::Id;

/// Integers up to this one are exact as `f64`.
const MAX_EXACT: u64 = 1 << 53;

/// Consecutive cells of one column of one row group.
pub(super) enum Cells {
    Whole(Vec<i64>),
    Floats(Vec<f64>),
    Texts(Vec<ByteArray>),
}

/// An id in a cell, not copied.
#[derive(Clone, Copy)]
pub(super) enum Key<'a> {
    Number(i64),
    Text(&'a str),
}

impl Key<'_> {
    /// The id that this key stands for.
    pub(super) fn id(self) -> Id {
        match self {
            Key::Number(number) => Id::Number(number),
            Key::Text(text) => Id::parse(text),
        }
    }

    /// Whether this is `id`, by a quick comparison, which may miss numbers written as text.
    pub(super) fn equals(self, id: &Id) -> bool {
        match (self, id) {
            (Key::Number(number), Id::Number(id)) => number == *id,
            (Key::Text(text), Id::Text(id)) => *text == **id,
            _ => false,
        }
    }
}

impl Cells {
    /// Reads `count` cells after the next `skipped`. The inner error is the index of a bad cell among these, and
    /// its value: NULL or NaN.
    pub(super) fn read(
        reader: &mut ColumnReader,
        is_unsigned: bool,
        skipped: usize,
        count: usize,
    ) -> Parquet<Result<Self, (usize, &'static str)>> {
        use ColumnReader as R;
        let cells = match reader {
            R::Int32ColumnReader(reader) => {
                let whole = |cell: i32| {
                    if is_unsigned { i64::from(cell as u32) } else { i64::from(cell) }
                };
                read_cells(reader, skipped, count, whole)?.map(Cells::Whole)
            }
            R::Int64ColumnReader(reader) => {
                let cells = read_cells(reader, skipped, count, |cell| cell)?;
                if is_unsigned && cells.iter().flatten().any(|&cell| cell < 0) {
                    return Err(ParquetError::General("integers of more than 63 bits".into()));
                }
                cells.map(Cells::Whole)
            }
            R::FloatColumnReader(reader) => {
                read_cells(reader, skipped, count, f64::from)?.map(Cells::Floats)
            }
            R::DoubleColumnReader(reader) => {
                read_cells(reader, skipped, count, |cell| cell)?.map(Cells::Floats)
            }
            R::ByteArrayColumnReader(reader) => {
                read_cells(reader, skipped, count, |cell| cell)?.map(Cells::Texts)
            }
            R::BoolColumnReader(_)
            | R::Int96ColumnReader(_)
            | R::FixedLenByteArrayColumnReader(_) => {
                unreachable!("such columns have no kind")
            }
        };
        let cells = cells.map_err(|at| (at, "NULL"));
        Ok(cells.and_then(|cells| match &cells {
            Cells::Floats(floats) => match floats.iter().position(|cell| cell.is_nan()) {
                Some(at) => Err((at, "NaN")),
                None => Ok(cells),
            },
            _ => Ok(cells),
        }))
    }

    /// Calls `f` for every cell of an id column, in order.
    #[inline]
    pub(super) fn for_each_key(&self, mut f: impl FnMut(Key)) -> Parquet<()> {
        match self {
            Cells::Whole(cells) => cells.iter().for_each(|&cell| f(Key::Number(cell))),
            Cells::Texts(cells) => {
                for cell in cells {
                    f(Key::Text(cell.as_utf8()?));
                }
            }
            Cells::Floats(_) => unreachable!("an id is an integer or a text"),
        }
        Ok(())
    }

    /// The cells of a rank or score column; an error for integers beyond 2^53.
    pub(super) fn into_numbers(self) -> Parquet<Vec<f64>> {
        match self {
            Cells::Whole(cells) if cells.iter().any(|&cell| cell.unsigned_abs() > MAX_EXACT) => {
                Err(ParquetError::General("whole numbers beyond 2^53, which no float holds".into()))
            }
            Cells::Whole(cells) => Ok(cells.into_iter().map(|cell| cell as f64).collect()),
            Cells::Floats(cells) => Ok(cells),
            Cells::Texts(_) => unreachable!("a text is no number"),
        }
    }
}

/// Reads `count` cells after the next `skipped`, converted by `convert`. The inner error is the index of a NULL.
fn read_cells<T: DataType, R>(
    reader: &mut ColumnReaderImpl<T>,
    skipped: usize,
    count: usize,
    convert: impl Fn(T::T) -> R,
) -> Parquet<Result<Vec<R>, usize>> {
    let mut cells = Vec::with_capacity(count.min(TASK_ROWS));
    let mut levels = Vec::with_capacity(count.min(TASK_ROWS));
    let passed = reader.skip_records(skipped)?;
    let (records, values, _) = reader.read_records(count, Some(&mut levels), None, &mut cells)?;
    if passed < skipped || records < count {
        let found = passed + records;
        let announced = skipped + count;
        let what = format!("a column of {found} cells, where {announced} are announced");
        return Err(ParquetError::General(what));
    }
    if values < count {
        let deepest = levels.iter().max().copied().unwrap_or(0);
        let null = levels.iter().position(|&level| level == 0 || level < deepest);
        return Ok(Err(null.unwrap_or(0)));
    }
    Ok(Ok(cells.into_iter().map(convert).collect()))
}
