//! Messages of the program on standard error, and results on standard output.

use std::fmt::Display;
use std::io::{self, Write, stderr, stdout};
use std::path::Path;

use super::library;
use crate::data::mmap;
use crate::data::text::{grouped, shown};
use crate::error::{Error, Result};
use crate::figure::{self, Drawing};

/// Writes to standard error, each line without control characters from names of files and options. Ignores errors:
/// there is nobody to report them to.
pub(super) fn line(line: impl Display) {
    let line = line.to_string();
    let line = line.split('\n').map(shown).collect::<Vec<String>>().join("\n");
    if library::capture(|answer| answer.messages.push(line.clone())) {
        return;
    }
    let _ = writeln!(stderr().lock(), "{line}");
}

/// Checks that no input file of the results has changed.
///
/// # Errors
/// A file that has changed, by name.
pub(super) fn unchanged() -> Result<()> {
    mmap::changed().map_or(Ok(()), Err)
}

/// Writes results to standard output, all of them now: errors at the end of the program would be lost silently.
///
/// # Errors
/// Errors of standard output; a file that changed meanwhile.
pub(super) fn print(result: impl AsRef<[u8]>) -> Result<()> {
    unchanged()?;
    if library::capture(|answer| answer.out.extend_from_slice(result.as_ref())) {
        return Ok(());
    }
    let mut out = stdout().lock();
    let written = out.write_all(result.as_ref()).and_then(|()| out.flush());
    written.map_err(|error| lost(&error))
}

/// The error of results that could not be written.
pub(super) fn lost(error: &io::Error) -> Error {
    Error::new("standard output", format!("cannot be written: {error}"))
        .expected("a terminal, a pipe or a file with room for the results")
}

/// Writes pages to a file, or the first as SVG to standard output; a calling program gets that one as SVG and PNG
/// either way. An existing file beside it stays unless it `replaces` that.
pub(super) fn draw(pages: &[Drawing], file: Option<&Path>, replaces: bool) -> Result<()> {
    if library::is_capturing() {
        let png = figure::format_of(Path::new("figure.png"))?;
        let png = pages[0].write(png, "")?.bytes;
        library::capture(|answer| answer.formats.push(("png", png)));
    }
    if library::is_capturing() || file.is_none() {
        let svg = pages[0].write(&figure::FORMATS[0], "")?;
        warn(svg.warnings);
        print(svg.bytes)?;
    }
    if let Some(file) = file {
        warn(figure::export(pages, file, replaces)?);
        let count = match pages.len() {
            1 => String::new(),
            count => format!(", {count} pages"),
        };
        say!("wrote {}{count}", shown(&file.display().to_string()));
    }
    Ok(())
}

/// Prints warnings, a line each.
pub(super) fn warn(warnings: impl IntoIterator<Item = impl Display>) {
    warnings.into_iter().for_each(|warning| line(format_args!("warning: {warning}")));
}

/// Prints the first of some similar warnings, and the number of others.
pub(super) fn warn_of_first(warnings: &[impl Display]) {
    warn(warnings.iter().take(MAX_ALIKE));
    if let Some(more @ 1..) = warnings.len().checked_sub(MAX_ALIKE) {
        line(format_args!("warning: {} more like these", grouped(more)));
    }
}

/// Maximum similar warnings printed.
const MAX_ALIKE: usize = 3;

/// Reports written files.
pub(super) fn wrote(files: impl IntoIterator<Item = impl AsRef<Path>>) {
    for file in files {
        line(format_args!("wrote {}", shown(&file.as_ref().display().to_string())));
    }
}
