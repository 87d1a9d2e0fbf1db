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
    #[arg(long, default_value = FORMATS[0].key, value_parser = PossibleValuesParser::new(keys()), help = keys().collect::<Vec<_>>().join(", "), hide_possible_values = true)]
    format: String,
}

/// The key of every text format.
fn keys() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.key)
}

impl FormatArgs {
    /// Whether tables are printed for a terminal.
    pub(super) fn is_table(&self) -> bool {
        self.format == FORMATS[0].key
    }

    /// Whether data is written, not tables for people.
    pub(super) fn is_data(&self) -> bool {
        ["json", "jsonl", "csv"].contains(&self.format.as_str())
    }

    /// Whether the report is written in every text format, for a calling program.
    pub(super) fn is_for_program(&self) -> bool {
        self.format == "json" && library::is_capturing()
    }

    /// Writes a report to standard output. A calling program that requests JSON gets all other text formats too.
    ///
    /// # Errors
    /// Errors of standard output; an input file that changed meanwhile.
    pub(super) fn print<'a>(&self, report: impl Fn() -> Report<'a>) -> Result<()> {
        let key = self.format.as_str();
        let is_bold = screen().is_bold;
        let bytes = |format: &Format| {
            let written = format.bytes(Report { is_bold, ..report() });
            written.map_err(|error| Error::new("--format", error))
        };
        if self.is_for_program() {
            for other in FORMATS.iter().filter(|other| other.key != key) {
                let bytes = bytes(other)?;
                library::capture(|answer| answer.formats.push((other.key, bytes)));
            }
        }
        let format = Format::named(key).ok_or_else(|| Error::new("--format", key))?;
        say::print(bytes(format)?)
    }
}

/// The terminal; 100 columns without one. Bold text and colours unless `NO_COLOR` is set and not empty.
pub(super) fn screen() -> Screen {
    let is_terminal = stdout().is_terminal() && !library::is_capturing();
    // Without a terminal, `terminal::size` would start other programs to ask for it.
    let size = is_terminal.then(crossterm::terminal::window_size).and_then(std::io::Result::ok);
    Screen {
        width: size.map_or(100, |size| size.columns.into()),
        is_bold: is_terminal && !no_colour(),
    }
}
