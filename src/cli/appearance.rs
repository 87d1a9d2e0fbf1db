//! Keys, theme, colours and image mode, as options, environment variables, `config.toml` and the terminal set them.

use std::ffi::OsStr;
use std::path::Path;

use super::config;
use crate::data::in_use;
use crate::error::{Error, Result};
use crate::tui::event::terminal::Colours;
use crate::tui::keymap::Keymap;
use crate::tui::theme::{BUNDLED, Theme};
use crate::tui::thumbnails::ImageMode;

/// Name and colours of a bundled theme or of a theme file. Without a name, `plain` under `NO_COLOR`, else the first
/// bundled theme.
pub(super) fn theme(name: Option<&str>) -> Result<(String, Theme)> {
    let name = name.unwrap_or(if no_colour() { "plain" } else { BUNDLED[0].0 });
    if let Some(index) = BUNDLED.iter().position(|(bundled, _)| *bundled == name) {
        return Ok((name.to_owned(), Theme::bundled(index).1));
    }
    require_theme(name).map_err(|why| Error::new("--theme", format!("{name}: {why}")))?;
    Ok((name.to_owned(), Theme::parse(name, &read_file(Path::new(name))?)?))
}

/// Whether a bundled theme has this name.
pub(super) fn is_bundled(name: &str) -> bool {
    BUNDLED.iter().any(|(bundled, _)| *bundled == name)
}

/// Checks that a name is that of a bundled theme or of a `.toml` file.
pub(super) fn require_theme(name: &str) -> std::result::Result<(), String> {
    if is_bundled(name) || Path::new(name).extension() == Some(OsStr::new("toml")) {
        return Ok(());
    }
    let names: Vec<&str> = BUNDLED.iter().map(|(name, _)| *name).collect();
    Err(format!("expected one of {}, or a .toml file", names.join(", ")))
}

/// Environment variable with the default of `--thumbnails`.
const THUMBNAILS: &str = "ITM_EXPLORE_THUMBNAILS";

/// How to show images: by the option, else the environment variable, else the setting. Without any, images are off
/// under `NO_COLOR`.
pub(super) fn image_mode(flag: Option<ImageMode>, setting: Option<ImageMode>) -> Result<ImageMode> {
    let variable = std::env::var(THUMBNAILS).ok().filter(|name| !name.is_empty());
    match (flag, variable) {
        (Some(mode), _) => Ok(mode),
        (None, Some(name)) => {
            name.parse().map_err(|why| Error::new(THUMBNAILS, format!("{name:?}: {why}")))
        }
        (None, None) => {
            let default = if no_colour() { ImageMode::Off } else { ImageMode::Auto };
            Ok(setting.unwrap_or(default))
        }
    }
}

/// Whether `NO_COLOR` is set and not empty.
pub(super) fn no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// The colours of the terminal: all 24 bits only if `COLORTERM` or `TERM` declares them.
pub(super) fn colours() -> Colours {
    let has_any = |variable: &str, parts: &[&str]| {
        std::env::var(variable).is_ok_and(|value| parts.iter().any(|part| value.contains(part)))
    };
    let has_all = has_any("COLORTERM", &["truecolor", "24bit"])
        || has_any("TERM", &["-direct", "kitty", "alacritty"]);
    if has_all { Colours::All } else { Colours::Indexed }
}

/// Reads key bindings from `file`, or without it from `keys.toml` in the configuration folder; the defaults if that is
/// missing.
pub(super) fn keymap(file: Option<&Path>) -> Result<Keymap> {
    let default = config::folder().map(|folder| folder.join("keys.toml"));
    let default = default.filter(|path| path.is_file());
    match file.or(default.as_deref()) {
        Some(path) => Keymap::load(Some((&path.display().to_string(), &read_file(path)?))),
        None => Keymap::load(None),
    }
}

/// Reads a text file, noted as an input, which must not be overwritten.
fn read_file(path: &Path) -> Result<String> {
    in_use::note_input(path)?;
    std::fs::read_to_string(path).map_err(|e| Error::io(path, &e))
}
