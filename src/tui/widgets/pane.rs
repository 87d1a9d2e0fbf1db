//! A framed part of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::hits::Target;
use super::segments::{Segment, Segments};
use super::text;
use crate::tui::theme::Theme;
use crate::tui::ui::Ui;

/// Draws a frame with a title and gives the area inside.
pub fn frame(
    title: &str,
    note: &str,
    focus: bool,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Rect {
    let plain = |title: &str, look| vec![Span::styled(title.to_owned(), look)];
    titled((title, plain), note, focus, theme, area, buf)
}

/// The same with the pieces of a title, as much of it as there is room for, that has a look.
pub fn titled(
    (title, pieces): (&str, impl FnOnce(&str, Style) -> Vec<Span<'static>>),
    note: &str,
    focus: bool,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Rect {
    let room = usize::from(area.width).saturating_sub(4);
    let style = title_style(focus, theme);
    let mut words = vec![Span::styled(" ", style)];
    words.extend(pieces(&text::fit(title, room), style));
    words.push(Span::styled(" ", style));
    let mut segments = vec![Segment::new(2, words)];
    if !note.is_empty() {
        segments.push(Segment::new(1, Line::styled(format!(" {note} "), theme.dim)).right());
    }
    headed(&Segments(segments), focus, theme, area, buf)
}

/// Draws a frame with a line of segments as its title and gives the area inside.
pub fn headed(title: &Segments, focus: bool, theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
    let border: Style = if focus { theme.focus.into() } else { theme.border.into() };
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(border);
    let inner = block.inner(area);
    block.render(area, buf);
    let top = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    title.paint(top, buf);
    inner
}

/// The look of a frame's title.
pub fn title_style(focus: bool, theme: &Theme) -> Style {
    if focus { theme.focus.into() } else { theme.title.into() }
}

/// Clears the middle of the screen for something on top; `size` is a wish. Gives the area inside.
pub fn popup(
    title: &str,
    note: &str,
    size: (u16, u16),
    ui: &Ui,
    screen: Rect,
    buf: &mut Buffer,
) -> Rect {
    let (width, height) = (size.0.min(screen.width), size.1.min(screen.height));
    let x = screen.x + (screen.width - width) / 2;
    let y = screen.y + (screen.height - height) / 2;
    let area = Rect::new(x, y, width, height);
    Clear.render(area, buf);
    buf.set_style(area, ui.theme.base);
    ui.hit(area, Target::Popup);
    frame(title, note, true, &ui.theme, area, buf)
}

/// Draws `lines` from `offset` on.
pub fn lines(lines: &[Line<'_>], offset: usize, area: Rect, buf: &mut Buffer) {
    for (line, y) in lines.iter().skip(offset).zip(area.top()..area.bottom()) {
        buf.set_line(area.x, y, line, area.width);
    }
}

/// As many lines as there is room for; the last one says that there are more.
pub fn fitting(mut lines: Vec<Line<'static>>, room: usize) -> Vec<Line<'static>> {
    if lines.len() > room {
        lines.truncate(room);
        if let Some(last) = lines.last_mut() {
            last.push_span(" …");
        }
    }
    lines
}

/// Draws lines wrapped, with a free column at both sides. With each goes the number of blanks before its continuation.
pub fn wrapped(
    lines: impl IntoIterator<Item = (Line<'static>, usize)>,
    area: Rect,
    buf: &mut Buffer,
) {
    let area = area.inner(Margin::new(1, 0));
    let wrap = |(line, hang): (Line, usize)| text::wrap_line(&line, area.width.into(), hang);
    let lines = lines.into_iter().flat_map(wrap).collect();
    self::lines(&fitting(lines, area.height.into()), 0, area, buf);
}

/// Marks the selected row of a list; more strongly where keys go to it.
pub fn mark(focus: bool, theme: &Theme, row: Rect, buf: &mut Buffer) {
    buf.set_style(row, if focus { theme.selected } else { theme.marked });
}

/// How far a list is scrolled.
#[derive(Debug, Clone, Copy)]
pub struct Scroll {
    /// Lines before the first one shown.
    pub offset: usize,
    /// Lines shown.
    pub shown: usize,
    /// All lines.
    pub total: usize,
}

/// Marks on the border right of `area` how far its list is scrolled.
pub fn scrollbar(scroll: Scroll, focus: bool, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let Scroll { offset, shown, total } = scroll;
    let height = usize::from(area.height);
    if total <= shown || height < 3 {
        return;
    }
    let style: Style = if focus { theme.focus.into() } else { theme.border.into() };
    let length = (height * shown / total).max(1);
    let start = offset * (height - length) / (total - shown).max(1);
    for at in start..(start + length).min(height) {
        if let Some(cell) = buf.cell_mut((area.right(), area.y + at as u16)) {
            cell.set_symbol("┃").set_style(style);
        }
    }
}
