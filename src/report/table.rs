//! Text of sheets.

use std::ops::Range;

use comfy_table::{CellAlignment, ContentArrangement, presets};

/// Lines of cells under a head, the first `words` columns to the left, numbers to the right.
pub(super) fn aligned(
    head: &[impl ToString],
    rows: impl IntoIterator<Item = Vec<String>>,
    words: usize,
) -> String {
    with_numbers(head, rows, words..head.len())
}

/// Lines of cells under a head, the columns of `numbers` to the right.
pub(super) fn with_numbers(
    head: &[impl ToString],
    rows: impl IntoIterator<Item = Vec<String>>,
    numbers: Range<usize>,
) -> String {
    let mut table = comfy_table::Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(head.iter().map(ToString::to_string));
    for row in rows {
        table.add_row(row);
    }
    let columns = table.column_iter_mut().skip(numbers.start);
    for column in columns.take(numbers.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines = table.lines().map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}
