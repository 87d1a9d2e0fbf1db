//! Keys, theme, colours and images: by option, variable, setting, or terminal.

use std::ffi::OsStr;
use std::path::Path;

use super::config;
use crate::data::in_use;
use crate::error::{Error, Result};
use crate::tui::event::terminal::Colours;
use crate::tui::keymap::Keymap;
use crate::tui::theme::{BUNDLED, Theme};
use crate::tui::thumbnails::ImageMode;

/// The given theme, else `plain` under `NO_COLOR`, else the first.
pub(super) fn theme(wanted: Option<&str>) -> Result<(String, Theme)> {
    let name = wanted.unwrap_or(if no_colour() { "plain" } else { BUNDLED[0].0 });
    if let Some(at) = BUNDLED.iter().position(|(bundled, _)| *bundled == name) {
        return Ok((name.to_owned(), Theme::bundled(at).1));
    }
    require_theme(name).map_err(|why| Error::new("--theme", format!("{name}: {why}")))?;
    Ok((name.to_owned(), Theme::parse(name, &read(Path::new(name))?)?))
}

pub(super) fn is_bundled(name: &str) -> bool {
    BUNDLED.iter().any(|(bundled, _)| *bundled == name)
}

/// Checks that a name is a bundled theme, or a theme file.
pub(super) fn require_theme(name: &str) -> std::result::Result<(), String> {
    if is_bundled(name) || Path::new(name).extension() == Some(OsStr::new("toml")) {
        return Ok(());
    }
    let names: Vec<&str> = BUNDLED.iter().map(|(name, _)| *name).collect();
    Err(format!("expected one of {}, or a .toml file", names.join(", ")))
}

/// The environment variable for `--thumbnails`.
const THUMBNAILS: &str = "ITM_EXPLORE_THUMBNAILS";

/// How to show images: the option, the variable, the setting; without any, not at all under `NO_COLOR`.
pub(super) fn image_mode(flag: Option<ImageMode>, setting: Option<ImageMode>) -> Result<ImageMode> {
    let variable = std::env::var(THUMBNAILS).ok().filter(|name| !name.is_empty());
    match (flag, variable) {
        (Some(wish), _) => Ok(wish),
        (None, Some(name)) => {
            name.parse().map_err(|why| Error::new(THUMBNAILS, format!("{name:?}: {why}")))
        }
        (None, None) => {
            let usual = if no_colour() { ImageMode::Off } else { ImageMode::Auto };
            Ok(setting.unwrap_or(usual))
        }
    }
}

pub(super) fn no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// 24-bit colours only if the terminal declares them.
pub(super) fn colours() -> Colours {
    let says = |name: &str, values: &[&str]| {
        std::env::var(name).is_ok_and(|value| values.iter().any(|known| value.contains(known)))
    };
    let has_all = says("COLORTERM", &["truecolor", "24bit"])
        || says("TERM", &["-direct", "kitty", "alacritty"]);
    if has_all { Colours::All } else { Colours::Indexed }
}

/// The keys of a file, else of `keys.toml` in the configuration folder, if it exists.
pub(super) fn keymap(own: Option<&Path>) -> Result<Keymap> {
    let usual = config::folder().map(|folder| folder.join("keys.toml"));
    let usual = usual.filter(|path| path.is_file());
    match own.or(usual.as_deref()) {
        Some(path) => Keymap::load(Some((&path.display().to_string(), &read(path)?))),
        None => Keymap::load(None),
    }
}

fn read(path: &Path) -> Result<String> {
    in_use::reads(path)?;
    std::fs::read_to_string(path).map_err(|e| Error::io(path, &e))
}
