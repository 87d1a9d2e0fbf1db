//! Personal settings: the configuration folder, and the settings of its `config.toml`. Command-line options take
//! precedence. `docs/keys.md` shows every setting.

use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::appearance::{self, is_bundled};
use crate::data::in_use;
use crate::error::{Error, Result};
use crate::session::Annotator;
use crate::tui::thumbnails::ImageMode;

/// Annotator if neither options, settings nor `$USER` name one.
const ANONYMOUS: &str = "me";

/// The settings of `config.toml`.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    #[serde(deserialize_with = "annotator_name")]
    annotator: Option<String>,
    /// Name of a bundled theme, or path of a theme file.
    #[serde(deserialize_with = "theme")]
    pub theme: Option<String>,
    /// File of key bindings.
    pub keys: Option<PathBuf>,
    #[serde(deserialize_with = "thumbnails")]
    pub thumbnails: Option<ImageMode>,
    /// Whether the explorer uses the mouse.
    pub mouse: Option<bool>,
    /// Whether to reload changed files.
    pub reload: Option<bool>,
}

/// The configuration folder, `$XDG_CONFIG_HOME/itm-explore` or `~/.config/itm-explore`; `None` if
/// neither `$XDG_CONFIG_HOME` nor `$HOME` is set.
pub(super) fn folder() -> Option<PathBuf> {
    let base = match std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".config"),
    };
    Some(base.join("itm-explore"))
}

/// Deserializes a string and parses it for an optional setting, always `Some`; errors quote the string.
fn parse_string<'de, D: Deserializer<'de>, T>(
    source: D,
    parse: impl FnOnce(&str) -> std::result::Result<T, String>,
) -> std::result::Result<Option<T>, D::Error> {
    let text = String::deserialize(source)?;
    parse(&text).map(Some).map_err(|why| D::Error::custom(format!("{text:?}: {why}")))
}

/// Deserializes the name of an annotator, which must not be blank.
fn annotator_name<'de, D: Deserializer<'de>>(
    source: D,
) -> std::result::Result<Option<String>, D::Error> {
    parse_string(source, non_blank)
}

/// Deserializes a name of a bundled theme or of a theme file.
fn theme<'de, D: Deserializer<'de>>(source: D) -> std::result::Result<Option<String>, D::Error> {
    parse_string(source, |name| appearance::require_theme(name).map(|()| name.to_owned()))
}

/// Deserializes how to show images.
fn thumbnails<'de, D: Deserializer<'de>>(
    source: D,
) -> std::result::Result<Option<ImageMode>, D::Error> {
    parse_string(source, str::parse)
}

/// The name without blanks around it, or why it is invalid.
fn non_blank(name: &str) -> std::result::Result<String, String> {
    match name.trim() {
        "" => Err("expected a name".to_owned()),
        name => Ok(name.to_owned()),
    }
}

impl Settings {
    /// The settings of `config.toml`; defaults if there is no such file.
    ///
    /// # Errors
    /// A file that cannot be read; an unknown key or value, with its line.
    pub(super) fn read() -> Result<Self> {
        let path = folder().map(|folder| folder.join("config.toml"));
        let Some(path) = path.filter(|path| path.is_file()) else {
            return Ok(Settings::default());
        };
        in_use::note_input(&path)?;
        let text = std::fs::read_to_string(&path).map_err(|e| Error::io(&path, &e))?;
        Self::parse(&path, &text)
    }

    /// Parses settings; paths in them are relative to the folder of `path`.
    fn parse(path: &Path, text: &str) -> Result<Self> {
        let mut settings: Settings =
            toml::from_str(text).map_err(|error| Error::toml(path.display(), &error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        settings.keys = settings.keys.map(|keys| folder.join(keys));
        if let Some(theme) = settings.theme.as_mut().filter(|theme| !is_bundled(theme)) {
            *theme = folder.join(&*theme).to_string_lossy().into_owned();
        }
        Ok(settings)
    }

    /// The annotator: the name of the option, else `annotator` in `config.toml`, else `$USER`, else `me`.
    ///
    /// # Errors
    /// A blank name.
    pub(super) fn annotator(&self, option: Option<&str>) -> Result<Annotator> {
        let chosen = option.map(|name| {
            non_blank(name).map_err(|why| Error::new("--annotator", "a blank name").expected(why))
        });
        if let Some(name) = chosen.transpose()?.or_else(|| self.annotator.clone()) {
            return Ok(Annotator { name, is_chosen: true });
        }
        let user = std::env::var("USER").ok().filter(|user| !user.trim().is_empty());
        Ok(Annotator { name: user.unwrap_or_else(|| ANONYMOUS.to_owned()), is_chosen: false })
    }
}

/// [`Settings::annotator`] by the settings in `config.toml`, which is read only without the option.
///
/// # Errors
/// A blank name; a `config.toml` that cannot be read.
pub(super) fn annotator(option: Option<&str>) -> Result<Annotator> {
    let settings = if option.is_some() { Settings::default() } else { Settings::read()? };
    settings.annotator(option)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Settings> {
        Settings::parse(Path::new("/home/config.toml"), text)
    }

    #[test]
    fn settings_are_read_and_the_flag_goes_first() {
        let named = annotator(Some(" mk ")).unwrap();
        assert_eq!((named.name.as_str(), named.is_chosen), ("mk", true));
        assert!(annotator(Some(" ")).is_err());
        let settings = parse("annotator = \"anna\"\nkeys = \"own.toml\"\nmouse = false").unwrap();
        assert_eq!(settings.annotator.as_deref(), Some("anna"));
        assert_eq!(settings.keys, Some("/home/own.toml".into()));
        assert_eq!(settings.mouse, Some(false));
        assert_eq!(parse("").unwrap(), Settings::default());
        let themes = ["nord", "own.toml"].map(|name| parse(&format!("theme = {name:?}")));
        let themes = themes.map(|settings| settings.unwrap().theme.unwrap());
        assert_eq!(themes, ["nord", "/home/own.toml"]);
    }

    #[test]
    fn a_wrong_setting_is_told_with_its_place_and_what_is_expected() {
        for (text, parts) in [
            ("annotator = 3", &["config.toml: ", "line 1, column 13"][..]),
            ("annotator = \" \"", &["annotator", "line 1", "expected a name"]),
            ("thumbnails = \"halfblock\"", &["line 1", "\"halfblock\"", "halfblocks"]),
            ("mouse = true\ntheme = nord", &["line 2"]),
            ("mouse = true\ntheme = \"norrd\"", &["config.toml: ", "line 2", "nord"]),
            ("# mine\nthem = \"dark\"", &["line 2", "them", "annotator", "theme"]),
            ("[colours]\na = 1", &["line 1", "colours"]),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
        }
    }

    #[test]
    fn the_documented_settings_are_all_there_are() {
        let docs = include_str!("../../docs/keys.md");
        let block = docs.split("```").find(|block| block.contains("annotator = ")).unwrap();
        let settings = parse(block.strip_prefix("toml").unwrap()).unwrap();
        let Settings { theme, keys, thumbnails, reload, .. } = settings;
        assert!(theme.is_some() && keys.is_some());
        assert!(thumbnails.is_some() && reload.is_some());
    }
}
