//! Themes on the command line and in `config.toml`.

use std::ffi::OsStr;
use std::path::Path;

use super::pictures::no_colour;
use crate::data::in_use;
use crate::data::near::nearest;
use crate::error::{Error, Result};
use crate::tui::theme::{BUNDLED, Theme};

/// The theme asked for, else the one that was last chosen; without colours where `NO_COLOR` is set and none is
/// asked for.
pub(super) fn theme(wanted: Option<&str>, last: Option<&str>) -> Result<(String, Theme)> {
    let name = wanted.unwrap_or(match last.filter(|name| is_bundled(name)) {
        _ if no_colour() => "plain",
        Some(last) => last,
        None => BUNDLED[0].0,
    });
    if let Some(at) = BUNDLED.iter().position(|(bundled, _)| *bundled == name) {
        return Ok((name.to_owned(), Theme::bundled(at).1));
    }
    if !is_theme(name) {
        let error = Error::new("--theme", format!("no theme is named {name}"));
        return Err(advised(error, name));
    }
    let path = Path::new(name);
    in_use::reads(path)?;
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, &e))?;
    Ok((name.to_owned(), Theme::parse(name, &text)?))
}

/// Whether a word names a bundled theme.
pub(super) fn is_bundled(name: &str) -> bool {
    BUNDLED.iter().any(|(bundled, _)| *bundled == name)
}

/// Whether a word names a bundled theme, or a file that may be one.
pub(super) fn is_theme(name: &str) -> bool {
    is_bundled(name) || Path::new(name).extension() == Some(OsStr::new("toml"))
}

/// Adds to an error which themes there are, and which may have been meant.
pub(super) fn advised(error: Error, name: &str) -> Error {
    let known = BUNDLED.iter().map(|(name, _)| *name);
    error
        .expected(format!("one of {}, or a .toml file", bundled_themes()))
        .meaning(nearest(name, known))
}

/// What is said of `--theme`.
pub(super) fn theme_help() -> String {
    format!(
        "A bundled theme ({}) or a theme file [default: `theme` in config.toml, else the one last chosen, at \
         first {}]",
        bundled_themes(),
        BUNDLED[0].0
    )
}

fn bundled_themes() -> String {
    let names: Vec<&str> = BUNDLED.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}
