//! Where the parts of every screen are: for drawing, paging and the mouse alike.

use ratatui::layout::Rect;

/// The parts that all screens have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frame {
    /// What is looked at and the two numbers.
    pub header: Rect,
    /// What the screen shows.
    pub body: Rect,
    /// Keys, search line, messages.
    pub footer: Rect,
}

/// Below this the screen says so and draws nothing else.
const LEAST: (u16, u16) = (40, 8);

/// The parts of a terminal of this size; all are empty where it is too small.
pub fn frame((width, height): (u16, u16)) -> Frame {
    if width < LEAST.0 || height < LEAST.1 {
        return Frame::default();
    }
    let head = if height >= 12 { 2 } else { 1 };
    Frame {
        header: Rect::new(0, 0, width, head),
        body: Rect::new(0, head, width, height - head - 1),
        footer: Rect::new(0, height - 1, width, 1),
    }
}

impl Frame {
    /// Whether the terminal is too small for anything.
    pub fn is_too_small(&self) -> bool {
        self.footer.height == 0
    }
}

/// Two parts beside each other, the left one of so many columns.
pub fn split(area: Rect, left: u16) -> (Rect, Rect) {
    let right = Rect { x: area.x + left, width: area.width - left, ..area };
    (Rect { width: left, ..area }, right)
}

/// Two parts above each other, the lower one of so many rows.
pub fn stack(area: Rect, below: u16) -> (Rect, Rect) {
    let above = Rect { height: area.height - below, ..area };
    let lower = Rect { y: above.bottom(), height: below, ..area };
    (above, lower)
}

/// Rows for entries in a framed list with so many lines of column names.
pub fn rows(list: Rect, names: u16) -> usize {
    usize::from(list.height.saturating_sub(2 + names))
}

/// The entry's row at a place of the screen, in a framed list with so many lines of column names.
pub fn row_at(list: Rect, names: u16, x: u16, y: u16) -> Option<usize> {
    let top = list.y + 1 + names;
    let inside = x > list.x && x + 1 < list.right() && y >= top && y + 1 < list.bottom();
    inside.then(|| usize::from(y - top))
}

/// The least scrolling from `offset` that brings `selected` into `rows` rows.
pub fn follow(offset: usize, selected: usize, rows: usize) -> usize {
    let rows = rows.max(1);
    offset.clamp((selected + 1).saturating_sub(rows), selected)
}
