//! Markdown of sheets.

pub(super) use crate::data::markdown_text::escaped;

/// A row of a table.
pub(super) fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}
