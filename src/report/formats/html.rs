//! Tables of HTML, for a page of one's own: no style, the best of several in bold.

use super::Format;
use crate::data::html_text::escaped;
use crate::metric::Unit;
use crate::report::cell::Cell;
use crate::report::{Report, Table};

pub(super) const FORMAT: Format = Format {
    key: "html",
    is_text: true,
    write: |report, out| out.write_all(text(report).as_bytes()),
};

fn text(report: Report<'_>) -> String {
    let heading = paragraph("heading", &report.heading);
    let notes = report.notes_with("bold:");
    let tables: String = report.tables.into_iter().map(table).collect();
    let notes: String = notes.iter().map(|note| paragraph("note", note)).collect();
    heading + &tables + &notes
}

/// Nothing of nothing.
fn paragraph(class: &str, words: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = words.lines().map(escaped).collect();
    format!("<p class=\"{class}\">{}</p>\n", lines.join("<br>"))
}

fn table(table: Table<'_>) -> String {
    let class = |at: usize| {
        if table.is_number[at] { " class=\"number\"" } else { "" }
    };
    let line = |tag: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells =
            cells.enumerate().map(|(at, cell)| format!("<{tag}{}>{cell}</{tag}>", class(at)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let caption = match table.title.as_str() {
        "" => String::new(),
        title => format!("<caption>{}</caption>\n", escaped(title)),
    };
    let head = line("th", &mut table.head.iter().map(|name| escaped(name)));
    let over: String = table.over.iter().map(|groups| over(groups)).collect();
    let rows: Vec<Vec<Cell>> = table.rows.collect();
    let axis = axis(rows.iter().flatten().filter_map(interval));
    let lines = |rows: &[Vec<Cell>]| -> String {
        rows.iter().map(|row| line("td", &mut row.iter().map(|of| cell(of, axis)))).collect()
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

/// A line of headings over several columns.
fn over(groups: &[(String, usize)]) -> String {
    let cell = |(words, count): &(String, usize)| {
        format!("<th colspan=\"{count}\">{}</th>", escaped(words))
    };
    format!("<tr>{}</tr>\n", groups.iter().map(cell).collect::<String>())
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

/// What intervals of one unit reach over, zero included; `None` without any.
fn axis(mut intervals: impl Iterator<Item = ([f64; 2], Unit)>) -> Option<[f64; 2]> {
    let (first, unit) = intervals.next()?;
    let over = |[low, high]: [f64; 2], ends: [f64; 2]| [low.min(ends[0]), high.max(ends[1])];
    let start = Some(over([0.0, 0.0], first));
    intervals
        .fold(start, |axis, (ends, of)| axis.filter(|_| of == unit).map(|axis| over(axis, ends)))
}

/// An interval as a line on an axis, with zero.
fn drawn([low, high]: [f64; 2], [least, most]: [f64; 2]) -> String {
    let at = |value: f64| (value - least) / (most - least) * 100.0;
    format!(
        "<svg class=\"interval\" viewBox=\"-2 0 104 10\" aria-hidden=\"true\"><path d=\"M{:.1} 0V10\"/>\
         <path d=\"M{:.1} 5H{:.1}\"/></svg> ",
        at(0.0),
        at(low),
        at(high)
    )
}

fn cell(cell: &Cell, axis: Option<[f64; 2]>) -> String {
    let text = escaped(&cell.shown());
    match cell {
        Cell::Interval(_) => {
            let ends = interval(cell).zip(axis);
            ends.map_or(String::new(), |((ends, _), axis)| drawn(ends, axis)) + &text
        }
        Cell::Best(_) => format!("<strong>{text}</strong>"),
        _ => text,
    }
}
