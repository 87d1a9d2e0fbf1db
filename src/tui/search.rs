//! The search over queries: what is typed, and what was found.

use tui_input::Input;

use super::app::{App, Effect};
use super::keymap::{Code, Key};
use super::line::{LONGEST, edit, insert};
use super::popups::Pasted;
use super::screens::Screen;
use crate::data::Direction;
use crate::engine::search::Found;

/// The search line and its result.
#[derive(Debug, Default)]
pub struct Search {
    input: Input,
    typing: bool,
    found: Option<Found>,
}

impl Search {
    /// Opens the line; the last text is still there.
    pub fn start(&mut self) {
        self.typing = true;
    }

    /// Whether keys go to the line.
    pub fn is_typing(&self) -> bool {
        self.typing
    }

    /// The text searched for.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// Columns from the start of the text to the cursor.
    pub fn cursor(&self) -> usize {
        self.input.visual_cursor()
    }

    /// What to search for, where something is.
    pub fn wanted(&self, direction: Direction) -> Option<(Direction, String)> {
        (!self.text().is_empty()).then(|| (direction, self.text().to_owned()))
    }

    /// The matching queries; `None` without a search or before its result is there.
    pub fn found(&self, direction: Direction) -> Option<&Found> {
        self.found
            .as_ref()
            .filter(|f| f.direction == direction && f.text == self.text())
    }

    /// Takes a result; whether it is the one waited for.
    pub fn take(&mut self, found: Found) -> bool {
        let current = found.text == self.text() && !found.text.is_empty();
        if current {
            self.found = Some(found);
        }
        current
    }

    /// Ends the search; whether there was one.
    pub fn clear(&mut self) -> bool {
        let was = !self.text().is_empty();
        *self = Search::default();
        was
    }

    /// The result is of the other direction.
    pub fn forget_results(&mut self) {
        self.found = None;
    }
}

impl App {
    /// Opens the line of the search, where what it finds is listed.
    pub(super) fn start_search(&mut self) {
        if !self.screen.has_items() {
            self.show(Screen::default());
        }
        self.search.start();
    }

    /// A key while the search line is open.
    pub(super) fn search_key(&mut self, key: Key) -> Option<Effect> {
        match (key.code, key.ctrl) {
            (Code::Named("Enter"), _) => self.search.typing = false,
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => {
                self.search.clear();
                self.browse_refresh();
            }
            (Code::Char('z'), true) => return Some(Effect::Suspend),
            (Code::Named("Down" | "Up" | "PageDown" | "PageUp"), _) => {
                if let Some(action) = self.keymap.action(key) {
                    self.screen_act(action);
                }
            }
            _ => {
                if edit(&mut self.search.input, key) && self.search.text().is_empty() {
                    self.browse_refresh();
                }
            }
        }
        None
    }

    /// Text pasted into the terminal: it goes to the line that is open, if there is one.
    pub fn paste(&mut self, text: &str) {
        let pasted = if self.search.typing {
            insert(&mut self.search.input, text).into()
        } else {
            self.popup_paste(text)
        };
        if pasted == Pasted::Cut {
            let most = crate::data::text::grouped(LONGEST);
            self.message = Some(format!("cut: a line takes {most} characters"));
        }
    }
}
