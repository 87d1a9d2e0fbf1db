//! A framed part of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::text;
use crate::tui::theme::Theme;

/// Draws a frame with a title and gives the area inside.
pub fn frame(
    title: &str,
    note: &str,
    focus: bool,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Rect {
    let border: Style = if focus {
        theme.focus.into()
    } else {
        theme.border.into()
    };
    let room = usize::from(area.width).saturating_sub(4);
    let title = text::fit(title, room);
    let left = room.saturating_sub(text::width(&title) + 2);
    let note = if text::width(note) <= left { note } else { "" };
    let mut block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(border);
    let title_style: Style = if focus {
        theme.focus.into()
    } else {
        theme.title.into()
    };
    block = block.title(Line::from(Span::styled(format!(" {title} "), title_style)));
    if !note.is_empty() {
        let note = Span::styled(format!(" {note} "), Style::from(theme.dim));
        block = block.title(Line::from(note).right_aligned());
    }
    let inner = block.inner(area);
    block.render(area, buf);
    inner
}

/// Clears the middle of the screen for something on top; `size` is a wish. Gives the area inside.
pub fn popup(
    title: &str,
    note: &str,
    size: (u16, u16),
    theme: &Theme,
    screen: Rect,
    buf: &mut Buffer,
) -> Rect {
    let (width, height) = (size.0.min(screen.width), size.1.min(screen.height));
    let x = screen.x + (screen.width - width) / 2;
    let y = screen.y + (screen.height - height) / 2;
    let area = Rect::new(x, y, width, height);
    Clear.render(area, buf);
    buf.set_style(area, theme.base);
    frame(title, note, true, theme, area, buf)
}

/// Draws `lines` from `offset` on.
pub fn lines(lines: &[Line<'_>], offset: usize, area: Rect, buf: &mut Buffer) {
    for (line, y) in lines.iter().skip(offset).zip(area.top()..area.bottom()) {
        buf.set_line(area.x, y, line, area.width);
    }
}

/// Marks on the right border how far a list is scrolled.
pub fn scrollbar(
    offset: usize,
    shown: usize,
    total: usize,
    style: Style,
    area: Rect,
    buf: &mut Buffer,
) {
    let height = usize::from(area.height);
    if total <= shown || height < 3 {
        return;
    }
    let length = (height * shown / total).max(1);
    let start = offset * (height - length) / (total - shown).max(1);
    for at in start..(start + length).min(height) {
        let cell = (area.right(), area.y + at as u16);
        if let Some(cell) = buf.cell_mut(cell) {
            cell.set_symbol("┃").set_style(style);
        }
    }
}
