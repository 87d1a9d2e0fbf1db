//! A plain table for the terminal.

use std::ops::Range;

use comfy_table::{CellAlignment, ContentArrangement, presets};

use super::{Cell, Grid, Options, Report, notes};
use crate::evaluate::Evaluation;

/// Aligned columns, shares in percent; `*` marks the best of several models.
pub struct Table;

impl Report for Table {
    fn key(&self) -> &'static str {
        "table"
    }

    fn doc(&self) -> &'static str {
        "aligned columns, shares in percent"
    }

    fn write(&self, evaluation: &Evaluation, options: &Options) -> String {
        let grid = Grid::new(evaluation, options);
        let mark = |best| if best { "*" } else { "" };
        let shown = |cell: &Cell| format!("{}{}", mark(cell.best), cell.text);
        let rows = grid.rows.iter().map(|row| row.iter().map(shown).collect());
        let lines = aligned(&grid.head, rows, 1);
        format!("{lines}\n{}\n", notes(evaluation, options).join("\n"))
    }
}

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
