//! Ranked lists as Parquet tables: one file, or a folder of parts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::runs::{Listing, RunFile};
use super::{folders, pairing};
use crate::data::Direction;
use crate::data::source::Source;
use crate::data::table::{self, Table};
use crate::data::text::shown;
use crate::error::{Error, Result};

pub(super) fn is_table(source: &Source) -> bool {
    source.bytes().starts_with(table::MAGIC)
}

/// Opens a table of one file; `direction` is what a flag says.
///
/// # Errors
/// As [`Table::open`].
pub(super) fn open(source: &Arc<Source>, direction: Option<Direction>) -> Result<RunFile> {
    run(source.display(), source.stem(), std::slice::from_ref(source), direction)
}

/// Opens the parts in a folder.
///
/// # Errors
/// Files that cannot be opened; as [`Table::open`].
pub(super) fn open_folder(path: &Path, direction: Option<Direction>) -> Result<RunFile> {
    let parts = parts(path)?;
    if parts.is_empty() {
        return Err(Error::new(path.display(), "a directory without ranked lists")
            .expected("Parquet parts named *.parquet"));
    }
    let open = |part: &PathBuf| Source::open(part).map(Arc::new);
    let sources: Vec<_> = parts.iter().map(open).collect::<Result<_>>()?;
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    run(shown(&path.display().to_string()), shown(&stem.to_string_lossy()), &sources, direction)
}

/// The parts in a folder, in the order of their names; what Spark hides (`_SUCCESS`, `.crc`) is none.
///
/// # Errors
/// A folder that cannot be read.
pub(super) fn parts(path: &Path) -> Result<Vec<PathBuf>> {
    let is_part = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        !name.starts_with(b"_") && !name.starts_with(b".") && name.ends_with(b".parquet")
    };
    let mut parts = folders::entries(path)?;
    parts.retain(|path| is_part(path) && path.is_file());
    Ok(parts)
}

fn run(
    file: String,
    stem: String,
    sources: &[Arc<Source>],
    direction: Option<Direction>,
) -> Result<RunFile> {
    let direction = direction.or_else(|| Some(pairing::bare_stem(&stem)?.1));
    let table = Table::open(&file, sources, direction)?;
    Ok(RunFile {
        file,
        stem,
        direction: direction.or(table.direction()),
        listing: Listing::Table(Arc::new(table)),
        contradicting: 0,
    })
}
