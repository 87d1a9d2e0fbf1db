//! The search over queries: what is typed, and what was found.

use tui_input::Input;

use super::app::{App, Effect};
use super::backend::AppJob;
use super::keymap::{Code, Key};
use super::line::{LONGEST, edit, insert};
use super::popups::Pasted;
use super::screens::Screen;
use crate::data::Direction;
use crate::engine::search::SearchMatches;
use crate::engine::{Searching, Wanted};

/// The search line and its result.
#[derive(Debug, Default)]
pub struct Search {
    input: Input,
    typing: bool,
    found: Option<SearchMatches>,
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

    /// The matching queries; `None` without a search or before its result is there.
    pub fn found(&self, direction: Direction) -> Option<&SearchMatches> {
        self.found
            .as_ref()
            .filter(|f| f.direction == direction && f.text == self.text())
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

impl AppJob for Searching {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let (search, direction) = (&app.search, app.view.direction);
        let is_missing = !search.text().is_empty() && search.found(direction).is_none();
        let key = (direction, search.text().to_owned());
        is_missing.then(|| Wanted::one(key, || app.study.clone()))
    }

    fn take(app: &mut App, _: (Direction, String), found: SearchMatches) {
        app.search.found = Some(found);
        app.browse_from_top();
        app.browse_refresh();
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
