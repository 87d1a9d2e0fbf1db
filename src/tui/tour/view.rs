//! Draws the step of the tour above the footer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use super::Tour;
use crate::tui::ui::Context;
use crate::tui::widgets::{pane, text};

/// Draws the step over the lower part of the screen's body.
pub(in crate::tui) fn draw(tour: &Tour, cx: Context<'_>, buf: &mut Buffer) {
    let body = cx.ui.frame().body;
    let columns = usize::from(body.width.saturating_sub(4));
    let lines = text::wrap(&tour.words(&cx.ui.keymap), columns);
    let height = (lines.len() as u16 + 2).min(body.height);
    let area = Rect { y: body.bottom() - height, height, ..body };
    Clear.render(area, buf);
    buf.set_style(area, cx.theme.base);
    let (place, count) = tour.place();
    let title = format!("tour {place}/{count}");
    let note = "Enter: next, Esc: end";
    let inner = pane::frame(&title, note, true, cx.theme, area, buf);
    let lines: Vec<Line> = lines.iter().map(|line| Line::from(format!(" {line}"))).collect();
    pane::lines(&lines, 0, inner, buf);
}
