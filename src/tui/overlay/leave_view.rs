//! Draws what stands between the explorer and its end.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::Unsaved;
use crate::error::Error;
use crate::tui::app::App;
use crate::tui::widgets::{pane, text};

/// Widest text that is comfortable to read.
const WIDEST: u16 = 90;
const LABEL: &str = " save to ";
const KEYS: &str = "Enter saves there and leaves, Ctrl-d leaves without saving, Esc stays.";

/// Draws the question where to save; gives the cursor's place.
pub(super) fn draw_unsaved(
    asked: &Unsaved,
    app: &App,
    screen: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let width = screen.width.saturating_sub(4).min(WIDEST);
    let columns = usize::from(width.saturating_sub(4)).max(1);
    let failure = format!("{}: {}", asked.failure.subject(), asked.failure.found());
    let words = [app.book.made(), failure];
    let mut lines: Vec<String> = words
        .iter()
        .flat_map(|words| text::wrap(words, columns))
        .collect();
    let keys = text::wrap(KEYS, columns);
    let height = (lines.len() + keys.len() + 5) as u16;
    let inner = pane::popup("not saved", "", (width, height), &app.theme, screen, buf);
    let label = text::width(LABEL);
    let least = keys.len() + 1;
    if usize::from(inner.width) < label + 8 || usize::from(inner.height) < least {
        return None;
    }
    lines.truncate(usize::from(inner.height) - least);
    for (line, y) in lines.iter().zip(inner.y..) {
        buf.set_string(inner.x + 1, y, line, app.theme.base);
    }
    for (line, y) in keys.iter().zip(inner.bottom() - keys.len() as u16..) {
        buf.set_string(inner.x + 1, y, line, app.theme.dim);
    }
    let y = (inner.y + lines.len() as u16 + 1).min(inner.bottom() - least as u16);
    let room = usize::from(inner.width) - label - 1;
    let scroll = asked.input.visual_scroll(room);
    let typed = text::after(asked.input.value(), scroll);
    let line = Line::from(vec![
        Span::styled(LABEL, app.theme.key),
        Span::raw(text::pad(typed, room)),
    ]);
    buf.set_line(inner.x, y, &line, inner.width);
    let column = label + asked.input.visual_cursor().saturating_sub(scroll);
    Some((inner.x + column as u16, y))
}

/// Draws why nothing is shown any more, over all that was.
pub(super) fn draw_changed(error: &Error, app: &App, screen: Rect, buf: &mut Buffer) {
    Clear.render(screen, buf);
    buf.set_style(screen, app.theme.base);
    let width = screen.width.saturating_sub(4).min(WIDEST);
    let columns = usize::from(width.saturating_sub(4)).max(1);
    let mut lines = told(error, columns);
    let kept = "Nothing of it is shown any more. Verdicts, picks and notes are kept.";
    lines.push(String::new());
    lines.extend(text::wrap(kept, columns));
    let size = (width, lines.len() as u16 + 2);
    let title = "a file changed while it was open";
    let inner = pane::popup(title, "q leaves", size, &app.theme, screen, buf);
    for (line, y) in lines.iter().zip(inner.top()..inner.bottom()) {
        buf.set_string(inner.x + 1, y, line, app.theme.base);
    }
}

/// An error in so many columns.
fn told(error: &Error, columns: usize) -> Vec<String> {
    let error = error.to_string();
    let lines = error
        .lines()
        .flat_map(|line| text::wrap(line.trim(), columns));
    lines.collect()
}
