//! Markdown tables for a README or an issue, the best of several in bold.

use std::io::{self, BufWriter, Write};

use super::{Format, note_block, title_block};
use crate::data::markup::{escape_markdown, escape_paragraph};
use crate::report::cell::Cell;
use crate::report::{Report, Table};

pub(super) const FORMAT: Format =
    Format { key: "markdown", write: |report, out| write(report, BufWriter::new(out)) };

/// Writes row by row, as there may be very many.
fn write(report: Report<'_>, mut out: impl Write) -> io::Result<()> {
    // A table without a title goes into the user's own text, which explains it.
    let is_bare = report.tables.iter().all(|table| table.title.is_empty());
    let heading = match report.heading.as_str() {
        "" => String::new(),
        heading => title_block(&format!("**{}**", escape_markdown(heading))),
    };
    let notes = report.notes_with_mark("bold:");
    let first_note = if is_bare { notes.len() - report.essential_notes } else { 0 };
    let notes = note_block(&notes[first_note..], "  \n");
    out.write_all(heading.as_bytes())?;
    for (at, one) in report.tables.into_iter().enumerate() {
        if at > 0 {
            out.write_all(b"\n")?;
        }
        table(one, &mut out)?;
    }
    out.write_all(notes.as_bytes())?;
    out.flush()
}

/// Writes a title and a table, row by row.
fn table(table: Table<'_>, out: &mut impl Write) -> io::Result<()> {
    let title = title_block(&escape_paragraph(&table.title));
    let head = table.flat_head();
    let head = head.iter().map(|cell| escape_markdown(cell));
    let alignment = |at: usize| {
        if table.is_number[at] { "---:" } else { "---" }
    };
    let rule = (0..table.head.len()).map(|at| alignment(at).to_owned());
    out.write_all((title + &line(head) + &line(rule)).as_bytes())?;
    let mut rows = table.rows.chain(table.foot);
    rows.try_for_each(|row| out.write_all(line(row.iter().map(cell)).as_bytes()))
}

/// A line of a table.
fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// The text of a cell as Markdown, bold if it is the best.
fn cell(cell: &Cell) -> String {
    let text = escape_markdown(&cell.text());
    match cell {
        Cell::Best(_) => format!("**{text}**"),
        _ => text,
    }
}
