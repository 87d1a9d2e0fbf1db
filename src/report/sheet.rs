//! Tables of text under a title, in the formats that people read.

use super::{latex, markdown, table};

/// A table with a title and notes.
#[derive(Debug)]
pub(super) struct Sheet {
    /// One line.
    pub title: String,
    /// Heads of the columns.
    pub head: Vec<String>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
    /// How many columns at the left are words, not numbers.
    pub words: usize,
}

impl Sheet {
    /// For the terminal.
    pub(super) fn text(&self) -> String {
        let lines = table::aligned(&self.head, self.rows.iter().cloned(), self.words);
        format!("{}\n\n{lines}", self.title)
    }

    /// For a README.
    pub(super) fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            markdown::line(cells.iter().map(|cell| markdown::escaped(cell))) + "\n"
        };
        let rule = (0..self.head.len()).map(|at| if at < self.words { "---" } else { "---:" });
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!(
            "{}\n\n{}{}\n{rows}",
            markdown::escaped(&self.title),
            line(&self.head),
            markdown::line(rule.map(str::to_owned)),
        )
    }

    /// For a paper.
    pub(super) fn latex(&self) -> String {
        let line = |cells: &[String]| latex::line(cells.iter().map(|cell| latex::escaped(cell)));
        let columns = "l".repeat(self.words) + &"r".repeat(self.head.len() - self.words);
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!(
            "% {}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n{}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n",
            self.title,
            line(&self.head),
        )
    }
}

/// Nothing is said below the tables.
pub(super) const NO_NOTES: [&str; 0] = [];

/// Tables below each other, and notes once below all, for the terminal.
pub(super) fn text(sheets: &[Sheet], notes: &[impl AsRef<str>]) -> String {
    let sheets: Vec<String> = sheets.iter().map(Sheet::text).collect();
    sheets.join("\n") + &below(notes, "\n")
}

/// The same for a README.
pub(super) fn markdown(sheets: &[Sheet], notes: &[impl AsRef<str>]) -> String {
    let sheets: Vec<String> = sheets.iter().map(Sheet::markdown).collect();
    sheets.join("\n") + &below(notes, "  \n")
}

/// Notes after a blank line; nothing where there are none.
fn below(notes: &[impl AsRef<str>], between: &str) -> String {
    let notes: Vec<&str> = notes.iter().map(AsRef::as_ref).collect();
    if notes.is_empty() {
        return String::new();
    }
    format!("\n{}\n", notes.join(between))
}

/// The same for a paper.
pub(super) fn latex(sheets: &[Sheet], notes: &[impl AsRef<str>]) -> String {
    let notes = notes.iter().map(|note| format!("% {}\n", note.as_ref()));
    let sheets: Vec<String> = sheets.iter().map(Sheet::latex).collect();
    format!(
        "{}\n{}{}",
        latex::NEEDS,
        notes.collect::<String>(),
        sheets.join("\n")
    )
}
