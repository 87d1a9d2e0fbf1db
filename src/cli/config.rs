//! What a person set once: the folder of keys and of `config.toml`.

use std::path::PathBuf;

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::session::Annotator;

/// Who a person is where nothing tells.
const NOBODY: &str = "me";

/// Fields that other versions read are left alone.
#[derive(Deserialize)]
struct Config {
    annotator: Option<String>,
}

/// `$XDG_CONFIG_HOME/itm-explore`, or where it is by default.
pub(super) fn folder() -> Option<PathBuf> {
    let base = match std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".config"),
    };
    Some(base.join("itm-explore"))
}

/// Who gives verdicts: as a flag says, else `annotator` in `config.toml`, else `$USER`, else `me`.
///
/// # Errors
/// A name without letters; a `config.toml` that cannot be read.
pub(super) fn annotator(flag: Option<&str>) -> Result<Annotator> {
    let chosen = |name: String| Annotator {
        name,
        is_chosen: true,
    };
    if let Some(name) = flag {
        return Ok(chosen(checked("--annotator", name)?));
    }
    let path = folder().map(|folder| folder.join("config.toml"));
    if let Some(path) = path.filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(&path).map_err(|e| Error::io(&path, &e))?;
        let file = path.display().to_string();
        if let Some(name) = parse(&file, &text)? {
            return Ok(chosen(checked(&file, &name)?));
        }
    }
    let user = std::env::var("USER").ok();
    let user = user.filter(|user| !user.trim().is_empty());
    Ok(Annotator {
        name: user.unwrap_or_else(|| NOBODY.to_owned()),
        is_chosen: false,
    })
}

fn parse(file: &str, text: &str) -> Result<Option<String>> {
    let read: std::result::Result<Config, _> = toml::from_str(text);
    let wrong = |e: toml::de::Error| {
        Error::new(file, e.to_string().trim_end().replace('\n', "; "))
            .expected("annotator = \"NAME\"")
    };
    Ok(read.map_err(wrong)?.annotator)
}

fn checked(subject: &str, name: &str) -> Result<String> {
    match name.trim() {
        "" => Err(Error::new(subject, "an annotator without a name").expected("a name")),
        name => Ok(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_goes_first_and_broken_files_are_told() {
        let named = annotator(Some(" mk ")).unwrap();
        assert_eq!((named.name.as_str(), named.is_chosen), ("mk", true));
        assert!(annotator(Some(" ")).is_err());
        let name = parse("config.toml", "theme = 3\nannotator = \"anna\"").unwrap();
        assert_eq!(name.as_deref(), Some("anna"));
        assert_eq!(parse("config.toml", "").unwrap(), None);
        let error = parse("config.toml", "annotator = 3")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("config.toml") && error.contains("line 1"),
            "{error}"
        );
    }
}
