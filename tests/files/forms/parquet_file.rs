//! Small Parquet files.
#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// The cells of a column.
pub enum Cells {
    Narrow(Vec<i32>),
    DenseRanks(Vec<i64>),
    Texts(Vec<String>),
    Single(Vec<f32>),
    Double(Vec<f64>),
    /// Integers, some of them NULL.
    Holed(Vec<Option<i64>>),
}

impl Cells {
    fn declared(&self, name: &str) -> String {
        let kind = match self {
            Cells::Narrow(_) => "required int32",
            Cells::DenseRanks(_) => "required int64",
            Cells::Texts(_) => return format!("required binary {name} (UTF8);"),
            Cells::Single(_) => "required float",
            Cells::Double(_) => "required double",
            Cells::Holed(_) => "optional int64",
        };
        format!("{kind} {name};")
    }

    fn len(&self) -> usize {
        match self {
            Cells::Narrow(cells) => cells.len(),
            Cells::DenseRanks(cells) => cells.len(),
            Cells::Texts(cells) => cells.len(),
            Cells::Single(cells) => cells.len(),
            Cells::Double(cells) => cells.len(),
            Cells::Holed(cells) => cells.len(),
        }
    }

    fn write(&self, rows: std::ops::Range<usize>, into: &mut ColumnWriter) {
        let texts = |cells: &[String]| -> Vec<ByteArray> {
            cells.iter().map(|cell| cell.as_str().into()).collect()
        };
        let written = match (self, into) {
            (Cells::Narrow(cells), ColumnWriter::Int32ColumnWriter(to)) => {
                to.write_batch(&cells[rows], None, None)
            }
            (Cells::DenseRanks(cells), ColumnWriter::Int64ColumnWriter(to)) => {
                to.write_batch(&cells[rows], None, None)
            }
            (Cells::Single(cells), ColumnWriter::FloatColumnWriter(to)) => {
                to.write_batch(&cells[rows], None, None)
            }
            (Cells::Double(cells), ColumnWriter::DoubleColumnWriter(to)) => {
                to.write_batch(&cells[rows], None, None)
            }
            (Cells::Texts(cells), ColumnWriter::ByteArrayColumnWriter(to)) => {
                to.write_batch(&texts(&cells[rows]), None, None)
            }
            (Cells::Holed(cells), ColumnWriter::Int64ColumnWriter(to)) => {
                let levels: Vec<i16> =
                    cells[rows.clone()].iter().map(|cell| cell.is_some().into()).collect();
                let known: Vec<i64> = cells[rows].iter().copied().flatten().collect();
                to.write_batch(&known, Some(&levels), None)
            }
            _ => panic!("a column of another type"),
        };
        written.unwrap();
    }
}

/// The bytes of a table, 50 rows in a group.
pub fn parquet_bytes(columns: &[(&str, Cells)], compression: Compression) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(compression);
    written(columns, properties.build())
}

/// A Parquet file with one column in an encoding, without dictionary and compression.
pub fn encoded(columns: &[(&str, Cells)], column: &str, encoding: Encoding) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_column_encoding(column.into(), encoding);
    written(columns, properties.build())
}

fn written(columns: &[(&str, Cells)], properties: WriterProperties) -> Vec<u8> {
    let declared: Vec<String> = columns.iter().map(|(name, cells)| cells.declared(name)).collect();
    let schema = parse_message_type(&format!("message m {{ {} }}", declared.join(" "))).unwrap();
    let mut file =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    let rows = columns[0].1.len();
    for start in (0..rows).step_by(50) {
        let mut group = file.next_row_group().unwrap();
        for (_, cells) in columns {
            let mut column = group.next_column().unwrap().unwrap();
            cells.write(start..rows.min(start + 50), column.untyped());
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}
