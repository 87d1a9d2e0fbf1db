//! `--format`: how a report is printed.

use std::io::{IsTerminal, stdout};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::appearance::no_colour;
use super::{library, say};
use crate::error::{Error, Result};
use crate::report::formats::{FORMATS, Format};
use crate::report::{Report, Screen};

#[derive(Debug, Clone, Args)]
pub(super) struct FormatArgs {
    #[arg(long, default_value = FORMATS[0].key, value_parser = PossibleValuesParser::new(words()), help = words().collect::<Vec<_>>().join(", "), hide_possible_values = true)]
    format: String,
}

/// The word of every format that is text.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().filter(|format| format.is_text).map(|format| format.key)
}

impl FormatArgs {
    /// Whether data is written, and not tables for people.
    pub(super) fn is_data(&self) -> bool {
        ["json", "jsonl", "csv"].contains(&self.format.as_str())
    }

    /// Whether the report is written in every text format, for a program that waits.
    pub(super) fn is_for_program(&self) -> bool {
        is_for_program(&self.format)
    }

    /// Writes a report to standard output.
    ///
    /// # Errors
    /// What standard output says; an input file that changed meanwhile.
    pub(super) fn put(&self, report: Report<'_>) -> Result<()> {
        put(report, &self.format)
    }
}

/// The terminal; 100 columns without one. Bold letters and colours unless `NO_COLOR` is set and not empty.
pub(super) fn screen() -> Screen {
    let is_terminal = stdout().is_terminal() && !library::is_heard();
    let size = crossterm::terminal::size().ok().filter(|_| is_terminal);
    Screen {
        width: size.map_or(100, |(columns, _)| columns.into()),
        is_bold: is_terminal && !no_colour(),
    }
}

fn is_for_program(key: &str) -> bool {
    key == "json" && library::is_heard()
}

/// The same in a format of that key. A program that waits and asks for JSON gets the report in all other text formats too.
pub(super) fn put(mut report: Report<'_>, key: &str) -> Result<()> {
    let wrong = |error| Error::new("--format", error);
    report.is_bold = screen().is_bold;
    if is_for_program(key) {
        for other in FORMATS.iter().filter(|other| other.is_text && other.key != key) {
            let bytes = other.bytes(report.copy()).map_err(wrong)?;
            library::hear(|answer| answer.formats.push((other.key, bytes)));
        }
    }
    let format = Format::named(key).ok_or_else(|| Error::new("--format", key))?;
    say::put(format.bytes(report).map_err(wrong)?)
}
