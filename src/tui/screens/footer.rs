//! The last line: the search line while it is typed, a message, or the keys that matter here.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::app::App;
use crate::tui::widgets::text;

pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    buf.set_style(area, app.theme.header);
    let width = usize::from(area.width);
    if app.search.is_typing() {
        return Some(search_line(app, area, buf));
    }
    if let Some(message) = &app.message {
        buf.set_string(
            area.x,
            area.y,
            text::fit(&format!(" {message}"), width),
            app.theme.warning,
        );
        return None;
    }
    let mut spans = vec![Span::raw(" ")];
    let mut used = 1;
    for (action, words) in app.screen.page().hints(app) {
        let key = app.keymap.hint(action);
        let taken = text::width(&key) + words.len() + 3;
        if key.is_empty() || used + taken > width {
            continue;
        }
        used += taken;
        spans.push(Span::styled(key, app.theme.key));
        spans.push(Span::styled(format!(" {words}  "), app.theme.dim));
    }
    buf.set_line(area.x, area.y, &Line::from(spans), area.width);
    None
}

fn search_line(app: &App, area: Rect, buf: &mut Buffer) -> (u16, u16) {
    let count = match app.search.found(app.view.direction) {
        _ if app.message.is_some() => format!("{}  ", app.message.as_deref().unwrap_or_default()),
        Some(_) => format!("{} match  ", app.browse.queries.len()),
        None if app.search.text().is_empty() => "words, ids; ' for exact text  ".into(),
        None => "searching …  ".into(),
    };
    let line = Line::from(vec![
        Span::styled(" / ", app.theme.key),
        Span::raw(app.search.text().to_owned()),
    ]);
    buf.set_line(area.x, area.y, &line, area.width);
    let x = area.right().saturating_sub(text::width(&count) as u16);
    if usize::from(x) > line.width() + 2 || app.message.is_some() {
        buf.set_string(x, area.y, count, app.theme.dim);
    }
    (
        (area.x + 3 + app.search.cursor() as u16).min(area.right() - 1),
        area.y,
    )
}
