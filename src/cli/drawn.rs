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
    wrote(figure::draw(drawing, file)?, file);
    Ok(())
}

/// Says what was written, and what is to be said of it.
pub(super) fn wrote(warnings: Vec<String>, file: &Path) {
    for warning in warnings {
        say!("warning: {warning}");
    }
    say!("wrote {}", shown(&file.display().to_string()));
}
