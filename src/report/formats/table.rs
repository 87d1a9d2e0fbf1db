//! Tables with aligned columns, for a terminal.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::{Format, note_block, title_block};
use crate::data::text::wrap_text;
use crate::report::cell::Cell;
use crate::report::{Report, Table, TextOutput};

pub(super) const FORMAT: Format =
    Format { key: "table", write: |report, out| out.write_all(text(report).as_bytes()) };

/// Minimum width of a column of texts that are cut.
const MIN_TEXT: usize = 20;
/// Maximum width of a heading, in files too.
const MAX_HEADING_WIDTH: usize = 100;

/// The tables as text, with essential notes above them and other notes below.
fn text(report: Report<'_>) -> String {
    let output = report.output;
    let mut notes = report.notes_with_mark(if output.is_bold { "bold:" } else { "*" });
    let essential_notes = notes.split_off(notes.len() - report.essential_notes);
    let tables = report.tables.into_iter().map(|table| match table.terminal_text {
        Some(text) => text,
        None => title_block(&table.title) + &align(table, output),
    });
    let tables: Vec<String> = tables.collect();
    title_block(&wrap_lines(&report.heading, output.width.min(MAX_HEADING_WIDTH)))
        + &title_block(&essential_notes.join("\n"))
        + &tables.join("\n")
        + &note_block(&notes, "\n")
}

/// Wraps each line of `text` that is wider than `width`.
fn wrap_lines(text: &str, width: usize) -> String {
    let fits = |line: &str| line.width() <= width;
    let wrap =
        |line: &str| wrap_text(line, fits).join(if line.starts_with("- ") { "\n  " } else { "\n" });
    let lines = text.lines().map(|line| if fits(line) { line.to_owned() } else { wrap(line) });
    lines.collect::<Vec<_>>().join("\n")
}

/// Aligns the columns of a table, numbers at the right. Columns under one group heading are set closer. If the output is
/// too narrow, all columns are set closer, then the widest texts are cut, then optional columns are dropped.
fn align(table: Table<'_>, output: TextOutput) -> String {
    let is_bold = output.is_bold;
    let head = table.head.iter().map(Cell::from).collect();
    let rows: Vec<Vec<Cell>> = std::iter::once(head).chain(table.rows).collect();
    let mut full_widths = vec![0; table.head.len()];
    for row in rows.iter().chain(&table.foot) {
        for (width, cell) in full_widths.iter_mut().zip(row) {
            *width = cell_text(cell, is_bold).width().max(*width);
        }
    }
    let mut gaps = vec![2; full_widths.len()];
    let last_heads = table.group_heads.last().into_iter();
    for (_, columns) in last_heads.flat_map(|groups| spans(groups, &full_widths)) {
        gaps[columns].iter_mut().skip(1).for_each(|gap| *gap = 1);
    }
    gaps.iter_mut().take(1).for_each(|gap| *gap = 1);
    let (mut widths, mut dropped) = (full_widths.clone(), 0);
    let widths = loop {
        let mut spread = widths.clone();
        let group_heads = table.group_heads.iter().rev();
        for (words, columns) in group_heads.flat_map(|groups| spans(groups, &widths)) {
            let gaps: usize = gaps[columns.clone()].iter().skip(1).sum();
            let width = gaps + spread[columns.clone()].iter().sum::<usize>();
            spread[columns.end - 1] += words.width().saturating_sub(width);
        }
        let texts = (0..widths.len()).filter(|&at| !table.is_number[at] && widths[at] > MIN_TEXT);
        match (texts.max_by_key(|&at| widths[at]), table.optional.get(dropped)) {
            _ if gaps.iter().chain(&spread).sum::<usize>() <= output.width => break spread,
            _ if gaps.contains(&2) => gaps.fill(1),
            (Some(widest), _) => widths[widest] -= 1,
            (None, Some(columns)) => {
                for &at in columns {
                    gaps[at] = 0;
                }
                widths = full_widths.iter().zip(&gaps).map(|(width, gap)| width * gap).collect();
                dropped += 1;
            }
            (None, None) => break spread,
        }
    };
    let group_lines = table.group_heads.iter().map(|groups| {
        spans(groups, &widths).fold(String::new(), |line, (words, columns)| {
            let before = gaps[..=columns.start].iter().chain(&widths[..columns.start]);
            let blanks = before.sum::<usize>() - line.width();
            line + &" ".repeat(blanks) + words
        })
    });
    let line = |row: &Vec<Cell>| {
        let cells = row.iter().enumerate().filter(|(at, _)| gaps[*at] > 0).map(|(at, cell)| {
            let (mut text, width) = (cell_text(cell, is_bold), widths[at]);
            if text.width() > width {
                text = wrap_text(&text, |line| line.width() < width).swap_remove(0) + "…";
            }
            let blanks = width.saturating_sub(text.width());
            let [gap, blanks] = [gaps[at], blanks].map(|n| " ".repeat(n));
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
    let text: String = lines.flat_map(|line| [line, "\n".to_owned()]).collect();
    text + &table.terminal_note.map_or_else(String::new, |note| note(dropped))
}

/// The headings of `groups` (heading, number of columns), each with the range from its first to its last column. A
/// column of width 0 is dropped; a group is skipped if all its columns are.
fn spans<'a>(
    groups: &'a [(String, usize)],
    widths: &'a [usize],
) -> impl Iterator<Item = (&'a str, Range<usize>)> {
    let mut end = 0;
    groups.iter().filter_map(move |(words, count)| {
        end += count;
        let mut columns = (end - count..end).filter(|&at| widths[at] > 0);
        let first = columns.next()?;
        Some((words.as_str(), first..columns.next_back().unwrap_or(first) + 1))
    })
}

/// The text of a cell, with an asterisk for the best unless bold text shows it.
fn cell_text(cell: &Cell, is_bold: bool) -> String {
    match cell {
        Cell::Best(_) if !is_bold => format!("*{}", cell.text()),
        cell => cell.text(),
    }
}
