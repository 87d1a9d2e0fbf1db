//! LaTeX tables for `booktabs`, the best of several in bold.

use std::fmt::Write as _;

use super::Format;
use crate::data::markup::escape_latex;
use crate::report::cell::Cell;
use crate::report::{Report, Table};

pub(super) const FORMAT: Format =
    Format { key: "latex", write: |report, out| out.write_all(text(report).as_bytes()) };

/// Used packages.
const NEEDS: &str = "needs \\usepackage{booktabs,graphicx}";

/// Around a table: one wider than the line is scaled down, a little more than needed, since TeX rounds the factor.
const FITTED: (&str, &str) = (
    "\\noindent\\resizebox{\\ifdim\\width>\\linewidth .99\\linewidth\\else\\width\\fi}{!}{%\n",
    "}\\par",
);

/// A text column with cells of this length wraps at this width.
const LONG: usize = 48;
const WRAPPED: &str = "p{20em}";

/// Around a table whose intervals need less column spacing to fit a page.
const NARROW: (&str, &str) = ("{\\setlength{\\tabcolsep}{3pt}%\n", "}\n");

fn text(mut report: Report<'_>) -> String {
    if let Some(paper) = report.paper.take() {
        report.tables = vec![paper];
    }
    let is_told = report.tables.len() < 2;
    let notes = report.notes_with("bold:");
    let notes: String = notes.iter().map(|note| comment(note)).collect();
    let (needs, heading) = (comment(NEEDS), comment(&report.heading));
    let tables = report.tables.into_iter().map(|of| table(of, is_told));
    let tables: Vec<String> = tables.collect();
    needs + &heading + &notes + &tables.join("\\bigskip\n\n")
}

/// A table, with its title above it unless shown elsewhere.
fn table(table: Table<'_>, is_told: bool) -> String {
    let title = match &*table.title {
        title if is_told || title.is_empty() => comment(title),
        title => format!("\\noindent {}\\par\\nobreak\\smallskip\n", escaped(title)),
    };
    let rows: Vec<Vec<Cell>> = table.rows.collect();
    let is_long = |at: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(at));
        cells.any(|cell| cell.text().chars().count() > LONG)
    };
    let side = |at: usize| {
        if table.is_number[at] {
            "r"
        } else if is_long(at) {
            WRAPPED
        } else {
            "l"
        }
    };
    // Once per column: a list may have thousands of rows.
    let sides: Vec<&str> = (0..table.head.len()).map(side).collect();
    let columns = sides.concat();
    let over: String = table.over.iter().map(|groups| over(groups)).collect();
    let head = over + &line(table.head.iter().map(|cell| escaped(cell)));
    let is_small = rows.iter().flatten().any(|cell| matches!(cell, Cell::Small(_)));
    let (before, after) = if is_small { NARROW } else { ("", "") };
    let in_column = |(at, one): (usize, &Cell)| {
        if sides.get(at) == Some(&WRAPPED) {
            format!("{{\\raggedright {}\\par}}", cell(one))
        } else {
            cell(one)
        }
    };
    let lines = |rows: &[Vec<Cell>]| -> String {
        let line = |row: &Vec<Cell>| line(row.iter().enumerate().map(in_column));
        rows.iter().map(line).collect()
    };
    let ((fit, fitted), rows, rule) = (FITTED, lines(&rows), ["", "\\midrule\n"]);
    let foot = rule[usize::from(!table.foot.is_empty())].to_owned() + &lines(&table.foot);
    format!(
        "{title}{before}{fit}\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}\\midrule\n{rows}{foot}\\bottomrule\n\\end{{tabular}}{fitted}\n{after}"
    )
}

/// Group headings with a rule below each; empty without any.
fn over(groups: &[(String, usize)]) -> String {
    if groups.iter().all(|(words, _)| words.is_empty()) {
        return String::new();
    }
    let (mut rules, mut first) = (String::new(), 1);
    for (words, count) in groups {
        let last = first + count - 1;
        // A heading over the row names is no heading of numbers.
        if !words.is_empty() && last > 1 {
            // Writing to a string cannot fail.
            let _ = write!(rules, "\\cmidrule(lr){{{first}-{last}}}");
        }
        first = last + 1;
    }
    let cell = |(at, (words, count)): (usize, &(String, usize))| match words.as_str() {
        "" => " & ".repeat(count - 1),
        words if at == 0 && *count == 1 => escaped(words),
        words => format!("\\multicolumn{{{count}}}{{c}}{{{}}}", escaped(words)),
    };
    format!("{}{rules}\n", line(groups.iter().enumerate().map(cell)))
}

/// A comment on its own lines; empty without text.
fn comment(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("% {}\n", text.replace('\n', "\n% "))
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

fn cell(cell: &Cell) -> String {
    let text = escaped(&cell.text());
    match cell {
        Cell::Small(_) => format!("{{\\scriptsize {text}}}"),
        Cell::Best(_) => format!("\\textbf{{{text}}}"),
        _ => text,
    }
}

/// Characters that standard fonts lack stay, for those who have others.
fn escaped(text: &str) -> String {
    escape_latex(text, &mut |other| other.to_string())
}
