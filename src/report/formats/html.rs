//! HTML tables for your own page: no style, the best of several in bold.

use super::Format;
use crate::data::markup::escape_html;
use crate::metric::Unit;
use crate::report::cell::Cell;
use crate::report::{Report, Table};

pub(super) const FORMAT: Format =
    Format { key: "html", write: |report, out| out.write_all(text(report).as_bytes()) };

/// A report in pieces, to be placed in a page.
pub struct Parts {
    /// The answer.
    pub heading: String,
    /// Every table.
    pub tables: String,
    /// The notes.
    pub notes: String,
}

/// A report as HTML.
pub fn parts(report: Report<'_>) -> Parts {
    let notes = report.notes_with("bold:");
    Parts {
        heading: paragraph("heading", &report.heading),
        tables: report.tables.into_iter().map(table).collect(),
        notes: notes.iter().map(|note| paragraph("note", note)).collect(),
    }
}

fn text(report: Report<'_>) -> String {
    let Parts { heading, tables, notes } = parts(report);
    heading + &tables + &notes
}

/// Empty if no words.
fn paragraph(class: &str, words: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = words.lines().map(escape_html).collect();
    format!("<p class=\"{class}\">{}</p>\n", lines.join("<br>"))
}

fn table(table: Table<'_>) -> String {
    let class = |at: usize| if table.is_number[at] { " class=\"number\"" } else { "" };
    let line = |cells: String| format!("<tr>{cells}</tr>\n");
    let caption = match table.title.as_str() {
        "" => String::new(),
        title => format!("<caption>{}</caption>\n", escape_html(title)),
    };
    let heads = table.head.iter().enumerate().map(|(at, name)| heading("col", class(at), name));
    let head = line(heads.collect());
    let over = table.over.iter().map(|groups| {
        let group = |(words, count): &(String, usize)| {
            heading("colgroup", &format!(" colspan=\"{count}\""), words)
        };
        line(groups.iter().map(group).collect())
    });
    let over: String = over.collect();
    let rows: Vec<Vec<Cell>> = table.rows.collect();
    let axis = axis(rows.iter().flatten().filter_map(interval));
    let lines = |rows: &[Vec<Cell>]| -> String {
        let cells = rows.iter().map(|row| {
            let cells = row.iter().enumerate().map(|(at, of)| match of {
                // The first words of a row are its heading.
                _ if at == 0 && !table.is_number[0] => heading("row", "", &of.text()),
                Cell::Interval(_) => {
                    format!(
                        "<td{}>{}</td>",
                        class(at),
                        drawn(of, at.checked_sub(1).map(|at| &row[at]), axis) + &cell(of)
                    )
                }
                _ => format!("<td{}>{}</td>", class(at), cell(of)),
            });
            line(cells.collect())
        });
        cells.collect()
    };
    let foot = match lines(&table.foot) {
        foot if foot.is_empty() => foot,
        foot => format!("<tfoot>\n{foot}</tfoot>\n"),
    };
    let rows = lines(&rows);
    format!(
        "<table>\n{caption}<thead>\n{over}{head}</thead>\n<tbody>\n{rows}</tbody>\n{foot}</table>\n"
    )
}

/// A heading of columns or a row; an empty cell without words.
fn heading(scope: &str, attributes: &str, words: &str) -> String {
    if words.is_empty() {
        return format!("<td{attributes}></td>");
    }
    format!("<th scope=\"{scope}\"{attributes}>{}</th>", escape_html(words))
}

/// The ends of an interval of a difference, and their unit.
fn interval(cell: &Cell) -> Option<([f64; 2], Unit)> {
    match cell {
        Cell::Interval(ends) => match **ends {
            [Cell::Difference(low, unit), Cell::Difference(high, _)] => Some(([low, high], unit)),
            _ => None,
        },
        _ => None,
    }
}

/// Range of intervals of one unit, including zero; `None` without any.
fn axis(mut intervals: impl Iterator<Item = ([f64; 2], Unit)>) -> Option<[f64; 2]> {
    let (first, unit) = intervals.next()?;
    let over = |[low, high]: [f64; 2], ends: [f64; 2]| [low.min(ends[0]), high.max(ends[1])];
    let start = Some(over([0.0, 0.0], first));
    intervals
        .fold(start, |axis, (ends, of)| axis.filter(|_| of == unit).map(|axis| over(axis, ends)))
}

/// Draws an interval as a line on an axis with zero, and its difference as a dot.
fn drawn(of: &Cell, before: Option<&Cell>, axis: Option<[f64; 2]>) -> String {
    let Some((([low, high], _), [least, most])) = interval(of).zip(axis) else {
        return String::new();
    };
    let at = |value: f64| (value - least) / (most - least) * 100.0;
    let dot = match before {
        Some(Cell::Difference(value, _)) => {
            format!("<circle cx=\"{:.1}\" cy=\"5\" r=\"2.5\"/>", at(*value))
        }
        _ => String::new(),
    };
    format!(
        "<svg class=\"interval\" viewBox=\"-3 0 106 10\" aria-hidden=\"true\"><path d=\"M{:.1} -5V15\"/>\
         <path d=\"M{:.1} 5H{:.1}\"/>{dot}</svg> ",
        at(0.0),
        at(low),
        at(high)
    )
}

fn cell(cell: &Cell) -> String {
    let text = escape_html(&cell.text());
    match cell {
        Cell::Best(_) => format!("<strong>{text}</strong>"),
        _ => text,
    }
}
