//! Files that are named, each once, and names of models that come from theirs.

use std::path::PathBuf;

use crate::error::{Error, Result};

/// Checks that no file is named twice, under whatever name.
///
/// # Errors
/// Names the file.
pub(super) fn check_once(files: &[PathBuf]) -> Result<()> {
    let places: Vec<_> = files.iter().map(|file| file.canonicalize().ok()).collect();
    let is_known = |at: usize| places[at].is_some() && places[..at].contains(&places[at]);
    match (0..files.len()).find(|&at| is_known(at)) {
        None => Ok(()),
        Some(at) => Err(Error::new(files[at].display(), "named twice: it would count twice")
            .expected("each file once")),
    }
}

/// The name, numbered where it is known already: `sims`, `sims-2`.
pub(super) fn free(name: &str, is_known: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|count| format!("{name}-{count}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| !is_known(name)).unwrap_or_default()
}
