//! Names of files that are written.

use std::path::{Path, PathBuf};

use crate::session::ENDING;

/// A name beside the session; in the current folder where there is none.
pub(super) fn beside(session: Option<&Path>, word: &str, key: &str) -> PathBuf {
    let name = session.and_then(Path::file_name).unwrap_or_default();
    let name = name.to_string_lossy();
    let stem = [ENDING, ".json"].iter().find_map(|ending| name.strip_suffix(ending));
    let stem = stem.unwrap_or(&name);
    let file = match stem {
        "" => format!("{word}.{key}"),
        stem => format!("{stem}-{word}.{key}"),
    };
    session.map_or_else(|| PathBuf::from(&file), |path| path.with_file_name(&file))
}
