//! The search over queries: what is typed, and what was found.

use crate::data::Direction;
use crate::engine::search::SearchMatches;
use crate::tui::widgets::prompt::PromptLine;

/// The search line and its result.
#[derive(Debug, Default)]
pub struct Search {
    pub(in crate::tui) line: PromptLine,
    /// Whether keys go to the line.
    is_typing: bool,
    pub(in crate::tui) found: Option<SearchMatches>,
    /// What the last search found, once it has ended.
    last: Option<SearchMatches>,
    /// Whether the selected query stays as the matches come: they are of a search that was there before.
    pub(in crate::tui::model) is_resumed: bool,
}

impl Search {
    /// Searches again for what was searched for before the study was opened, or opened once more.
    pub(in crate::tui::model) fn resume(&mut self) {
        self.found = None;
        self.is_resumed = !self.text().is_empty();
    }

    /// Opens the line; the last text is still there.
    pub fn start(&mut self) {
        self.is_typing = true;
        self.line = PromptLine::new(self.text().to_owned());
    }

    /// Ends the line; what it found stays.
    pub(in crate::tui) fn enter(&mut self) {
        self.is_typing = false;
    }

    /// Whether keys go to the line.
    pub fn is_typing(&self) -> bool {
        self.is_typing
    }

    /// The text searched for.
    pub fn text(&self) -> &str {
        self.line.text()
    }

    /// The matching queries; `None` without a search or before its result is there.
    pub fn found(&self, direction: Direction) -> Option<&SearchMatches> {
        self.found.as_ref().filter(|f| f.direction == direction && f.text == self.text())
    }

    /// The queries among which the next match is looked for: those of the search, or of the last one that ended.
    pub fn matches(&self, direction: Direction) -> Option<&SearchMatches> {
        if !self.text().is_empty() {
            return self.found(direction);
        }
        let last = self.last.as_ref();
        last.filter(|last| last.direction == direction)
    }

    /// Ends the search; whether there was one. What it found stays known, unless it was still typed.
    pub fn clear(&mut self) -> bool {
        let was = !self.text().is_empty();
        let found = self.found.take().filter(|_| !self.is_typing);
        *self = Search { last: found.or(self.last.take()), ..Search::default() };
        was
    }

    /// The result is of the other direction.
    pub fn forget_results(&mut self) {
        self.found = None;
    }
}
