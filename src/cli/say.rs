//! Messages of the program on standard error, and results on standard output.

use std::fmt::Display;
use std::io::{self, Write, stderr, stdout};
use std::path::Path;

use super::library;
use crate::data::mmap;
use crate::data::text::{grouped, shown};
use crate::error::{Error, Result};
use crate::figure::{self, Drawing};

/// Writes a message to standard error, or to the captured output, without the control characters that names of files
/// may contain. Ignores errors: there is nobody to report them to.
pub(super) fn print_message(message: impl Display) {
    let message = message.to_string();
    let message = message.split('\n').map(shown).collect::<Vec<String>>().join("\n");
    if library::capture(|answer| answer.messages.push(message.clone())) {
        return;
    }
    let _ = writeln!(stderr().lock(), "{message}");
}

/// Checks that no input file has changed since it was opened.
///
/// # Errors
/// Names a file that has changed.
pub(super) fn require_unchanged() -> Result<()> {
    mmap::change_error().map_or(Ok(()), Err)
}

/// Writes results to standard output and flushes it: write errors at the end of the program would be lost silently.
///
/// # Errors
/// Errors of standard output; an input file that changed meanwhile.
pub(super) fn print(result: impl AsRef<[u8]>) -> Result<()> {
    require_unchanged()?;
    if library::capture(|answer| answer.out.extend_from_slice(result.as_ref())) {
        return Ok(());
    }
    let mut out = stdout().lock();
    let outcome = out.write_all(result.as_ref()).and_then(|()| out.flush());
    outcome.map_err(|error| stdout_error(&error))
}

/// The error if results cannot be written to standard output.
pub(super) fn stdout_error(error: &io::Error) -> Error {
    Error::new("standard output", format!("cannot be written: {error}"))
        .expected("a terminal, a pipe or a file with room for the results")
}

/// Writes the pages of a figure to `file`; if it is `None`, the first page as SVG to standard output. A calling program
/// always gets the first page as SVG and PNG. An existing PDF beside a LaTeX file is overwritten only with `force`.
pub(super) fn write_figure(pages: &[Drawing], file: Option<&Path>, force: bool) -> Result<()> {
    if library::is_capturing() {
        let png = figure::format_of(Path::new("figure.png"))?;
        let png = pages[0].convert(png, "")?.bytes;
        library::capture(|answer| answer.formats.push(("png", png)));
    }
    if library::is_capturing() || file.is_none() {
        let svg = pages[0].convert(&figure::FORMATS[0], "")?;
        warn(svg.warnings);
        print(svg.bytes)?;
    }
    if let Some(file) = file {
        warn(figure::export(pages, file, force)?);
        let page_count = match pages.len() {
            1 => String::new(),
            count => format!(", {count} pages"),
        };
        say!("wrote {}{page_count}", shown(&file.display().to_string()));
    }
    Ok(())
}

/// Prints warnings, a line each.
pub(super) fn warn(warnings: impl IntoIterator<Item = impl Display>) {
    warnings.into_iter().for_each(|warning| print_message(format_args!("warning: {warning}")));
}

/// Prints the first [`MAX_ALIKE`] of similar warnings, and the number of others.
pub(super) fn warn_alike(warnings: &[impl Display]) {
    warn(warnings.iter().take(MAX_ALIKE));
    if let Some(others @ 1..) = warnings.len().checked_sub(MAX_ALIKE) {
        print_message(format_args!("warning: {} more like these", grouped(others)));
    }
}

/// Maximum number of similar warnings to print.
const MAX_ALIKE: usize = 3;

/// Prints that files were written, a line each.
pub(super) fn print_written(files: impl IntoIterator<Item = impl AsRef<Path>>) {
    for file in files {
        print_message(format_args!("wrote {}", shown(&file.as_ref().display().to_string())));
    }
}
