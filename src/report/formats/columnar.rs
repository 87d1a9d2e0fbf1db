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

/// All rows at once: the format holds them column by column, those of words first.
fn columns(data: Table<'_>) -> io::Result<Vec<u8>> {
    let (numbers_at, words_at): (Vec<usize>, Vec<usize>) =
        (0..data.head.len()).partition(|&at| data.is_number[at]);
    let mut words = vec![Vec::new(); words_at.len()];
    let mut numbers = vec![Vec::new(); numbers_at.len()];
    for row in data.rows {
        for (column, &at) in words.iter_mut().zip(&words_at) {
            column.push(row[at].full());
        }
        for (column, &at) in numbers.iter_mut().zip(&numbers_at) {
            column.push(row[at].number());
        }
    }
    let order = words_at.iter().chain(&numbers_at);
    let head: Vec<String> = order.map(|&at| data.head[at].clone()).collect();
    table::written(&head, &words, &numbers).map_err(io::Error::other)
}
