//! Frames, popups, lines cut to their area, the selected row, and the scroll bar.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::hits::Target;
use crate::tui::context::Ui;
use crate::tui::theme::Theme;

/// Draws a frame with a title, and a note at the right if there is room. Returns the area inside.
pub fn draw_frame<'t>(
    title: impl Into<Line<'t>>,
    note: &str,
    focus: bool,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Rect {
    let title = title.into();
    let (border, look) =
        if focus { (theme.focus, theme.focus) } else { (theme.border, theme.title) };
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(border);
    let inner = block.inner(area);
    block.render(area, buf);
    let width = (title.width() as u16).min(area.width.saturating_sub(4));
    let title_area = Rect { x: area.x + 2, width, height: 1, ..area };
    for x in [area.x + 1, area.x + 2 + width] {
        buf.set_stringn(x, area.y, " ", area.right().saturating_sub(x).into(), look);
    }
    draw_line(&title.style(look), false, title_area, buf);
    let note = Line::styled(format!(" {note} "), theme.dim);
    let room = area.width.saturating_sub(width + 4);
    if note.width() > 2 && note.width() as u16 <= room {
        let x = area.right() - 1 - note.width() as u16;
        buf.set_line(x, area.y, &note, room);
    }
    inner
}

/// Draws a line into a row of cells, with an ellipsis if it is cut. `is_right`: right-aligned.
pub fn draw_line(line: &Line<'_>, is_right: bool, cell: Rect, buf: &mut Buffer) {
    let before = if is_right { cell.width.saturating_sub(line.width() as u16) } else { 0 };
    let (end, _) = buf.set_line(cell.x + before, cell.y, line, cell.width - before);
    // Most lines are shorter than the cell: only others are measured.
    if cell.width > 0 && end + 1 >= cell.right() && line.width() > usize::from(cell.width) {
        let (x, y) = buf.set_line(cell.x, cell.y, line, cell.width - 1);
        let style = line.spans.last().map_or(line.style, |last| line.style.patch(last.style));
        buf.set_string(x, y, "…", style);
    }
}

/// Draws the empty frame of a popup in the middle of the body, and dims the rest. `size`: columns and rows, limited to
/// the body. Returns the area inside.
pub fn draw_popup(
    title: &str,
    note: &str,
    size: (u16, u16),
    ui: &Ui,
    body: Rect,
    buf: &mut Buffer,
) -> Rect {
    let (width, height) = (size.0.min(body.width), size.1.min(body.height));
    let x = body.x + (body.width - width) / 2;
    let y = body.y + (body.height - height) / 2;
    dim(&ui.theme, body, buf);
    let area = Rect::new(x, y, width, height);
    Clear.render(area, buf);
    buf.set_style(area, ui.theme.base);
    ui.add_target(area, Target::Popup);
    draw_frame(title, note, true, &ui.theme, area, buf)
}

/// Mixes the colours of an area half and half with the background; without a background colour, dims the text.
fn dim(theme: &Theme, area: Rect, buf: &mut Buffer) {
    let background = Style::from(theme.base).bg;
    let halved = |colour: Color| match (colour, background) {
        (Color::Rgb(r, g, b), Some(Color::Rgb(red, green, blue))) => {
            Color::Rgb(r.midpoint(red), g.midpoint(green), b.midpoint(blue))
        }
        _ => colour,
    };
    for position in area.intersection(buf.area).positions() {
        let cell = &mut buf[position];
        (cell.fg, cell.bg) = (halved(cell.fg), halved(cell.bg));
        cell.modifier.remove(Modifier::BOLD);
        if background.is_none() {
            cell.modifier.insert(Modifier::DIM);
        }
    }
}

/// Draws as many of `lines` as fit, from index `offset` on.
pub fn draw_lines(lines: &[Line<'_>], offset: usize, area: Rect, buf: &mut Buffer) {
    for (line, y) in lines.iter().skip(offset).zip(area.top()..area.bottom()) {
        draw_line(line, false, Rect { y, height: 1, ..area }, buf);
    }
}

/// The first `rows` lines; if there are more, the last one ends with an ellipsis.
pub fn clip(mut lines: Vec<Line<'static>>, rows: usize) -> Vec<Line<'static>> {
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            last.push_span(" …");
        }
    }
    lines
}

/// Draws lines, wrapped, with a free column at both sides. Each line comes with the indent of its continuation lines.
pub fn draw_wrapped(
    lines: impl IntoIterator<Item = (Line<'static>, usize)>,
    area: Rect,
    buf: &mut Buffer,
) {
    let area = area.inner(Margin::new(1, 0));
    let wrap = |(line, hang): (Line, usize)| super::text::wrap_line(&line, area.width.into(), hang);
    let lines = lines.into_iter().flat_map(wrap).collect();
    draw_lines(&clip(lines, area.height.into()), 0, area, buf);
}

/// Highlights the selected row of a list, more strongly if it has focus. Dim text is not dim there.
pub fn mark_row(focus: bool, theme: &Theme, row: Rect, buf: &mut Buffer) {
    let (dim, base) = (Style::from(theme.dim), Style::from(theme.base));
    for position in row.intersection(buf.area).positions() {
        let cell = &mut buf[position];
        if Some(cell.fg) == dim.fg {
            cell.fg = base.fg.unwrap_or_default();
        }
        cell.modifier.remove(dim.add_modifier);
    }
    buf.set_style(row, if focus { theme.selected } else { theme.marked });
}

/// The visible part of a list or text, in entries or lines.
#[derive(Debug, Clone, Copy)]
pub struct Viewport {
    /// Number of entries before the first visible one.
    pub offset: usize,
    /// Number of visible entries.
    pub shown: usize,
    /// Number of all entries.
    pub total: usize,
}

/// Draws the scroll bar of a list on the border right of `area`; nothing if all entries are visible, or if `area` has
/// fewer than 3 rows.
pub fn draw_scrollbar(view: Viewport, focus: bool, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let Viewport { offset, shown, total } = view;
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

/// Indices of `page` entries from index `offset` on. A selected entry before them replaces the first, one after them
/// the last.
pub fn visible_entries(offset: usize, page: usize, selected: Option<usize>) -> Vec<usize> {
    let mut entries: Vec<usize> = (offset..offset + page).collect();
    match (selected, entries.as_mut_slice()) {
        (Some(selected), [nearest, ..]) if selected < offset => *nearest = selected,
        (Some(selected), [.., nearest]) if selected >= offset + page => *nearest = selected,
        _ => {}
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::visible_entries;

    #[test]
    fn the_selected_entry_is_always_visible() {
        assert_eq!(visible_entries(2, 3, Some(3)), [2, 3, 4]);
        assert_eq!(visible_entries(2, 3, Some(0)), [0, 3, 4]);
        assert_eq!(visible_entries(2, 3, Some(9)), [2, 3, 9]);
        assert_eq!(visible_entries(2, 3, None), [2, 3, 4]);
    }
}
