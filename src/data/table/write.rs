//! Writing a table: columns of text, then columns of numbers.

use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::error::Error;

type Rows<'a, 'b> = SerializedRowGroupWriter<'a, &'b mut Vec<u8>>;

/// A table as a Parquet file: columns of text, then columns of numbers, under these names.
///
/// # Errors
/// Columns that differ in length.
pub fn written(
    head: &[String],
    words: &[Vec<String>],
    numbers: &[Vec<Option<f64>>],
) -> crate::error::Result<Vec<u8>> {
    write(head, words, numbers).map_err(|error| Error::new("Parquet table", error))
}

fn write(head: &[String], words: &[Vec<String>], numbers: &[Vec<Option<f64>>]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let schema = Arc::new(schema(head, words.len())?);
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties.build()))?;
    let mut rows = file.next_row_group()?;
    for column in words {
        text(&mut rows, column)?;
    }
    for column in numbers {
        values(&mut rows, column)?;
    }
    rows.close()?;
    file.close()?;
    Ok(bytes)
}

fn schema(head: &[String], words: usize) -> Result<Type> {
    let column = |(at, name): (usize, &String)| {
        let column = if at < words {
            let text = Type::primitive_type_builder(name, Physical::BYTE_ARRAY);
            text.with_converted_type(ConvertedType::UTF8).with_repetition(Repetition::REQUIRED)
        } else {
            let number = Type::primitive_type_builder(name, Physical::DOUBLE);
            number.with_repetition(Repetition::OPTIONAL)
        };
        Ok(Arc::new(column.build()?))
    };
    let columns = head.iter().enumerate().map(column);
    let columns: Vec<_> = columns.collect::<Result<_>>()?;
    Type::group_type_builder("values").with_fields(columns).build()
}

fn missing() -> ParquetError {
    ParquetError::General("a column is missing".into())
}

fn text(rows: &mut Rows<'_, '_>, cells: &[String]) -> Result<()> {
    let cells: Vec<ByteArray> = cells.iter().map(|cell| cell.as_str().into()).collect();
    let mut column = rows.next_column()?.ok_or_else(missing)?;
    column.typed::<ByteArrayType>().write_batch(&cells, None, None)?;
    column.close()
}

fn values(rows: &mut Rows<'_, '_>, cells: &[Option<f64>]) -> Result<()> {
    let defined: Vec<f64> = cells.iter().copied().flatten().collect();
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let mut column = rows.next_column()?.ok_or_else(missing)?;
    column.typed::<DoubleType>().write_batch(&defined, Some(&levels), None)?;
    column.close()
}
