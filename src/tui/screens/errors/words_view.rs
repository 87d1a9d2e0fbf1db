//! Draws the words of failures, and those that tell first items from right ones.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Pane;
use super::kinds_view::WAITING;
use crate::analysis::words::{Swapped, Word};
use crate::data::text::grouped;
use crate::tui::app::App;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Lines of column names.
pub(super) const NAMES: u16 = 1;
/// Columns of failures over all queries, and of z.
const RATIO: usize = 13;
const Z: usize = 6;
/// Columns of a count.
const COUNT: usize = 7;

pub(super) fn draw_words(app: &App, area: Rect, buf: &mut Buffer) {
    let words = app.errors_words();
    let width = usize::from(area.width.saturating_sub(2));
    let name = width.saturating_sub(RATIO + Z + 1);
    let row = |word: &Word| {
        let all = grouped((word.failures + word.others) as usize);
        let ratio = format!("{}/{all}", grouped(word.failures as usize));
        let line = Line::from(vec![
            Span::raw(format!(" {}", text::pad(&spelled(app, word.word), name))),
            Span::styled(text::pad_left(&ratio, RATIO), app.theme.dim),
            Span::styled(text::pad_left(&format!("{:.2}", word.z), Z), app.theme.down),
        ]);
        by_significance(app, line, word.is_significant())
    };
    let names = format!(
        " {}{}{}",
        text::pad("word", name),
        text::pad_left("failures/all", RATIO),
        text::pad_left("z", Z)
    );
    let list = List {
        pane: Pane::Words,
        title: "words of failures",
        names,
        total: words.len(),
    };
    draw(app, &list, area, buf, |at| row(&words[at]));
}

pub(super) fn draw_swapped(app: &App, area: Rect, buf: &mut Buffer) {
    let swapped = app.errors_swapped();
    let width = usize::from(area.width.saturating_sub(2));
    let name = width.saturating_sub(2 * COUNT + 1);
    let row = |of: &Swapped| {
        let count =
            |n: u32, sign: char| text::pad_left(&format!("{sign}{}", grouped(n as usize)), COUNT);
        let line = Line::from(vec![
            Span::raw(format!(" {}", text::pad(&spelled(app, of.word), name))),
            Span::styled(count(of.extra, '+'), app.theme.down),
            Span::styled(count(of.missing, '−'), app.theme.up),
        ]);
        by_significance(app, line, of.is_significant())
    };
    let names = format!(
        " {}{}{}",
        text::pad("first against right", name),
        text::pad_left("added", COUNT),
        text::pad_left("lacked", COUNT)
    );
    let list = List {
        pane: Pane::Swapped,
        title: "words swapped",
        names,
        total: swapped.len(),
    };
    draw(app, &list, area, buf, |at| row(&swapped[at]));
}

/// Grey where the word may be there by chance.
fn by_significance(app: &App, line: Line<'static>, is_significant: bool) -> Line<'static> {
    if is_significant {
        return line;
    }
    let grey = |span: Span<'static>| Span::styled(span.content, app.theme.dim);
    line.spans.into_iter().map(grey).collect()
}

fn spelled(app: &App, word: u32) -> String {
    app.texts()
        .map_or_else(String::new, |texts| texts.word(word).to_owned())
}

/// A list of words.
struct List {
    pane: Pane,
    title: &'static str,
    /// The names of its columns.
    names: String,
    total: usize,
}

fn draw(
    app: &App,
    list: &List,
    area: Rect,
    buf: &mut Buffer,
    row: impl Fn(usize) -> Line<'static>,
) {
    let focus = app.errors.pane == list.pane;
    let order = app.errors_order(list.pane);
    let inner = pane::frame(list.title, order, focus, &app.theme, area, buf);
    let width = usize::from(inner.width);
    buf.set_stringn(inner.x, inner.y, &list.names, width, app.theme.dim);
    let body = Rect {
        y: inner.y + NAMES.min(inner.height),
        height: inner.height.saturating_sub(NAMES),
        ..inner
    };
    if list.total == 0 {
        let words = match (app.errors_detail(), app.study.gallery.texts.is_empty()) {
            (None, _) => WAITING,
            (_, true) => "no captions file: no words",
            (_, false) => "no such word",
        };
        let room = usize::from(body.width.saturating_sub(2));
        buf.set_stringn(body.x + 2, body.y, words, room, app.theme.dim);
        return;
    }
    let place = app.errors.place(list.pane);
    let selected = place.selected.min(list.total - 1);
    for (at, y) in (place.offset..list.total).zip(body.top()..body.bottom()) {
        buf.set_line(body.x, y, &row(at), body.width);
        if at == selected {
            pane::mark(focus, &app.theme, Rect::new(body.x, y, body.width, 1), buf);
        }
    }
    let scroll = Scroll {
        offset: place.offset,
        shown: usize::from(body.height),
        total: list.total,
    };
    pane::scrollbar(scroll, focus, &app.theme, body, buf);
}
