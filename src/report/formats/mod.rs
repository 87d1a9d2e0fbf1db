//! The formats of reports. A format is one file here and one line in [`FORMATS`].

mod csv;
mod json;
mod latex;
mod markdown;
mod parquet;
mod table;

use std::io::{self, Write};

use super::Report;

/// A way of writing a [`Report`].
pub struct Format {
    /// The word after `--format`, and the ending of a file's name.
    pub key: &'static str,
    /// Whether it is text, which a terminal may be shown.
    pub is_text: bool,
    /// Writes the whole.
    pub write: fn(Report<'_>, &mut dyn Write) -> io::Result<()>,
}

/// Every format; the first is the usual one.
pub const FORMATS: &[Format] = &[
    table::FORMAT,
    json::FORMAT,
    csv::FORMAT,
    markdown::FORMAT,
    latex::FORMAT,
    parquet::FORMAT,
];

impl Format {
    /// The format of a key.
    pub fn named(key: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.key == key)
    }

    /// A report as text.
    ///
    /// # Errors
    /// None for a format that is text.
    pub fn bytes(&self, report: Report<'_>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (self.write)(report, &mut bytes)?;
        Ok(bytes)
    }
}

/// A title before a blank line; nothing where there is none.
fn above(title: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    format!("{title}\n\n")
}

/// Notes after a blank line; nothing where there are none.
fn below(notes: &[String], between: &str) -> String {
    if notes.is_empty() {
        return String::new();
    }
    format!("\n{}\n", notes.join(between))
}
