//! A sheet of wrapped text with tones, before any colour.

use ratatui::layout::Rect;

use crate::truth::standing::Badge;
use crate::tui::action::Action;
use crate::tui::pictures::Place;
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
    /// Gallery index of the image whose picture stands beside the text.
    picture: Option<usize>,
    columns: usize,
}

/// Where the parts of a sheet are on the screen.
pub struct Parts {
    /// Columns and rows with the frame; the text may need fewer rows.
    pub outer: (u16, u16),
    /// The picture, if there is one.
    pub picture: Rect,
    /// Columns and rows of the text.
    pub text: (u16, u16),
}

/// Widest text that is comfortable to read.
const WIDEST: u16 = 96;
/// Narrower sheets have the picture above the text.
const SIDE_BY_SIDE: u16 = 76;
/// Widest text beside a picture.
const WIDEST_BESIDE: u16 = 52;

impl Sheet {
    /// An empty sheet for a terminal of this size.
    pub fn new(opened_by: Action, title: impl Into<String>, size: (u16, u16)) -> Self {
        Sheet::beside(None, opened_by, title, size)
    }

    /// The same beside the picture of an image, as large as the terminal allows.
    pub fn beside(
        picture: Option<usize>,
        opened_by: Action,
        title: impl Into<String>,
        size: (u16, u16),
    ) -> Self {
        let mut sheet = Sheet {
            opened_by,
            title: title.into(),
            lines: Vec::new(),
            offset: 0,
            picture,
            columns: 1,
        };
        sheet.columns = usize::from(sheet.parts(size).text.0).max(1);
        sheet
    }

    /// Where its parts are on a terminal of this size.
    pub fn parts(&self, size: (u16, u16)) -> Parts {
        if self.picture.is_none() {
            let outer = Self::outer(size);
            return Parts {
                outer,
                picture: Rect::default(),
                text: (outer.0.saturating_sub(4), outer.1.saturating_sub(2)),
            };
        }
        let margin = |cells: u16, least: u16| if cells < least { cells } else { cells - 2 };
        let outer = (margin(size.0, 60), margin(size.1, 16));
        let (x, y) = ((size.0 - outer.0) / 2 + 1, (size.1 - outer.1) / 2 + 1);
        let inner = (outer.0.saturating_sub(2), outer.1.saturating_sub(2));
        let mut picture = Rect::new(x, y, inner.0, inner.1);
        let text = if inner.0 < SIDE_BY_SIDE {
            picture.height = inner.1 * 3 / 5;
            (inner.0.saturating_sub(2), inner.1 - picture.height)
        } else {
            let columns = (inner.0 * 2 / 5).min(WIDEST_BESIDE);
            picture.width = inner.0 - columns - 2;
            (columns, inner.1)
        };
        Parts {
            outer,
            picture,
            text,
        }
    }

    /// The picture and its place, if it has one.
    pub fn place(&self, size: (u16, u16)) -> Option<Place> {
        let area = self.parts(size).picture;
        let image = self.picture.filter(|_| area.area() > 0)?;
        Some(Place { area, image })
    }

    /// Columns and rows of a sheet of text with its frame, before it is known how long it is.
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
        let shown = usize::from(self.parts(size).text.1);
        let last = self.lines.len().saturating_sub(shown);
        let to = i64::try_from(self.offset).unwrap_or(i64::MAX) + i64::from(by);
        self.offset = usize::try_from(to.max(0)).unwrap_or(usize::MAX).min(last);
    }
}
