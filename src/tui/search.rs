//! The search over queries: what is typed, and what was found.

use tui_input::{Input, InputRequest};

use super::app::{App, Effect};
use super::keymap::{Code, Key};
use super::overlay::Overlay;
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

/// Applies a key to a line of text; whether it was one for editing.
pub fn edit(input: &mut Input, key: Key) -> bool {
    let request = match (key.code, key.ctrl) {
        (Code::Char(c), false) if !key.alt => InputRequest::InsertChar(c),
        (Code::Char('u'), true) => InputRequest::DeleteLine,
        (Code::Char('w'), true) => InputRequest::DeletePrevWord,
        (Code::Char('a'), true) | (Code::Named("Home"), _) => InputRequest::GoToStart,
        (Code::Char('e'), true) | (Code::Named("End"), _) => InputRequest::GoToEnd,
        (Code::Named("Backspace"), _) => InputRequest::DeletePrevChar,
        (Code::Named("Delete"), _) => InputRequest::DeleteNextChar,
        (Code::Named("Left"), _) => InputRequest::GoToPrevChar,
        (Code::Named("Right"), _) => InputRequest::GoToNextChar,
        _ => return false,
    };
    input.handle(request);
    true
}

/// Puts pasted text into a line, on one line and without control characters.
pub fn insert(input: &mut Input, text: &str) {
    for c in crate::data::text::shown(text).chars() {
        input.handle(InputRequest::InsertChar(c));
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
        if self.search.typing {
            insert(&mut self.search.input, text);
            return;
        }
        match &mut self.overlay {
            Some(Overlay::Note(note)) => note.paste(text),
            Some(Overlay::Order(order)) => order.paste(text),
            Some(Overlay::Pick(line)) => line.paste(text),
            Some(Overlay::Export(form)) => form.paste(text),
            _ => {}
        }
    }
}
