//! Draws the filter's line and the ready conditions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::Conditions;
use crate::data::text::{grouped, shown};
use crate::truth::relevance::Relevance;
use crate::tui::app::App;
use crate::tui::filter::Found;
use crate::tui::widgets::{pane, text};

/// Rows above the list: the line, what is found of it, two for a mistake.
const ABOVE: u16 = 4;

/// Draws the menu; gives the cursor's place.
pub(super) fn draw(
    menu: &Conditions,
    app: &App,
    screen: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let width = screen.width.saturating_sub(4).min(100);
    let rows = u16::try_from(menu.ready.len()).unwrap_or(u16::MAX);
    let height = rows.saturating_add(ABOVE + 2).min(screen.height);
    let note = "Enter filters, Tab edits, Esc closes";
    let inner = pane::popup("filter", note, (width, height), &app.theme, screen, buf);
    if inner.height < ABOVE {
        return None;
    }
    let columns = usize::from(inner.width);
    let line = format!(" {}", shown(menu.input.value()));
    buf.set_stringn(inner.x, inner.y, line, columns, app.theme.base);
    found(menu, app, inner, buf);
    let room = usize::from(inner.height - ABOVE);
    let offset = menu.chosen.map_or(0, |at| (at + 1).saturating_sub(room));
    for (row, ready) in menu.ready.iter().enumerate().skip(offset).take(room) {
        let y = inner.y + ABOVE + (row - offset) as u16;
        let line = Line::from(vec![
            Span::styled(format!("  {}", text::pad(ready.name, 24)), app.theme.title),
            Span::styled(ready.meaning, app.theme.dim),
        ]);
        buf.set_line(inner.x, y, &line, inner.width);
        if menu.chosen == Some(row) {
            pane::mark(true, &app.theme, Rect::new(inner.x, y, inner.width, 1), buf);
        }
    }
    let before: String = menu
        .input
        .value()
        .chars()
        .take(menu.input.cursor())
        .collect();
    let column = inner.x + 1 + shown(&before).width() as u16;
    Some((column.min(inner.right().saturating_sub(1)), inner.y))
}

/// How many queries meet the condition, or what is wrong with it and where.
fn found(menu: &Conditions, app: &App, inner: Rect, buf: &mut Buffer) {
    let columns = usize::from(inner.width);
    let mut put = |row: u16, words: String, look: crate::tui::theme::Look| {
        buf.set_stringn(inner.x, inner.y + row, words, columns, look);
    };
    let judged = app.truth().relevance[app.look.direction].as_ref();
    let of = judged.map_or(0, Relevance::len);
    match &menu.found {
        Err(mistake) if menu.chosen.is_none() => {
            let before = " ".repeat(mistake.indent());
            put(1, format!(" {before}^"), app.theme.error);
            let found = format!(" column {}: {}", mistake.column(), mistake.found());
            put(2, found, app.theme.error);
            // How to mend it first: it is short.
            let advice: Vec<&str> = mistake.advice().into_iter().rev().flatten().collect();
            put(3, format!(" {}", advice.join("; ")), app.theme.dim);
        }
        Err(mistake) => put(2, format!(" {}", mistake.found()), app.theme.error),
        Ok(Found::Met(met)) => {
            let words = format!(" {} of {} queries", grouped(met.len()), grouped(of));
            put(2, words, app.theme.title);
        }
        Ok(_) if menu.text().trim().is_empty() => {
            let words = " such as: r1 == 0 and rank <= 5 and words <= 12, or one of these:";
            put(2, words.into(), app.theme.dim);
        }
        Ok(_) => put(2, " counting …".into(), app.theme.dim),
    }
    if menu.chosen.is_some() {
        put(3, format!(" {}", menu.text()), app.theme.key);
    }
}
