//! A sheet of wrapped text with tones, before any colour.

use crate::truth::standing::Badge;
use crate::tui::action::Action;
use crate::tui::widgets::text;

/// What a piece of text is, for the theme to style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Ordinary.
    Base,
    /// Of less weight.
    Dim,
    /// A heading.
    Title,
    /// A key.
    Key,
    /// Something to look at.
    Warning,
    /// A badge's sign or name.
    Badge(Badge),
}

/// Text of one tone.
pub type Piece = (Tone, String);

/// Text to read.
pub struct Sheet {
    /// The action that opens it.
    pub opened_by: Action,
    /// Its heading.
    pub title: String,
    /// Wrapped lines.
    pub lines: Vec<Vec<Piece>>,
    /// The first line shown.
    pub offset: usize,
    columns: usize,
}

/// Widest text that is comfortable to read.
const WIDEST: u16 = 96;

impl Sheet {
    /// An empty sheet for a terminal of this size.
    pub fn new(opened_by: Action, title: impl Into<String>, size: (u16, u16)) -> Self {
        let columns = usize::from(Self::outer(size).0.saturating_sub(4)).max(1);
        Sheet {
            opened_by,
            title: title.into(),
            lines: Vec::new(),
            offset: 0,
            columns,
        }
    }

    /// Columns and rows of the sheet with its frame, before it is known how long the text is.
    pub fn outer(size: (u16, u16)) -> (u16, u16) {
        let width = if size.0 < 60 {
            size.0
        } else {
            (size.0 - 4).min(WIDEST)
        };
        let height = if size.1 < 16 { size.1 } else { size.1 - 2 };
        (width, height)
    }

    /// Columns for text.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Adds a line as it is.
    pub fn line(&mut self, pieces: Vec<Piece>) {
        self.lines.push(pieces);
    }

    /// Adds an empty line, unless it would be the first.
    pub fn gap(&mut self) {
        if !self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
    }

    /// Adds a heading.
    pub fn heading(&mut self, heading: impl Into<String>) {
        self.line(vec![(Tone::Title, heading.into())]);
    }

    /// Adds wrapped text, indented.
    pub fn paragraph(&mut self, tone: Tone, indent: usize, content: &str) {
        for wrapped in text::wrap(content, self.columns.saturating_sub(indent)) {
            self.line(vec![(tone, format!("{}{wrapped}", " ".repeat(indent)))]);
        }
    }

    /// Scrolls within the text.
    pub fn scroll(&mut self, by: i32, size: (u16, u16)) {
        let shown = usize::from(Self::outer(size).1.saturating_sub(2));
        let last = self.lines.len().saturating_sub(shown);
        let to = i64::try_from(self.offset).unwrap_or(i64::MAX) + i64::from(by);
        self.offset = usize::try_from(to.max(0)).unwrap_or(usize::MAX).min(last);
    }
}
