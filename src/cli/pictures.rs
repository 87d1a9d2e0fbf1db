//! How pictures are to be shown: by flag, by variable, or as the terminal can.

use crate::error::{Error, Result};
use crate::tui::pictures::ImageMode;

/// The variable that stands in for the flag.
const VARIABLE: &str = "ITM_EXPLORE_PICTURES";

/// The wish of a flag, or else of the variable, or else of a setting; no pictures where no colours are wanted.
pub(super) fn image_mode(flag: Option<ImageMode>, setting: Option<ImageMode>) -> Result<ImageMode> {
    if let Some(wish) = flag {
        return Ok(wish);
    }
    match std::env::var(VARIABLE) {
        Ok(name) if !name.is_empty() => {
            let wish = name.parse();
            wish.map_err(|why| Error::new(VARIABLE, format!("{name:?}: {why}")))
        }
        _ => Ok(setting.unwrap_or(if no_colour() { ImageMode::Off } else { ImageMode::Auto })),
    }
}

/// Whether the environment asks for no colour: `NO_COLOR` is set and not empty.
pub(super) fn no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}
