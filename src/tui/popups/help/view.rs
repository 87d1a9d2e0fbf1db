//! Draws the help: the line of the search, and what matches.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Help, Sheet};
use crate::tui::popups::sheet::line;
use crate::tui::ui::Context;
use crate::tui::widgets::pane::{self, Scroll};

/// Columns and rows of the text on a terminal of this size.
pub(super) fn room(size: (u16, u16)) -> (usize, usize) {
    let outer = Sheet::outer(size);
    let columns = usize::from(outer.0).saturating_sub(3);
    (columns, usize::from(outer.1).saturating_sub(4))
}

/// Draws the help; gives the cursor's place.
pub(super) fn draw(
    help: &Help,
    cx: Context<'_>,
    screen: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let size = (screen.width, screen.height);
    let is_empty = help.line.text().is_empty();
    let note = if is_empty { "type to search, Esc closes" } else { "Esc clears the search" };
    let (columns, rows) = room(size);
    let inner = pane::popup("help", note, Sheet::outer(size), cx.ui, screen, buf);
    if inner.height < 3 {
        return None;
    }
    let list = Rect { y: inner.y + 2, height: inner.height - 2, ..inner };
    let lines = help.lines(columns);
    let styled: Vec<Line> = lines.iter().map(|pieces| line(pieces, cx)).collect();
    pane::lines(&styled, help.offset, list, buf);
    let scroll = Scroll { offset: help.offset, shown: rows, total: lines.len() };
    pane::scrollbar(scroll, true, cx.theme, list, buf);
    let row = Rect { height: 1, ..inner };
    help.line.draw(" search: ", ("", cx.theme.dim), row, cx.theme, buf)
}
