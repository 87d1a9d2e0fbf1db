//! Aligned columns for the terminal, shares in percent.

use comfy_table::{CellAlignment, ContentArrangement, presets};

use super::{Format, above, below};
use crate::report::Table;
use crate::report::cell::Cell;

pub(super) const FORMAT: Format = Format {
    key: "table",
    is_text: true,
    write: |report, out| {
        let (heading, notes) = (above(&report.heading), report.notes_with("*"));
        let tables: Vec<String> = report.tables.into_iter().map(table).collect();
        out.write_all((heading + &tables.join("\n") + &below(&notes, "\n")).as_bytes())
    },
};

fn table(table: Table<'_>) -> String {
    if let Some(drawn) = table.drawn {
        return drawn;
    }
    above(&table.title) + &aligned(table)
}

/// Lines of cells under a head, numbers to the right.
fn aligned(table: Table<'_>) -> String {
    let mut lines = comfy_table::Table::new();
    lines.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    lines.set_header(table.head);
    for row in table.rows {
        lines.add_row(row.iter().map(shown));
    }
    let columns = lines.column_iter_mut().skip(table.numbers.start);
    for column in columns.take(table.numbers.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines = lines.lines().map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Best(_) => format!("*{}", cell.shown()),
        cell => cell.shown(),
    }
}
