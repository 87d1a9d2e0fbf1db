//! Draws the filter's line and the conditions to choose from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use tui_input::Input;
use unicode_width::UnicodeWidthStr;

use super::FilterMenu;
use crate::data::text::{grouped, shown};
use crate::truth::relevance::Relevance;
use crate::tui::model::filter::Found;
use crate::tui::theme::ThemeStyle;
use crate::tui::ui::Context;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Rows above the list: the line, what is found of it, two for a mistake.
pub(super) const ABOVE: u16 = 4;
/// The key that empties the line, behind what is typed.
const EMPTIES: &str = " Ctrl-u empties ";
/// What stands before a name that is typed.
const NAME: &str = " name ";

/// Draws the menu; gives the cursor's place.
pub(super) fn draw(
    menu: &FilterMenu,
    cx: Context<'_>,
    screen: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let width = screen.width.saturating_sub(4).min(100);
    let rows = u16::try_from(menu.choices.len()).unwrap_or(u16::MAX);
    // The last line says what keys do.
    let highest = screen.height.saturating_sub(1);
    let height = rows.saturating_add(ABOVE + 2).min(highest);
    let note = if menu.naming.is_some() {
        "Enter keeps it, Esc goes back"
    } else {
        "Enter filters, Tab edits, Ctrl-s names it, Esc closes"
    };
    let inner = pane::popup("filter", note, (width, height), cx.ui, screen, buf);
    if inner.height < ABOVE {
        return None;
    }
    let columns = usize::from(inner.width);
    let (line, hidden) = (shown(menu.line.text()), hidden(menu.line.line.input(), inner));
    let before = if hidden > 0 { "…" } else { " " };
    let line = format!("{before}{}", text::after(&line, hidden));
    buf.set_stringn(inner.x, inner.y, &line, columns, cx.theme.base);
    // It opens with the condition in force, to which letters are added.
    let left = columns.saturating_sub(text::width(&line));
    if !menu.line.text().is_empty() && left > text::width(EMPTIES) {
        let x = inner.right() - text::width(EMPTIES) as u16;
        buf.set_string(x, inner.y, EMPTIES, cx.theme.dim);
    }
    found(menu, cx, inner, buf);
    list(menu, cx, inner, buf);
    if let Some(name) = &menu.naming {
        let line = format!("{NAME}@{}", shown(name.value()));
        let line = text::pad(&line, columns);
        buf.set_stringn(inner.x, inner.y + 3, line, columns, cx.theme.key);
        return Some(cursor(name, NAME.len() + 1, (inner, 3)));
    }
    // Beyond the last column it stands there: what is hidden at the left is as much.
    Some(cursor(menu.line.line.input(), 1, (inner, 0)))
}

/// Columns of a line before its cursor.
fn before_cursor(input: &Input) -> usize {
    let typed: String = input.value().chars().take(input.cursor()).collect();
    shown(&typed).width()
}

/// Columns of the condition that are out of sight at the left, so that its cursor is in sight.
fn hidden(input: &Input, inner: Rect) -> usize {
    // The sign of what is hidden, and the cursor.
    let room = usize::from(inner.width).saturating_sub(2);
    before_cursor(input).saturating_sub(room)
}

/// The place of a line's cursor, so many columns from the start of a row.
fn cursor(input: &Input, before: usize, (inner, row): (Rect, u16)) -> (u16, u16) {
    let column = inner.x + (before + before_cursor(input)) as u16;
    (column.min(inner.right().saturating_sub(1)), inner.y + row)
}

/// The conditions to choose from, as far as there is room.
fn list(menu: &FilterMenu, cx: Context<'_>, inner: Rect, buf: &mut Buffer) {
    let scroll = scroll(menu, inner);
    let (room, offset) = (scroll.shown, scroll.offset);
    let below = Rect { y: inner.y + ABOVE, height: inner.height - ABOVE, ..inner };
    pane::scrollbar(scroll, true, cx.theme, below, buf);
    let listed = menu.listed.places.iter().map(|&place| &menu.choices[place]);
    for (row, choice) in listed.enumerate().skip(offset).take(room) {
        let y = inner.y + ABOVE + (row - offset) as u16;
        let name = format!("  {}", text::pad(&choice.name, 24));
        let left = usize::from(inner.width).saturating_sub(text::width(&name));
        let meaning = text::fit(&choice.meaning, left);
        let line = Line::from(vec![
            Span::styled(name, cx.theme.title),
            Span::styled(meaning, cx.theme.dim),
        ]);
        buf.set_line(inner.x, y, &line, inner.width);
        if menu.chosen == Some(row) {
            pane::mark(true, cx.theme, Rect::new(inner.x, y, inner.width, 1), buf);
        }
    }
}

/// That what is typed counts as a condition, where a listed one has it as its name and may say more.
fn by_itself(menu: &FilterMenu) -> String {
    let is_both = menu.chosen.is_none() && menu.listed.is_meant;
    let words = || format!(": the condition {}; ↓ chooses from below", menu.text().trim());
    if is_both { words() } else { String::new() }
}

/// Where the list begins and how much of it is in sight.
fn scroll(menu: &FilterMenu, inner: Rect) -> Scroll {
    let shown = usize::from(inner.height - ABOVE);
    Scroll {
        offset: menu.chosen.map_or(0, |at| (at + 1).saturating_sub(shown)),
        shown,
        total: menu.listed.places.len(),
    }
}

/// How many queries meet the condition, or what is wrong with it and where.
fn found(menu: &FilterMenu, cx: Context<'_>, inner: Rect, buf: &mut Buffer) {
    let columns = usize::from(inner.width);
    let mut put = |row: u16, words: String, style: ThemeStyle| {
        buf.set_stringn(inner.x, inner.y + row, words, columns, style);
    };
    let judged = cx.model.truth().relevance[cx.model.view.direction].as_ref();
    let of = judged.map_or(0, Relevance::len);
    match &menu.found {
        Err(mistake) if menu.chosen.is_none() => {
            let hidden = hidden(menu.line.line.input(), inner);
            if let Some(indent) = mistake.indent().checked_sub(hidden) {
                put(1, format!(" {}^", " ".repeat(indent)), cx.theme.error);
            }
            let found = format!(" column {}: {}", mistake.column(), mistake.found());
            put(2, found, cx.theme.error);
            let [expected, fix] = mistake.advice();
            let expected = expected.map(|expected| format!("expected: {expected}"));
            // The fix first: it is short.
            let advice: Vec<String> = fix.map(str::to_owned).into_iter().chain(expected).collect();
            let advice = text::fit(&format!(" {}", advice.join("  ")), columns);
            put(3, advice, cx.theme.dim);
        }
        Err(mistake) => put(2, format!(" {}", mistake.found()), cx.theme.error),
        Ok(Found::Met(met)) => {
            let unknown = match met.unknown {
                0 => String::new(),
                count => format!("; {} others have no value to compare", grouped(count)),
            };
            let met = format!(" {} of {} queries", grouped(met.queries.len()), grouped(of));
            put(2, met + &unknown + &by_itself(menu), cx.theme.title);
        }
        Ok(_) if menu.text().trim().is_empty() => {
            let words = " a condition such as r1 == 0 and words <= 12, or a word of one of these:";
            put(2, words.into(), cx.theme.dim);
        }
        Ok(_) => put(2, format!(" {}", cx.model.files.waiting()), cx.theme.dim),
    }
    if menu.chosen.is_some() {
        put(3, format!(" {}", menu.text()), cx.theme.key);
    }
    if let Some(told) = &menu.told {
        put(
            if menu.naming.is_some() { 2 } else { 3 },
            text::pad(&format!(" {told}"), columns),
            cx.theme.warning,
        );
    }
}
