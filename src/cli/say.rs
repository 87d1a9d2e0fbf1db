//! What the program says on standard error, and its results on standard output.

use std::fmt::Display;
use std::io::{self, Write, stderr, stdout};

use super::library;
use crate::data::mapped;
use crate::data::text::shown;
use crate::doctor;
use crate::error::{Error, Result};
use crate::study::Study;

/// Writes to standard error, each line without the control characters that names from files and options may have. Where
/// that cannot be written there is nobody to tell.
pub(super) fn line(line: impl Display) {
    let line = line.to_string();
    let line = line.split('\n').map(shown).collect::<Vec<String>>().join("\n");
    if library::hear(|heard| heard.said.push(line.clone())) {
        return;
    }
    let _ = writeln!(stderr().lock(), "{line}");
}

/// Checks that every file which results were made of is still what it was.
///
/// # Errors
/// As [`mapped::changed`] tells.
pub(super) fn unchanged() -> Result<()> {
    mapped::changed().map_or(Ok(()), Err)
}

/// Writes results to standard output, all of them now: what waits for the end of the program is
/// lost silently where it cannot be written.
///
/// # Errors
/// What standard output says; a file that changed meanwhile.
pub(super) fn put(result: impl AsRef<[u8]>) -> Result<()> {
    unchanged()?;
    if library::hear(|heard| heard.out.extend_from_slice(result.as_ref())) {
        return Ok(());
    }
    let mut out = stdout().lock();
    let written = out.write_all(result.as_ref()).and_then(|()| out.flush());
    written.map_err(|error| lost(&error))
}

/// The error of results that standard output did not take.
pub(super) fn lost(error: &io::Error) -> Error {
    Error::new("standard output", format!("cannot be written: {error}"))
        .expected("a terminal, a pipe or a file with room for the results")
}

/// Prints on stderr how the inputs were understood, and warnings: with `quiet` these alone. What makes numbers meaningless
/// comes last, just above the result.
pub(super) fn report_notes(study: &Study, quiet: bool) {
    for note in study.notes.iter().filter(|note| !quiet || note.is_to_be_heeded()) {
        say!("{}{}", ["", "warning: "][usize::from(note.is_to_be_heeded())], note.text);
    }
    for finding in doctor::examine_quickly(study) {
        say!("warning: {finding}");
    }
}
