//! Markdown tables for a README or an issue, the best of several in bold.

use super::{Format, above, below};
use crate::data::markdown_text::{escaped, paragraph};
use crate::report::cell::Cell;
use crate::report::{Report, Table};

pub(super) const FORMAT: Format = Format {
    key: "markdown",
    is_text: true,
    write: |report, out| out.write_all(text(report).as_bytes()),
};

fn text(report: Report<'_>) -> String {
    // A table without a title goes into somebody's own text, which explains it.
    let is_bare = report.tables.iter().all(|table| table.title.is_empty());
    let heading = match report.heading.as_str() {
        "" => String::new(),
        heading => above(&format!("**{}**", escaped(heading))),
    };
    let notes = report.notes_with("bold:");
    let left_out = if is_bare {
        notes.len() - report.essential
    } else {
        0
    };
    let notes = below(&notes[left_out..], "  \n");
    let tables: Vec<String> = report.tables.into_iter().map(table).collect();
    heading + &tables.join("\n") + &notes
}

fn table(table: Table<'_>) -> String {
    let title = above(&paragraph(&table.title));
    let head = table.head.iter().map(|cell| escaped(cell));
    let side = |at| {
        if table.numbers.contains(&at) {
            "---:"
        } else {
            "---"
        }
    };
    let rule = (0..table.head.len()).map(|at| side(at).to_owned());
    let rows = table.rows.map(|row| line(row.iter().map(cell)));
    title + &line(head) + &line(rule) + &rows.collect::<String>()
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

fn cell(cell: &Cell) -> String {
    let text = escaped(&cell.shown());
    match cell {
        Cell::Best(_) => format!("**{text}**"),
        _ => text,
    }
}
