//! Values query by query as a Parquet table: four columns of text, then one of numbers for each line.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::per_query::{PerQuery, by_column};

pub(super) fn parquet(all: &PerQuery<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (words, values) = by_column(all)?;
    write(all, &words, &values, out).map_err(io::Error::other)
}

fn write(
    all: &PerQuery<'_>,
    words: &[Vec<String>],
    values: &[Vec<Option<f64>>],
    out: &mut dyn Write,
) -> Result<(), ParquetError> {
    let mut bytes = Vec::new();
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let schema = Arc::new(schema(all, words.len())?);
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties.build()))?;
    let mut group = file.next_row_group()?;
    for column in words {
        text(&mut group, column)?;
    }
    for column in values {
        numbers(&mut group, column)?;
    }
    group.close()?;
    file.close()?;
    Ok(out.write_all(&bytes)?)
}

fn schema(all: &PerQuery<'_>, words: usize) -> Result<Type, ParquetError> {
    let column = |(at, name): (usize, String)| {
        let column = if at < words {
            let text = Type::primitive_type_builder(&name, Physical::BYTE_ARRAY);
            text.with_converted_type(ConvertedType::UTF8)
                .with_repetition(Repetition::REQUIRED)
        } else {
            let number = Type::primitive_type_builder(&name, Physical::DOUBLE);
            number.with_repetition(Repetition::OPTIONAL)
        };
        Ok(Arc::new(column.build()?))
    };
    let columns = all.head().into_iter().enumerate().map(column);
    let columns: Vec<_> = columns.collect::<Result<_, ParquetError>>()?;
    Type::group_type_builder("values")
        .with_fields(columns)
        .build()
}

/// The group's next column.
macro_rules! next {
    ($group:expr) => {
        $group
            .next_column()?
            .ok_or_else(|| ParquetError::General("a column is missing".into()))?
    };
}

fn text(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    cells: &[String],
) -> Result<(), ParquetError> {
    let cells: Vec<ByteArray> = cells.iter().map(|cell| cell.as_str().into()).collect();
    let mut column = next!(group);
    column
        .typed::<ByteArrayType>()
        .write_batch(&cells, None, None)?;
    column.close()
}

fn numbers(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    cells: &[Option<f64>],
) -> Result<(), ParquetError> {
    let defined: Vec<f64> = cells.iter().copied().flatten().collect();
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let mut column = next!(group);
    column
        .typed::<DoubleType>()
        .write_batch(&defined, Some(&levels), None)?;
    column.close()
}
