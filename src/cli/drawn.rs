//! Drawings that subcommands write beside what they print.

use std::path::Path;

use crate::data::text::shown;
use crate::error::Result;
use crate::figure::{self, Drawing};

/// Writes a drawing, and says so.
///
/// # Errors
/// As [`figure::draw`].
pub(super) fn write(drawing: &Drawing, file: &Path) -> Result<()> {
    for warning in figure::draw(drawing, file)? {
        say!("warning: {warning}");
    }
    say!("wrote {}", shown(&file.display().to_string()));
    Ok(())
}
