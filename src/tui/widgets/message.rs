//! A message over the last lines of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::text;
use crate::tui::theme::Theme;

/// Most rows that a message takes of the screen.
const MOST_ROWS: usize = 3;

/// Draws a message, its last row in the line of `area`: what is to be done stands at its end, and is not cut.
pub fn draw(words: &str, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let width = usize::from(area.width);
    let mut rows = text::wrap(words, width.saturating_sub(2));
    if rows.len() > MOST_ROWS {
        let rest = rows.split_off(MOST_ROWS - 1).join(" ");
        rows.push(text::fit(&rest, width.saturating_sub(1)));
    }
    for (row, y) in rows.iter().rev().zip((0..=area.y).rev()) {
        let line = Rect { y, ..area };
        Clear.render(line, buf);
        buf.set_style(line, theme.header);
        let row = text::pad(&format!(" {row}"), width);
        buf.set_string(line.x, y, row, theme.warning);
    }
}
