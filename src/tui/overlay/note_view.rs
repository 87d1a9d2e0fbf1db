//! Draws the line in which a note is typed, over the footer.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::NoteLine;
use crate::tui::app::App;
use crate::tui::signs;
use crate::tui::widgets::text;

/// What the keys do, where there is room for it.
const HINT: &str = "Enter keeps, empty removes, Esc leaves  ";
/// Columns that the text needs before there is room for a hint.
const LEAST: usize = 24;

/// Draws the line; gives the cursor's place.
pub(super) fn draw(note: &NoteLine, app: &App, buf: &mut Buffer) -> Option<(u16, u16)> {
    let area = app.frame().footer;
    if area.area() == 0 {
        return None;
    }
    Clear.render(area, buf);
    buf.set_style(area, app.theme.base);
    buf.set_style(area, app.theme.header);
    let label = format!(" {} note ", signs::NOTE);
    let columns = usize::from(area.width);
    let before = text::width(&label);
    let hint = text::width(HINT);
    let after = if columns >= before + LEAST + hint {
        hint
    } else {
        1
    };
    let room = columns.saturating_sub(before + after);
    let scroll = note.input.visual_scroll(room);
    let typed = text::after(note.input.value(), scroll);
    let line = Line::from(vec![
        Span::styled(label, app.theme.key),
        Span::raw(text::pad(typed, room)),
    ]);
    buf.set_line(area.x, area.y, &line, area.width);
    if after == hint {
        let x = area.right() - hint as u16;
        buf.set_string(x, area.y, HINT, app.theme.dim);
    }
    let cursor = before + note.input.visual_cursor().saturating_sub(scroll);
    Some(((area.x + cursor as u16).min(area.right() - 1), area.y))
}
