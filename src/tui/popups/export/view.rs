//! Draws the form for a file.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::of::chosen;
use super::{ExportForm, Field};
use crate::tui::popups::footer_line::typed;
use crate::tui::theme::Theme;
use crate::tui::ui::Context;
use crate::tui::widgets::{pane, text};

/// Columns of the name of a line.
const NAME: usize = 9;

/// Draws the form; gives the cursor's place.
pub(super) fn draw(
    form: &ExportForm,
    cx: Context<'_>,
    screen: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let width = screen.width.saturating_sub(4).min(90);
    let choose = if form.field == Field::File { "" } else { "←→ choose, " };
    let note = format!("Tab next line, {choose}Enter writes, Esc closes");
    let told = form.told.as_deref().unwrap_or_default();
    let told = text::wrap(told, usize::from(width).saturating_sub(4));
    let height = 7 + told.len().max(1) as u16;
    let inner = pane::popup("export", &note, (width, height), cx.ui, screen, buf);
    if usize::from(inner.width) < NAME + 8 || inner.height < 4 {
        return None;
    }
    let room = usize::from(inner.width) - NAME - 2;
    let (input, theme) = (form.line.input(), cx.theme);
    let scroll = input.visual_scroll(room);
    for (field, y) in Field::ALL.into_iter().zip(inner.y..) {
        let value = |words: String| chooser(form, field, &words, room, theme);
        let (name, value) = match field {
            Field::Scope => ("of", value(form.of.words(cx, room))),
            Field::Format => ("format", value(chosen(&text::fit(&format(form), room - 4)))),
            Field::File => ("file", typed(&form.line, scroll, room, theme).into()),
        };
        let mut spans = vec![Span::styled(text::pad(&format!(" {name}"), NAME), theme.key)];
        spans.extend(value);
        buf.set_line(inner.x, y, &Line::from(spans), inner.width);
        if field == form.field && field != Field::File {
            pane::mark(true, cx.theme, Rect::new(inner.x, y, inner.width, 1), buf);
        }
    }
    for (line, y) in told.iter().zip(inner.y + 4..inner.bottom()) {
        buf.set_string(inner.x + 1, y, line, cx.theme.warning);
    }
    let column = NAME + input.visual_cursor().saturating_sub(scroll);
    let cursor = (inner.x + column as u16, inner.y + Field::File as u16);
    (form.field == Field::File).then_some(cursor)
}

/// What is chosen on a line, and where there is room the keys that change it.
fn chooser(
    form: &ExportForm,
    field: Field,
    words: &str,
    room: usize,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let keys = match form.of.fields().contains(&field) {
        false => "",
        true if form.field == field => "←→ changes it",
        true => form.way_to(field),
    };
    let left = room.saturating_sub(text::width(words) + 3);
    if keys.is_empty() || text::width(keys) > left {
        return vec![Span::raw(text::pad(words, room))];
    }
    let blanks = " ".repeat(left - text::width(keys) + 2);
    let words = Span::raw(format!("{words}{blanks}"));
    vec![words, Span::styled(format!("{keys} "), theme.dim)]
}

fn format(form: &ExportForm) -> String {
    let format = form.format();
    format!("{}: {}", format.key, format.doc)
}
