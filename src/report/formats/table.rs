//! Tables with aligned columns, for a terminal.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::{Format, note_block, title_block};
use crate::report::cell::Cell;
use crate::report::{Report, Table};

pub(super) const FORMAT: Format =
    Format { key: "table", write: |report, out| out.write_all(text(report).as_bytes()) };

/// The tables as text, with essential notes above them and other notes below.
fn text(report: Report<'_>) -> String {
    let is_bold = report.is_bold;
    let mut notes = report.notes_with_mark(if is_bold { "bold:" } else { "*" });
    let essential_notes = notes.split_off(notes.len() - report.essential_notes);
    let tables = report.tables.into_iter().map(|table| match table.terminal_text {
        Some(text) => text,
        None => title_block(&table.title) + &align(table, is_bold),
    });
    let tables: Vec<String> = tables.collect();
    title_block(&report.heading)
        + &title_block(&essential_notes.join("\n"))
        + &tables.join("\n")
        + &note_block(&notes, "\n")
}

/// Aligns the columns of a table, numbers at the right. Columns under one group heading are set closer.
pub(in crate::report) fn align(table: Table<'_>, is_bold: bool) -> String {
    let head = table.head.iter().map(Cell::from).collect();
    let rows: Vec<Vec<Cell>> = std::iter::once(head).chain(table.rows).collect();
    let mut widths = vec![0; table.head.len()];
    for row in rows.iter().chain(&table.foot) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell_text(cell, is_bold).width().max(*width);
        }
    }
    let mut gaps = vec![2; widths.len()];
    for (_, columns) in table.group_heads.last().into_iter().flat_map(|groups| spans(groups)) {
        gaps[columns].iter_mut().skip(1).for_each(|gap| *gap = 1);
    }
    gaps.iter_mut().take(1).for_each(|gap| *gap = 1);
    for (words, columns) in table.group_heads.iter().rev().flat_map(|groups| spans(groups)) {
        let gaps: usize = gaps[columns.clone()].iter().skip(1).sum();
        let width = gaps + widths[columns.clone()].iter().sum::<usize>();
        widths[columns.end - 1] += words.width().saturating_sub(width);
    }
    let group_lines = table.group_heads.iter().map(|groups| {
        spans(groups).fold(String::new(), |line, (words, columns)| {
            let before = gaps[..=columns.start].iter().chain(&widths[..columns.start]);
            let blanks = before.sum::<usize>() - line.width();
            line + &" ".repeat(blanks) + words
        })
    });
    let line = |row: &Vec<Cell>| {
        let cells = row.iter().enumerate().map(|(at, cell)| {
            let mut text = cell_text(cell, is_bold);
            let [gap, blanks] = [gaps[at], widths[at] - text.width()].map(|n| " ".repeat(n));
            if is_bold && matches!(cell, Cell::Best(_)) {
                text = format!("\x1b[1m{text}\x1b[0m");
            }
            if table.is_number[at] { gap + &blanks + &text } else { gap + &text + &blanks }
        });
        cells.collect::<String>()
    };
    let blank = (!table.foot.is_empty()).then(String::new);
    let lines = rows.iter().map(line).chain(blank).chain(table.foot.iter().map(line));
    let lines = group_lines.chain(lines).map(|line| line.trim_end().to_owned());
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

/// The group headings of a line, each with its range of columns.
fn spans(groups: &[(String, usize)]) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut end = 0;
    groups.iter().map(move |(words, count)| {
        end += count;
        (words.as_str(), end - count..end)
    })
}

/// The text of a cell, with an asterisk for the best unless bold text shows it.
fn cell_text(cell: &Cell, is_bold: bool) -> String {
    match cell {
        Cell::Best(_) if !is_bold => format!("*{}", cell.text()),
        cell => cell.text(),
    }
}
