//! The last line: the search input, a message, or the keys that matter on the screen. A long message also takes rows
//! above it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::screen::Hint;
use crate::tui::ui::segments::{Segment, Segments};
use crate::tui::ui::text;

/// Draws the search input, or a file notice and keys; nothing if there is a message. `popup_keys`: keys of the popup
/// with their effects; `hints`: keys of the screen. Returns column and row of the cursor during a search, else `None`.
pub(in crate::tui) fn draw(
    cx: Context<'_>,
    (popup_keys, hints): (&[(&str, &str)], Vec<Hint>),
    area: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    buf.set_style(area, cx.theme.header);
    if cx.model.search.is_typing() {
        return draw_search(cx, area, buf);
    }
    if cx.model.message.is_some() {
        return None;
    }
    // Priorities: a file notice first, then the keys in their order.
    let mut segments = Vec::new();
    if let Some(notice) = cx.model.files.notice(&cx.ui.keymap.hint(Action::Redraw)) {
        let longest = text::width(&notice).max(10);
        let form = |columns| {
            Line::styled(format!(" ⚠ {} ", text::fit(&notice, columns)), cx.theme.warning)
        };
        segments.push(Segment::with_widths(u8::MAX, 10..=longest, form));
    }
    let mut priorities = (0..u8::MAX).rev();
    for ((key, does), keep) in popup_keys.iter().zip(&mut priorities) {
        let key = Span::styled(format!(" {key}"), cx.theme.key);
        let does = Span::styled(format!(" {does} "), cx.theme.dim);
        segments.push(Segment::new(keep, Line::from(vec![key, does])));
    }
    let hints = priorities.zip(hints).map(|(keep, hint)| {
        let keep = if hint.0 == Action::Help { u8::MAX } else { keep };
        Segment::for_hint(keep, hint, cx.ui)
    });
    segments.extend(hints.flatten());
    Segments(segments).draw(area, cx.ui, buf);
    None
}

/// Maximum rows of a message.
const MAX_MESSAGE_ROWS: usize = 3;

/// Draws the message, if any, over the footer and the rows above it. Its end says what to do, and is always in the last
/// line.
pub(in crate::tui) fn draw_message(cx: Context<'_>, area: Rect, buf: &mut Buffer) {
    let Some(words) = &cx.model.message else {
        return;
    };
    let width = usize::from(area.width);
    let mut rows = text::wrap(words, width.saturating_sub(2));
    if rows.len() > MAX_MESSAGE_ROWS {
        let rest = rows.split_off(MAX_MESSAGE_ROWS - 1).join(" ");
        rows.push(text::fit(&rest, width.saturating_sub(1)));
    }
    for (row, y) in rows.iter().rev().zip((0..=area.y).rev()) {
        let line = Rect { y, ..area };
        Clear.render(line, buf);
        buf.set_style(line, cx.theme.header);
        buf.set_string(line.x, y, text::pad(&format!(" {row}"), width), cx.theme.warning);
    }
}

/// Help on the search, shown before a search text is typed.
const SEARCH_HELP: &str = "words, ids; else spelt alike; ' exact text";

/// Draws the search input with the number of matches; returns column and row of the cursor, `None` if there is no room.
fn draw_search(cx: Context<'_>, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let search = &cx.model.search;
    let note = match search.current_matches(cx.model.view.direction) {
        Some(found) => match cx.model.selection.queries.len() {
            0 if !found.queries.is_empty() => "none in this list".into(),
            listed => found.describe(listed),
        },
        None if search.text().is_empty() => SEARCH_HELP.into(),
        None => "searching …".into(),
    };
    search.line.draw(" / ", (&note, cx.theme.dim), area, cx.theme, buf)
}
