//! Tables of HTML, for a page of one's own: no style, the best of several in bold.

use super::Format;
use crate::data::html_text::escaped;
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
    let class = |at| {
        if table.numbers.contains(&at) { " class=\"number\"" } else { "" }
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
    let lines = |rows: &mut dyn Iterator<Item = Vec<Cell>>| -> String {
        rows.map(|row| line("td", &mut row.iter().map(cell))).collect()
    };
    let foot = match lines(&mut table.foot.iter().cloned()) {
        foot if foot.is_empty() => foot,
        foot => format!("<tfoot>\n{foot}</tfoot>\n"),
    };
    let mut rows = table.rows;
    let rows = lines(&mut rows);
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

fn cell(cell: &Cell) -> String {
    let text = escaped(&cell.shown());
    match cell {
        Cell::Best(_) => format!("<strong>{text}</strong>"),
        _ => text,
    }
}
