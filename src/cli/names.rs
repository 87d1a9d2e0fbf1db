//! Names of models that come from names of files.

/// The name, numbered where it is known already: `sims`, `sims-2`.
pub(super) fn free(name: &str, is_known: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|count| format!("{name}-{count}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| !is_known(name)).unwrap_or_default()
}
