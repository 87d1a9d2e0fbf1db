//! LaTeX tables for `booktabs`, the best of several in bold.

use super::Format;
use crate::data::latex_text;
use crate::report::cell::Cell;
use crate::report::{Report, Table};

pub(super) const FORMAT: Format = Format {
    key: "latex",
    is_text: true,
    write: |report, out| out.write_all(text(report).as_bytes()),
};

/// What tables need.
const NEEDS: &str = "needs \\usepackage{booktabs}";

fn text(report: Report<'_>) -> String {
    let notes = report.notes_with("bold:");
    let notes: String = notes.iter().map(|note| comment(note)).collect();
    let (needs, heading) = (comment(NEEDS), comment(&report.heading));
    let tables: Vec<String> = report.tables.into_iter().map(table).collect();
    needs + &heading + &notes + &tables.join("\n")
}

fn table(table: Table<'_>) -> String {
    let title = comment(&table.title);
    let side = |at| {
        if table.numbers.contains(&at) {
            'r'
        } else {
            'l'
        }
    };
    let columns: String = (0..table.head.len()).map(side).collect();
    let head = line(table.head.iter().map(|cell| escaped(cell)));
    let rows: String = table.rows.map(|row| line(row.iter().map(cell))).collect();
    format!(
        "{title}\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n"
    )
}

/// A comment on a line of its own; nothing where there is none.
fn comment(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("% {text}\n")
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "))
}

fn cell(cell: &Cell) -> String {
    let text = escaped(&cell.shown());
    match cell {
        Cell::Best(_) => format!("\\textbf{{{text}}}"),
        _ => text,
    }
}

/// What the standard fonts lack stays as it is, for those who have others.
fn escaped(text: &str) -> String {
    latex_text::escaped(text, &mut |other| other.to_string())
}
