//! What is shown in place of everything else once a file changed while it was open.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::error::Error;
use crate::tui::ui::Context;
use crate::tui::widgets::{pane, text};

/// Widest text that is comfortable to read.
const WIDEST: u16 = 90;
/// Draws why nothing is shown any more, over all that was.
pub fn draw(error: &Error, cx: Context<'_>, screen: Rect, buf: &mut Buffer) {
    Clear.render(screen, buf);
    buf.set_style(screen, cx.theme.base);
    let width = screen.width.saturating_sub(4).min(WIDEST);
    let columns = usize::from(width.saturating_sub(4)).max(1);
    let mut lines = lines_of(error, columns);
    let kept = "Nothing of it is shown any more. Verdicts, picks and notes are kept.";
    lines.push(String::new());
    lines.extend(text::wrap(kept, columns));
    let size = (width, lines.len() as u16 + 2);
    let title = "a file changed while it was open";
    let inner = pane::popup(title, "q leaves", size, cx.theme, screen, buf);
    for (line, y) in lines.iter().zip(inner.top()..inner.bottom()) {
        buf.set_string(inner.x + 1, y, line, cx.theme.base);
    }
}

/// An error in so many columns.
fn lines_of(error: &Error, columns: usize) -> Vec<String> {
    let error = error.to_string();
    let lines = error
        .lines()
        .flat_map(|line| text::wrap(line.trim(), columns));
    lines.collect()
}
