//! LaTeX tables for `booktabs`, the best of several in bold.

use std::fmt::Write as _;

use super::Format;
use crate::data::markup::escape_latex;
use crate::report::cell::Cell;
use crate::report::{Report, Table};

pub(super) const FORMAT: Format =
    Format { key: "latex", write: |report, out| out.write_all(latex(report).as_bytes()) };

/// Comment that names the packages used.
const PACKAGES: &str = "needs \\usepackage{booktabs,graphicx}";

/// Start and end of a group that scales a table down if it is wider than the line, a little more than needed, since TeX
/// rounds the factor.
const FIT_LINE: (&str, &str) = (
    "\\noindent\\resizebox{\\ifdim\\width>\\linewidth .99\\linewidth\\else\\width\\fi}{!}{%\n",
    "}\\par",
);

/// Maximum length of text in a column that does not wrap, in characters.
const MAX_UNWRAPPED: usize = 48;
/// Column type of text that wraps.
const WRAPPED: &str = "p{20em}";

/// Start and end of a group with less space between columns, for tables with intervals.
const NARROW: (&str, &str) = ("{\\setlength{\\tabcolsep}{3pt}%\n", "}\n");

/// A report as LaTeX, with [`Report::paper`] in the place of its tables if there is one.
fn latex(mut report: Report<'_>) -> String {
    if let Some(paper) = report.paper.take() {
        report.tables = vec![paper];
    }
    let is_single = report.tables.len() < 2;
    let notes: String = report.notes_with_mark("bold:").iter().map(|note| comment(note)).collect();
    let (needs, heading) = (comment(PACKAGES), comment(&report.heading));
    let tables: Vec<String> = report.tables.into_iter().map(|one| table(one, is_single)).collect();
    needs + &heading + &notes + &tables.join("\\bigskip\n\n")
}

/// A table, with its title above it. The title of a single table is a comment, as its caption is written by hand.
fn table(table: Table<'_>, is_single: bool) -> String {
    let title = match &*table.title {
        title if is_single || title.is_empty() => comment(title),
        title => format!("\\noindent {}\\par\\nobreak\\smallskip\n", escape(title)),
    };
    let rows: Vec<Vec<Cell>> = table.rows.collect();
    let is_long = |at: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(at));
        cells.any(|cell| cell.text().chars().count() > MAX_UNWRAPPED)
    };
    let column_type = |at: usize| {
        if table.is_number[at] {
            "r"
        } else if is_long(at) {
            WRAPPED
        } else {
            "l"
        }
    };
    // Once per column: a list may have thousands of rows.
    let column_types: Vec<&str> = (0..table.head.len()).map(column_type).collect();
    let columns = column_types.concat();
    let groups: String = table.group_heads.iter().map(|groups| group_line(groups)).collect();
    let head = groups + &line(table.head.iter().map(|cell| escape(cell)));
    let is_small = rows.iter().flatten().any(|cell| matches!(cell, Cell::Small(_)));
    let (before, after) = if is_small { NARROW } else { ("", "") };
    let column_cell = |(at, one): (usize, &Cell)| {
        if column_types.get(at) == Some(&WRAPPED) {
            format!("{{\\raggedright {}\\par}}", cell(one))
        } else {
            cell(one)
        }
    };
    let lines = |rows: &[Vec<Cell>]| -> String {
        let line = |row: &Vec<Cell>| line(row.iter().enumerate().map(column_cell));
        rows.iter().map(line).collect()
    };
    let ((fit, end_fit), rows, rule) = (FIT_LINE, lines(&rows), ["", "\\midrule\n"]);
    let foot = rule[usize::from(!table.foot.is_empty())].to_owned() + &lines(&table.foot);
    format!(
        "{title}{before}{fit}\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}\\midrule\n{rows}{foot}\\bottomrule\n\\end{{tabular}}{end_fit}\n{after}"
    )
}

/// A line of group headings with a rule below each; empty if no group has a heading.
fn group_line(groups: &[(String, usize)]) -> String {
    if groups.iter().all(|(words, _)| words.is_empty()) {
        return String::new();
    }
    let (mut rules, mut first) = (String::new(), 1);
    for (words, count) in groups {
        let last = first + count - 1;
        // No rule below a heading of the first column, which has the row names.
        if !words.is_empty() && last > 1 {
            // Writing to a string cannot fail.
            let _ = write!(rules, "\\cmidrule(lr){{{first}-{last}}}");
        }
        first = last + 1;
    }
    let cell = |(at, (words, count)): (usize, &(String, usize))| match words.as_str() {
        "" => " & ".repeat(count - 1),
        words if at == 0 && *count == 1 => escape(words),
        words => format!("\\multicolumn{{{count}}}{{c}}{{{}}}", escape(words)),
    };
    format!("{}{rules}\n", line(groups.iter().enumerate().map(cell)))
}

/// A comment on lines of its own; empty without text.
fn comment(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("% {}\n", text.replace('\n', "\n% "))
}

/// A line of a table.
fn line(cells: impl Iterator<Item = String>) -> String {
    format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

/// The text of a cell as LaTeX, bold if it is the best, small if it is small text.
fn cell(cell: &Cell) -> String {
    let text = escape(&cell.text());
    match cell {
        Cell::Small(_) => format!("{{\\scriptsize {text}}}"),
        Cell::Best(_) => format!("\\textbf{{{text}}}"),
        _ => text,
    }
}

/// Escapes text. Characters that standard fonts lack stay, for readers with other fonts.
fn escape(text: &str) -> String {
    escape_latex(text, &mut |other| other.to_string())
}
