//! Draws the form for a file of the figure.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::ExportForm;
use super::export::Field;
use crate::data::text::grouped;
use crate::tui::app::App;
use crate::tui::widgets::{pane, text};

/// Columns of the name of a line.
const NAME: usize = 9;

/// Draws the form; gives the cursor's place.
pub(super) fn draw(
    form: &ExportForm,
    app: &App,
    screen: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let width = screen.width.saturating_sub(4).min(90);
    let note = "Enter writes, Tab goes on, Esc leaves";
    let inner = pane::popup("export", note, (width, 8), &app.theme, screen, buf);
    if usize::from(inner.width) < NAME + 8 || inner.height < 4 {
        return None;
    }
    let room = usize::from(inner.width) - NAME - 2;
    let scroll = form.input.visual_scroll(room);
    for (field, y) in Field::ALL.into_iter().zip(inner.y..) {
        let (name, value) = match field {
            Field::Scope => ("of", chosen(&scope(form, app))),
            Field::Format => ("format", chosen(&format(form))),
            Field::File => ("file", text::after(form.input.value(), scroll).to_owned()),
        };
        let line = Line::from(vec![
            Span::styled(text::pad(&format!(" {name}"), NAME), app.theme.key),
            Span::raw(text::pad(&value, room)),
        ]);
        buf.set_line(inner.x, y, &line, inner.width);
        if field == form.field && field != Field::File {
            pane::mark(true, &app.theme, Rect::new(inner.x, y, inner.width, 1), buf);
        }
    }
    let told = form.told.clone().unwrap_or_default();
    let told = text::fit(&format!(" {told}"), usize::from(inner.width));
    buf.set_string(inner.x, inner.y + 4, told, app.theme.warning);
    let column = NAME + form.input.visual_cursor().saturating_sub(scroll);
    let cursor = (inner.x + column as u16, inner.y + Field::File as u16);
    (form.field == Field::File).then_some(cursor)
}

fn chosen(words: &str) -> String {
    format!("‹ {words} ›")
}

fn scope(form: &ExportForm, app: &App) -> String {
    let (wanted, lacking) = app.drawable(form.scope);
    let queries = if wanted.len() == 1 {
        "query"
    } else {
        "queries"
    };
    let left = match lacking.len() {
        0 => String::new(),
        count => format!(", {} that this study lacks left out", grouped(count)),
    };
    let count = grouped(wanted.len());
    format!("{}: {count} {queries}{left}", form.scope.words())
}

fn format(form: &ExportForm) -> String {
    let format = form.format();
    format!("{}: {}", format.key, format.doc)
}
