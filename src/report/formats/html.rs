//! HTML tables for your own page, without a style sheet; the best of several in bold.

use super::Format;
use crate::data::markup::escape_html;
use crate::metric::Unit;
use crate::report::cell::Cell;
use crate::report::{Report, Table};

pub(super) const FORMAT: Format =
    Format { key: "html", write: |report, out| out.write_all(html(report).as_bytes()) };

/// The parts of a report as HTML, to be placed in a page.
pub struct Parts {
    /// The heading.
    pub heading: String,
    /// All tables.
    pub tables: String,
    /// The notes.
    pub notes: String,
}

/// Converts a report to HTML.
pub fn convert(report: Report<'_>) -> Parts {
    let notes = report.notes_with_mark("bold:");
    Parts {
        heading: paragraph("heading", &report.heading),
        tables: report.tables.into_iter().map(table).collect(),
        notes: notes.iter().map(|note| paragraph("note", note)).collect(),
    }
}

/// A report as HTML.
fn html(report: Report<'_>) -> String {
    let Parts { heading, tables, notes } = convert(report);
    heading + &tables + &notes
}

/// A paragraph with a line break for each new line; empty without words.
fn paragraph(class: &str, words: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = words.lines().map(escape_html).collect();
    format!("<p class=\"{class}\">{}</p>\n", lines.join("<br>"))
}

/// A table as an element of HTML.
fn table(table: Table<'_>) -> String {
    let class = |at: usize| if table.is_number[at] { " class=\"number\"" } else { "" };
    let row = |cells: String| format!("<tr>{cells}</tr>\n");
    let caption = match table.title.as_str() {
        "" => String::new(),
        title => format!("<caption>{}</caption>\n", escape_html(title)),
    };
    let heads = table.head.iter().enumerate().map(|(at, name)| heading("col", class(at), name));
    let head = row(heads.collect());
    let group_rows = table.group_heads.iter().map(|groups| {
        let group = |(words, count): &(String, usize)| {
            heading("colgroup", &format!(" colspan=\"{count}\""), words)
        };
        row(groups.iter().map(group).collect())
    });
    let group_rows: String = group_rows.collect();
    let rows: Vec<Vec<Cell>> = table.rows.collect();
    let axis = interval_axis(rows.iter().flatten().filter_map(difference_interval));
    let body = |rows: &[Vec<Cell>]| -> String {
        let rows = rows.iter().map(|cells| {
            let elements = cells.iter().enumerate().map(|(at, one)| match one {
                // The first words of a row are its heading.
                _ if at == 0 && !table.is_number[0] => heading("row", "", &one.text()),
                Cell::Interval(_) => {
                    let before = at.checked_sub(1).map(|at| &cells[at]);
                    let svg = interval_svg(one, before, axis);
                    format!("<td{}>{svg}{}</td>", class(at), cell(one))
                }
                _ => format!("<td{}>{}</td>", class(at), cell(one)),
            });
            row(elements.collect())
        });
        rows.collect()
    };
    let foot = match body(&table.foot) {
        foot if foot.is_empty() => foot,
        foot => format!("<tfoot>\n{foot}</tfoot>\n"),
    };
    let rows = body(&rows);
    format!(
        "<table>\n{caption}<thead>\n{group_rows}{head}</thead>\n<tbody>\n{rows}</tbody>\n{foot}</table>\n"
    )
}

/// A `<th>` cell with this scope; an empty `<td>` cell without words. `attributes` is empty or begins with a blank.
fn heading(scope: &str, attributes: &str, words: &str) -> String {
    if words.is_empty() {
        return format!("<td{attributes}></td>");
    }
    format!("<th scope=\"{scope}\"{attributes}>{}</th>", escape_html(words))
}

/// The ends and the unit of an interval of differences; `None` for other cells.
fn difference_interval(cell: &Cell) -> Option<([f64; 2], Unit)> {
    match cell {
        Cell::Interval(ends) => match **ends {
            [Cell::Difference(low, unit), Cell::Difference(high, _)] => Some(([low, high], unit)),
            _ => None,
        },
        _ => None,
    }
}

/// The lowest and the highest of 0 and the ends of all intervals; `None` without intervals or if their units differ.
fn interval_axis(mut intervals: impl Iterator<Item = ([f64; 2], Unit)>) -> Option<[f64; 2]> {
    let (first, unit) = intervals.next()?;
    let span = |[low, high]: [f64; 2], ends: [f64; 2]| [low.min(ends[0]), high.max(ends[1])];
    let start = Some(span([0.0, 0.0], first));
    intervals.fold(start, |axis, (ends, own)| Some(span(axis.filter(|_| own == unit)?, ends)))
}

/// An SVG of an interval as a line on an axis with zero, and of the difference in the cell before it as a dot. Empty
/// without an axis, or if the cell is no interval of differences.
fn interval_svg(cell: &Cell, before: Option<&Cell>, axis: Option<[f64; 2]>) -> String {
    let Some((([low, high], _), [start, end])) = difference_interval(cell).zip(axis) else {
        return String::new();
    };
    let x = |value: f64| (value - start) / (end - start) * 100.0;
    let dot = match before {
        Some(Cell::Difference(value, _)) => {
            format!("<circle cx=\"{:.1}\" cy=\"5\" r=\"2\"/>", x(*value))
        }
        _ => String::new(),
    };
    format!(
        "<svg class=\"interval\" width=\"100\" viewBox=\"-3 0 106 10\" stroke=\"currentColor\" fill=\"currentColor\" \
         aria-hidden=\"true\"><path d=\"M{:.1} -5V15\"/><path d=\"M{:.1} 5H{:.1}\"/>{dot}</svg> ",
        x(0.0),
        x(low),
        x(high)
    )
}

/// The text of a cell as HTML, bold if it is the best.
fn cell(cell: &Cell) -> String {
    let text = escape_html(&cell.text());
    match cell {
        Cell::Best(_) => format!("<strong>{text}</strong>"),
        _ => text,
    }
}
