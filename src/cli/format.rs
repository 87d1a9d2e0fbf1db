//! `--format`: prints reports in the requested format.

use std::io::{IsTerminal, stdout};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::appearance::no_colour;
use super::{library, say};
use crate::error::{Error, Result};
use crate::report::formats::{FORMATS, Format};
use crate::report::{Report, TextOutput};

#[derive(Debug, Clone, Args)]
pub(super) struct FormatArgs {
    #[arg(long, default_value = FORMATS[0].key, value_parser = PossibleValuesParser::new(keys()), help = keys().collect::<Vec<_>>().join(", "), hide_possible_values = true)]
    format: String,
}

/// The keys of all report formats.
fn keys() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.key)
}

impl FormatArgs {
    /// Whether the format is the tables for a terminal.
    pub(super) fn is_table(&self) -> bool {
        self.format == FORMATS[0].key
    }

    /// Whether the format is for programs: JSON, JSON Lines or CSV.
    pub(super) fn is_data(&self) -> bool {
        ["json", "jsonl", "csv"].contains(&self.format.as_str())
    }

    /// Whether a calling program requested JSON, which also gets every other text format.
    pub(super) fn is_for_caller(&self) -> bool {
        self.format == "json" && library::is_capturing()
    }

    /// Writes a report to standard output; with [`FormatArgs::is_for_caller`], the caller also gets every other format.
    ///
    /// # Errors
    /// Errors of standard output; an input file that changed meanwhile.
    pub(super) fn print<'a>(&self, report: impl Fn() -> Report<'a>) -> Result<()> {
        let key = self.format.as_str();
        let output = text_output();
        let bytes = |format: &Format| {
            let bytes = format.bytes(Report { output, ..report() });
            bytes.map_err(|error| Error::new("--format", error))
        };
        if self.is_for_caller() {
            for other in FORMATS.iter().filter(|format| format.key != key) {
                let bytes = bytes(other)?;
                library::capture(|answer| answer.formats.push((other.key, bytes)));
            }
        }
        let format = Format::from_key(key).ok_or_else(|| Error::new("--format", key))?;
        say::print(bytes(format)?)
    }
}

/// Width of the terminal, unlimited without one, and whether to print bold text: not under `NO_COLOR`.
fn text_output() -> TextOutput {
    let is_terminal = stdout().is_terminal() && !library::is_capturing();
    // Without a terminal, `terminal::size` would start other programs to ask for it.
    let size = is_terminal.then(crossterm::terminal::window_size).and_then(std::io::Result::ok);
    TextOutput {
        width: size.map_or(usize::MAX, |size| size.columns.into()),
        is_bold: is_terminal && !no_colour(),
    }
}
