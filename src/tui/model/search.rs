//! The search over queries: what is typed, and what was found.

use tui_input::Input;

use crate::data::Direction;
use crate::engine::search::SearchMatches;

/// The search line and its result.
#[derive(Debug, Default)]
pub struct Search {
    pub(in crate::tui) input: Input,
    pub(in crate::tui) typing: bool,
    pub(in crate::tui) found: Option<SearchMatches>,
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
