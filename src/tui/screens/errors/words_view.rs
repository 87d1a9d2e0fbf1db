//! Draws the words of failures, and those that tell first items from right ones.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::kinds_view::WAITING;
use super::{Cx, Pane};
use crate::analysis::words::{LEVEL, Swapped, Word};
use crate::data::text::grouped;
use crate::tui::screens::filtered_view;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Lines of column names.
pub(super) const NAMES: u16 = 1;
/// Columns of failures over all queries, and of z.
const RATIO: usize = 13;
const Z: usize = 6;
/// Columns of a count.
const COUNT: usize = 7;
/// Columns of a word: numbers that stand further away are read in the wrong line.
const NAME: usize = 32;

/// Columns of a word beside numbers that take so many of a line, with a blank at both ends.
fn name_columns(width: usize, numbers: usize) -> usize {
    width.saturating_sub(numbers + 2).min(NAME)
}

pub(super) fn draw_words(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let words = cx.words();
    let width = usize::from(area.width.saturating_sub(2));
    let name = name_columns(width, RATIO + Z);
    let row = |word: &Word| {
        let all = grouped((word.failures + word.others) as usize);
        let ratio = format!("{}/{all}", grouped(word.failures as usize));
        let line = Line::from(vec![
            Span::raw(format!(" {}", text::pad(&spelled(cx, word.word), name))),
            Span::styled(text::pad_left(&ratio, RATIO), cx.theme.dim),
            Span::styled(text::pad_left(&format!("{:.2}", word.z), Z), cx.theme.down),
        ]);
        by_significance(cx, line, word.is_significant())
    };
    let names = format!(
        " {}{}{}",
        text::pad("word", name),
        text::pad_left("failures/all", RATIO),
        text::pad_left("z", Z)
    );
    let list = List { pane: Pane::Words, title: "words of failures", names, total: words.len() };
    draw(cx, &list, area, buf, |at| row(&words[at]));
}

pub(super) fn draw_swapped(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let swapped = cx.swapped();
    let width = usize::from(area.width.saturating_sub(2));
    let name = name_columns(width, 2 * COUNT);
    let row = |of: &Swapped| {
        let count =
            |n: u32, sign: char| text::pad_left(&format!("{sign}{}", grouped(n as usize)), COUNT);
        let line = Line::from(vec![
            Span::raw(format!(" {}", text::pad(&spelled(cx, of.word), name))),
            Span::styled(count(of.extra, '+'), cx.theme.down),
            Span::styled(count(of.missing, '−'), cx.theme.up),
        ]);
        by_significance(cx, line, of.is_significant())
    };
    let names = format!(
        " {}{}{}",
        text::pad("top-1 against positive", name),
        text::pad_left("added", COUNT),
        text::pad_left("lacked", COUNT)
    );
    let list = List { pane: Pane::Swapped, title: "words swapped", names, total: swapped.len() };
    draw(cx, &list, area, buf, |at| row(&swapped[at]));
}

/// Grey where the word may be there by chance.
fn by_significance(cx: Cx<'_>, line: Line<'static>, is_significant: bool) -> Line<'static> {
    if is_significant {
        return line;
    }
    let grey = |span: Span<'static>| Span::styled(span.content, cx.theme.dim);
    line.spans.into_iter().map(grey).collect()
}

fn spelled(cx: Cx<'_>, word: u32) -> String {
    cx.model.texts().map_or_else(String::new, |texts| texts.word(word).to_owned())
}

/// From which level on words are grey, and the order where there is room for both.
fn note(cx: Cx<'_>, list: &List, area: Rect) -> String {
    let level = format!("grey: Holm p ≥ {LEVEL}");
    let notes =
        [format!("{}; {level}", cx.order(list.pane)), level, format!("grey Holm p≥{LEVEL}")];
    let room = usize::from(area.width).saturating_sub(text::width(list.title) + 6);
    let mut notes = notes.into_iter();
    let fitting = notes.find(|note| text::width(note) <= room);
    fitting.unwrap_or_default()
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
    cx: Cx<'_>,
    list: &List,
    area: Rect,
    buf: &mut Buffer,
    row: impl Fn(usize) -> Line<'static>,
) {
    let focus = cx.state.pane == list.pane;
    let inner = pane::frame(list.title, &note(cx, list, area), focus, cx.theme, area, buf);
    filtered_view::draw(cx, filtered_view::Of::All, area, buf);
    let width = usize::from(inner.width);
    buf.set_stringn(inner.x, inner.y, &list.names, width, cx.theme.dim);
    let body = Rect {
        y: inner.y + NAMES.min(inner.height),
        height: inner.height.saturating_sub(NAMES),
        ..inner
    };
    if list.total == 0 {
        let words = match (cx.detail(), cx.model.study.gallery.texts.is_empty()) {
            (None, _) => WAITING,
            (_, true) => "no captions file: no words",
            (_, false) => "no such word",
        };
        let room = usize::from(body.width.saturating_sub(2));
        buf.set_stringn(body.x + 2, body.y, words, room, cx.theme.dim);
        return;
    }
    let place = cx.state.place(list.pane);
    let selected = place.selected.min(list.total - 1);
    for (at, y) in (place.offset..list.total).zip(body.top()..body.bottom()) {
        buf.set_line(body.x, y, &row(at), body.width);
        if at == selected {
            pane::mark(focus, cx.theme, Rect::new(body.x, y, body.width, 1), buf);
        }
    }
    let scroll =
        Scroll { offset: place.offset, shown: usize::from(body.height), total: list.total };
    pane::scrollbar(scroll, focus, cx.theme, body, buf);
}
