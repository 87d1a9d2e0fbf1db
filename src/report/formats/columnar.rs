//! Parquet: the columns of the data, words as text and numbers in full precision.

use std::io;

use super::Format;
use crate::data::table;
use crate::report::Table;

pub(super) const FORMAT: Format = Format {
    key: "parquet",
    is_text: false,
    write: |report, out| out.write_all(&columns(report.data)?),
};

/// All rows at once: the format holds them column by column.
fn columns(data: Table<'_>) -> io::Result<Vec<u8>> {
    let words = data.is_number.iter().take_while(|&&is_number| !is_number).count();
    let mut texts = vec![Vec::new(); words];
    let mut numbers = vec![Vec::new(); data.head.len() - words];
    for row in data.rows {
        for (column, cell) in texts.iter_mut().zip(&row) {
            column.push(cell.full());
        }
        for (column, cell) in numbers.iter_mut().zip(&row[words..]) {
            column.push(cell.number());
        }
    }
    table::written(&data.head, &texts, &numbers).map_err(io::Error::other)
}
