//! Draws the lines over the footer in which a note or an order is typed.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use tui_input::Input;

use super::{NoteLine, OrderLine, PickField, PickLine};
use crate::tui::app::App;
use crate::tui::signs;
use crate::tui::theme::Look;
use crate::tui::widgets::text;

/// Columns that the text needs before there is room for a hint.
const LEAST: usize = 24;

/// Draws the line of a note; gives the cursor's place.
pub(super) fn draw(note: &NoteLine, app: &App, buf: &mut Buffer) -> Option<(u16, u16)> {
    let label = format!(" {} note ", signs::NOTE);
    let hint = "Enter keeps, empty removes, Esc leaves  ";
    line(&note.input, [&label, hint], app.theme.dim, app, buf)
}

/// Draws the line of an order; gives the cursor's place.
pub(super) fn draw_order(order: &OrderLine, app: &App, buf: &mut Buffer) -> Option<(u16, u16)> {
    let (hint, look) = match &order.mistake {
        Some(mistake) => {
            let (column, found) = (mistake.column(), mistake.found());
            (format!("column {column}: {found}  "), app.theme.error)
        }
        None => (
            "such as -rank or a.map_at_r - b.map_at_r  ".to_owned(),
            app.theme.dim,
        ),
    };
    line(&order.input, [" sort by ", &hint], look, app, buf)
}

/// Draws the line of a part of a pick; gives the cursor's place.
pub(super) fn draw_pick(open: &PickLine, app: &App, buf: &mut Buffer) -> Option<(u16, u16)> {
    let (label, hint) = match open.field {
        PickField::Note => (
            format!(" {} in the figure ", signs::NOTE),
            "Enter keeps, empty removes, Esc leaves  ",
        ),
        PickField::Heading => (
            " heading ".to_owned(),
            "picks of one heading are a group; empty: none  ",
        ),
        PickField::Models => (" models ".to_owned(), "names with commas between  "),
    };
    let (hint, look) = match &open.mistake {
        Some(mistake) => (format!("{mistake}  "), app.theme.error),
        None => (hint.to_owned(), app.theme.dim),
    };
    line(&open.input, [&label, &hint], look, app, buf)
}

/// Draws a line with what stands before it and, where there is room, a hint after it.
fn line(
    input: &Input,
    [label, hint]: [&str; 2],
    look: Look,
    app: &App,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let area = app.frame().footer;
    if area.area() == 0 {
        return None;
    }
    Clear.render(area, buf);
    buf.set_style(area, app.theme.base);
    buf.set_style(area, app.theme.header);
    let columns = usize::from(area.width);
    // What was just said of the line itself comes first.
    let told = app.message.as_ref().map(|message| format!("{message}  "));
    let (hint, look) = told
        .as_deref()
        .map_or((hint, look), |told| (told, app.theme.warning));
    let (before, hinted) = (text::width(label), text::width(hint));
    let after = if columns >= before + LEAST + hinted {
        hinted + 1
    } else {
        1
    };
    let room = columns.saturating_sub(before + after);
    let scroll = input.visual_scroll(room);
    let typed = text::after(input.value(), scroll);
    let line = Line::from(vec![
        Span::styled(label.to_owned(), app.theme.key),
        Span::raw(text::pad(typed, room)),
    ]);
    buf.set_line(area.x, area.y, &line, area.width);
    if after > hinted {
        let x = area.right() - hinted as u16;
        buf.set_string(x, area.y, hint, look);
    }
    let cursor = before + input.visual_cursor().saturating_sub(scroll);
    Some(((area.x + cursor as u16).min(area.right() - 1), area.y))
}
