//! Lists of images: `test.txt` and the like.

use std::path::Path;

use crate::data::id::Id;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// Reads a list of images, ids or names of files, one a line.
///
/// # Errors
/// When it cannot be read, is no text, or names no image.
pub fn read_split(path: &Path) -> Result<Vec<Id>> {
    let source = Source::open(path)?;
    let wrong = |found| Error::new(source.display(), found).expected("ids of images, one a line");
    let text = std::str::from_utf8(source.bytes()).map_err(|_| wrong("no text"))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let ids: Vec<Id> = lines.map(Id::of_file).collect();
    if ids.is_empty() {
        return Err(wrong("an empty list"));
    }
    Ok(ids)
}
