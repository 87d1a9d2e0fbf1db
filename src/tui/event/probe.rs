//! Asks the terminal which pictures it can show.

use ratatui_image::picker::Picker;
use ratatui_image::picker::cap_parser::QueryStdioOptions;

use crate::tui::pictures::{Brush, Way, Wish};

/// How long a terminal may take to answer, in milliseconds. Nearly all answer at once; one far away
/// must not be overtaken, or its answer would be taken for keys.
const PATIENCE: i32 = 1000;

/// What to paint pictures with; `None` where none are wanted. Raw mode is on, and nobody else reads the
/// terminal yet.
pub fn brush(wish: Wish) -> Option<Brush> {
    let wanted = match wish {
        Wish::Off => return None,
        Wish::Way(Way::Halfblocks) => return Some(Brush::halfblocks()),
        Wish::Auto if is_plain_tmux() => return Some(Brush::halfblocks()),
        Wish::Auto => None,
        Wish::Way(way) => Some(way),
    };
    let options = QueryStdioOptions {
        timeout_ms: PATIENCE,
        ..QueryStdioOptions::default()
    };
    let asked = Picker::from_query_stdio_with_options(options);
    let picker = asked.unwrap_or_else(|_| Picker::halfblocks());
    Some(Brush::of(picker, wanted))
}

/// Whether this is tmux, and nothing tells of a terminal around it that shows pictures: to ask through
/// tmux, its pane has to be told to let pictures through, which should not happen for nothing.
fn is_plain_tmux() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let around = [
        "KITTY_WINDOW_ID",
        "ITERM_SESSION_ID",
        "WEZTERM_EXECUTABLE",
        "GHOSTTY_RESOURCES_DIR",
    ];
    is_set("TMUX") && !around.into_iter().any(is_set)
}
