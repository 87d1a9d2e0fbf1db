//! The formats of reports. A format is one file here and one line in [`FORMATS`].

mod csv;
pub mod html;
mod json;
mod latex;
mod markdown;
mod table;

use std::io::{self, Write};
use std::path::Path;

use super::Report;
use crate::data::output::ending_of;
use crate::error::{Error, Result};

/// A format for [`Report`]s.
pub struct Format {
    /// The word after `--format`, and the extension of a file.
    pub key: &'static str,
    /// Writes a report.
    pub write: fn(Report<'_>, &mut dyn Write) -> io::Result<()>,
}

/// Every format; the first is the default.
pub const FORMATS: &[Format] = &[
    table::FORMAT,
    json::FORMAT,
    json::LINES,
    csv::FORMAT,
    markdown::FORMAT,
    latex::FORMAT,
    html::FORMAT,
];

/// Formats of files with rows, which are written row by row: extension, description in one line, and format.
pub const ROW_FORMATS: [(&str, &str, &Format); 3] = [
    ("csv", "a line for each row, for data frames and spreadsheets", &csv::FORMAT),
    ("jsonl", "JSON Lines, an object for each row, for programs", &json::LINES),
    ("md", "Markdown, a table for a README or an issue", &markdown::FORMAT),
];

/// The extension of a file name, and its format in [`ROW_FORMATS`].
///
/// # Errors
/// Lists the known extensions.
pub fn row_format(file: &Path) -> Result<(&'static str, &'static Format)> {
    let found = ROW_FORMATS.into_iter().find(|(ending, ..)| *ending == ending_of(file));
    found.map(|(ending, _, format)| (ending, format)).ok_or_else(|| {
        let known = ROW_FORMATS.map(|(ending, ..)| format!(".{ending}"));
        Error::new(file.display(), format!("a .{} holds no rows", ending_of(file)))
            .expected(known.join(", "))
    })
}

impl Format {
    /// Finds a format by its key.
    pub fn from_key(key: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.key == key)
    }

    /// Writes a report in this format to memory.
    ///
    /// # Errors
    /// As [`Format::write`].
    pub fn bytes(&self, report: Report<'_>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (self.write)(report, &mut bytes)?;
        Ok(bytes)
    }
}

/// A title with a blank line below; empty without a title.
fn title_block(title: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    format!("{title}\n\n")
}

/// Notes with a blank line above and `separator` between them; empty without notes.
fn note_block(notes: &[String], separator: &str) -> String {
    if notes.is_empty() {
        return String::new();
    }
    format!("\n{}\n", notes.join(separator))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::report::cell::{Cell, row};
    use crate::report::{Json, Table, TextOutput};

    fn written(key: &str) -> String {
        let rows =
            [row!["a_b", Cell::Number(0.123, 1).mark_best(true)], row!["=c", Cell::Undefined]];
        let table = |title| Table::new(title, ["name", "x"], 1, rows.clone());
        let report = Report {
            heading: "A title".into(),
            notes: vec!["x: a number".into(), "more".into()],
            best: Some("least"),
            ..Report::new(vec![table("One"), table("2. Two")], table(""), Json::Rows)
        };
        String::from_utf8(Format::from_key(key).unwrap().bytes(report).unwrap()).unwrap()
    }

    #[test]
    fn one_report_in_every_format_that_is_text() {
        let below = "x: a number; * least\nmore\n";
        let lines = " name     x\n a_b   *0.1\n =c       ·\n";
        assert_eq!(
            written("table"),
            format!("A title\n\nOne\n\n{lines}\n2. Two\n\n{lines}\n{below}")
        );
        let lines = "| name | x |\n| --- | ---: |\n| a\\_b | **0.1** |\n| =c | · |\n";
        let below = "x: a number; bold: least  \nmore\n";
        assert_eq!(
            written("markdown"),
            format!("**A title**\n\nOne\n\n{lines}\n2\\. Two\n\n{lines}\n{below}")
        );
        let latex = written("latex");
        assert!(
            latex.starts_with("% needs \\usepackage{booktabs,graphicx}\n% A title\n% x: a number; bold: least\n% more\n\\noindent One\\par"),
            "{latex}"
        );
        assert!(latex.contains("a\\_b & \\textbf{0.1} \\\\\n"), "{latex}");
        assert_eq!(written("csv"), "name,x\na_b,0.123\n'=c,\n");
        let lines = "{\"name\":\"a_b\",\"x\":0.123}\n{\"name\":\"=c\",\"x\":null}\n";
        assert_eq!(written("jsonl"), lines);
        let records: serde_json::Value = serde_json::from_str(&written("json")).unwrap();
        let expected = json!([{"name": "a_b", "x": 0.123}, {"name": "=c", "x": null}]);
        assert_eq!(records, expected);
    }

    #[test]
    fn a_narrow_output_cuts_texts_and_drops_columns() {
        let written = |width| {
            let row = row!["a", "one two three four five six seven", 1_usize, 2_usize];
            let table = Table::new("", ["id", "text", "n", "m"], 2, [row]);
            let tables = vec![Table { optional: vec![vec![2]], ..table }];
            let output = TextOutput { width, is_bold: false };
            let report = Report::new(tables, Table::new("", ["n"], 0, []), Json::Rows);
            let bytes = Format::from_key("table").unwrap().bytes(Report { output, ..report });
            String::from_utf8(bytes.unwrap()).unwrap()
        };
        for (width, line) in [
            (44, " a   one two three four five six seven  1  2"),
            (43, " a  one two three four five six seven 1 2"),
            (30, " a  one two three four…    1 2"),
            (27, " a  one two three four…   2"),
        ] {
            assert_eq!(written(width).lines().next_back(), Some(line), "{width}");
        }
    }

    #[test]
    fn every_format_has_a_key_of_its_own() {
        for format in FORMATS {
            let same = FORMATS.iter().filter(|other| other.key == format.key);
            assert_eq!(same.count(), 1, "{}", format.key);
        }
    }
}
