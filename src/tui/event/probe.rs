//! Asks the terminal which pictures it can show.

use ratatui_image::picker::Picker;
use ratatui_image::picker::cap_parser::QueryStdioOptions;

use super::ahead;
use crate::tui::keymap::Key;
use crate::tui::pictures::{ImageBackend, ImageMode, Way};

/// How long a terminal that does answer may take, in milliseconds.
const PATIENCE: i32 = 1000;

/// What the terminal shows pictures with, and the keys pressed before that was known.
pub struct Probed {
    /// `None` where no pictures are wanted.
    pub backend: Option<ImageBackend>,
    /// In the order in which they were pressed.
    pub keys: Vec<Key>,
}

/// Finds out what to paint pictures with. Raw mode is on, and nobody else reads the terminal yet. A
/// terminal that does not even say what it is, as under a script, is asked nothing else: what it would
/// answer too late would be taken for keys.
pub fn probe(mode: ImageMode) -> Probed {
    let known = |backend| Probed { backend, keys: Vec::new() };
    let wanted = match mode {
        ImageMode::Off => return known(None),
        ImageMode::Way(Way::Halfblocks) => return known(Some(ImageBackend::halfblocks())),
        ImageMode::Auto if is_plain_tmux() => return known(Some(ImageBackend::halfblocks())),
        ImageMode::Auto => None,
        ImageMode::Way(way) => Some(way),
    };
    let (answers, keys) = ahead::answers();
    let backend =
        if answers || wanted.is_some() { asked(wanted) } else { ImageBackend::halfblocks() };
    Probed { backend: Some(backend), keys }
}

/// The best way that the terminal has, or the one wanted, with the pixels of its cells.
fn asked(wanted: Option<Way>) -> ImageBackend {
    let options = QueryStdioOptions { timeout_ms: PATIENCE, ..QueryStdioOptions::default() };
    let asked = Picker::from_query_stdio_with_options(options);
    let picker = asked.unwrap_or_else(|_| Picker::halfblocks());
    ImageBackend::of(picker, wanted)
}

/// Whether this is tmux, and nothing tells of a terminal around it that shows pictures: to ask through
/// tmux, its pane has to be told to let pictures through, which should not happen for nothing.
fn is_plain_tmux() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let around =
        ["KITTY_WINDOW_ID", "ITERM_SESSION_ID", "WEZTERM_EXECUTABLE", "GHOSTTY_RESOURCES_DIR"];
    is_set("TMUX") && !around.into_iter().any(is_set)
}
