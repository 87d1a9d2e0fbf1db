//! `--format`: how a report is printed.

pub(super) mod paper;

use std::io::{IsTerminal, stdout};

use clap::{Args, builder::PossibleValue};

use super::{library, say};
use crate::error::{Error, Result};
use crate::report::formats::{FORMATS, Format};
use crate::report::{Report, Screen};

#[derive(Debug, Clone, Args)]
pub(super) struct FormatArgs {
    #[arg(long, default_value = FORMATS[0].key, value_parser = with_text(), help = help(), hide_possible_values = true)]
    format: String,
}

/// What of a report is printed, and how.
#[derive(Debug, Clone, Args)]
pub(super) struct PrintArgs {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// Print warnings only
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// The usual format by another name, which `doctor` has always had.
const TEXT: &str = "text";

fn with_text() -> Vec<PossibleValue> {
    let mut words: Vec<PossibleValue> = words().collect();
    words[0] = words[0].clone().alias(TEXT);
    words
}

/// The words of all formats.
fn help() -> String {
    let names: Vec<String> = words().map(|word| word.get_name().to_owned()).collect();
    names.join(", ")
}

/// The word of every format that is text.
pub(super) fn words() -> impl Iterator<Item = PossibleValue> {
    let texts = FORMATS.iter().filter(|format| format.is_text);
    texts.map(|format| PossibleValue::new(format.key))
}

impl FormatArgs {
    /// Whether a table for a paper is asked for.
    pub(super) fn is_latex(&self) -> bool {
        self.format == "latex"
    }

    /// Whether data is written, and not tables for people.
    pub(super) fn is_data(&self) -> bool {
        ["json", "jsonl", "csv"].contains(&self.format.as_str())
    }

    /// Whether the report is written in every text format, for a program that waits.
    fn is_for_program(&self) -> bool {
        is_for_program(&self.format)
    }

    /// Writes a report to standard output.
    ///
    /// # Errors
    /// What standard output says; an input file that changed meanwhile.
    pub(super) fn put(&self, report: Report<'_>) -> Result<()> {
        let is_usual = self.format == TEXT;
        put(report, if is_usual { FORMATS[0].key } else { &self.format })
    }
}

/// The terminal; 100 columns without one. Bold letters and colours unless `NO_COLOR` is set and not empty.
pub(super) fn screen() -> Screen {
    let is_terminal = stdout().is_terminal() && !library::is_heard();
    let size = crossterm::terminal::size().ok().filter(|_| is_terminal);
    let may_colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    Screen {
        width: size.map_or(100, |(columns, _)| columns.into()),
        is_bold: is_terminal && may_colour,
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
