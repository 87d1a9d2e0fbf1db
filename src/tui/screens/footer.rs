//! The last line: the search line while it is typed, a message, or the keys that matter here.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::action::Action;
use crate::tui::screen::Hint;
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// Draws the footer; gives the cursor's place while the search is typed.
pub(in crate::tui) fn draw(
    cx: Context<'_>,
    hints: Vec<Hint>,
    area: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    buf.set_style(area, cx.theme.header);
    let width = usize::from(area.width);
    if cx.model.search.is_typing() {
        return Some(search_line(cx, area, buf));
    }
    if let Some(message) = &cx.model.message {
        buf.set_string(
            area.x,
            area.y,
            text::fit(&format!(" {message}"), width),
            cx.theme.warning,
        );
        return None;
    }
    let notice = notice(cx);
    let mut used = 1 + text::width(&notice);
    let mut spans = vec![Span::raw(" "), Span::styled(notice, cx.theme.warning)];
    for (action, words) in hints {
        let key = cx.ui.keymap.hint(action);
        let taken = text::width(&key) + words.len() + 3;
        if key.is_empty() || used + taken > width {
            continue;
        }
        used += taken;
        spans.push(Span::styled(key, cx.theme.key));
        spans.push(Span::styled(format!(" {words}  "), cx.theme.dim));
    }
    buf.set_line(area.x, area.y, &Line::from(spans), area.width);
    None
}

/// What is to say of the files of the study, for as long as it is so.
fn notice(cx: Context<'_>) -> String {
    let key = cx.ui.keymap.hint(Action::Redraw);
    let notice = cx.model.files.notice(&key);
    notice.map_or(String::new(), |words| format!("⚠ {words}  "))
}

fn search_line(cx: Context<'_>, area: Rect, buf: &mut Buffer) -> (u16, u16) {
    let count = match cx.model.search.found(cx.model.view.direction) {
        _ if cx.model.message.is_some() => {
            format!("{}  ", cx.model.message.as_deref().unwrap_or_default())
        }
        Some(_) => format!("{} match  ", cx.model.selection.queries.len()),
        None if cx.model.search.text().is_empty() => "words, ids; ' for exact text  ".into(),
        None => "searching …  ".into(),
    };
    let line = Line::from(vec![
        Span::styled(" / ", cx.theme.key),
        Span::raw(cx.model.search.text().to_owned()),
    ]);
    buf.set_line(area.x, area.y, &line, area.width);
    let x = area.right().saturating_sub(text::width(&count) as u16);
    if usize::from(x) > line.width() + 2 || cx.model.message.is_some() {
        buf.set_string(x, area.y, count, cx.theme.dim);
    }
    (
        (area.x + 3 + cx.model.search.cursor() as u16).min(area.right() - 1),
        area.y,
    )
}
