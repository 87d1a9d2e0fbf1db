//! Names of files that are written.

use std::path::{Path, PathBuf};

use crate::session::ENDING;

/// Whether two paths are of the same file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(one) == real(other)
}

/// The most names that are tried.
const TRIED: usize = 1000;

/// A name beside the session that no file has; in the current folder where there is none.
pub(super) fn free(session: Option<&Path>, word: &str, key: &str) -> PathBuf {
    let name = session.and_then(Path::file_name).unwrap_or_default();
    let name = name.to_string_lossy();
    let stem = [ENDING, ".json"].iter().find_map(|ending| name.strip_suffix(ending));
    let stem = stem.unwrap_or(&name);
    let stem = if stem.is_empty() { word.to_owned() } else { format!("{stem}-{word}") };
    let named = |count: usize| {
        let count = if count == 1 { String::new() } else { format!("-{count}") };
        let file = format!("{stem}{count}.{key}");
        session.map_or_else(|| PathBuf::from(&file), |path| path.with_file_name(&file))
    };
    let mut names = (1..TRIED).map(named);
    names.find(|path| !path.exists()).unwrap_or_else(|| named(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lie_beside_the_session_and_are_free() {
        let folder = tempfile::tempdir().unwrap();
        let session = folder.path().join("lsa.itm.json");
        let first = free(Some(&session), "picks", "pdf");
        assert_eq!(first, folder.path().join("lsa-picks.pdf"));
        std::fs::write(&first, "").unwrap();
        assert_eq!(free(Some(&session), "picks", "pdf"), folder.path().join("lsa-picks-2.pdf"));
        assert_eq!(free(Some(&session), "picks", "svg"), folder.path().join("lsa-picks.svg"));
        assert!(free(None, "ratings", "svg").starts_with("ratings.svg"));
    }
}
