//! The last line: the search line while it is typed, a message, or the keys that matter here.
//! A long message takes rows above it, too.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::target::Target;
use crate::tui::action::Action;
use crate::tui::screen::Hint;
use crate::tui::ui::Context;
use crate::tui::widgets::{message, text};

/// Draws the footer but for messages; gives the cursor's place while the search is typed.
pub(in crate::tui) fn draw(
    cx: Context<'_>,
    hints: Vec<Hint>,
    area: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    buf.set_style(area, cx.theme.header);
    let width = usize::from(area.width);
    if cx.model.search.is_typing() {
        return search_line(cx, area, buf);
    }
    if cx.model.message.is_some() {
        return None;
    }
    let notice = notice(cx, width);
    let used = 1 + text::width(&notice);
    let mut spans = vec![Span::raw(" "), Span::styled(notice, cx.theme.warning)];
    for (_, key, words) in fitting(cx, hints, (used, width)) {
        spans.push(Span::styled(key, cx.theme.key));
        spans.push(Span::styled(words, cx.theme.dim));
    }
    buf.set_line(area.x, area.y, &Line::from(spans), area.width);
    None
}

/// Draws the message, where there is one, over all else, its last row in the last line.
pub(in crate::tui) fn message(cx: Context<'_>, area: Rect, buf: &mut Buffer) {
    if let Some(words) = &cx.model.message {
        message::draw(words, cx.theme, area, buf);
    }
}

/// The hints that fit, each as its key and its words with the blanks around.
fn fitting(
    cx: Context<'_>,
    hints: Vec<Hint>,
    (mut used, width): (usize, usize),
) -> Vec<(Action, String, String)> {
    let mut fitting = Vec::new();
    // Behind a notice, a later hint alone would read as a part of it.
    let follows_notice = used > 1;
    for (action, words) in hints {
        let (key, words) = (cx.ui.keymap.hint(action), format!(" {words}  "));
        let taken = text::width(&key) + text::width(&words);
        if key.is_empty() {
            continue;
        }
        if used + taken <= width {
            used += taken;
            fitting.push((action, key, words));
        } else if follows_notice {
            break;
        }
    }
    fitting
}

/// Where a click does what the key of a hint does.
pub(in crate::tui) fn targets(cx: Context<'_>, hints: Vec<Hint>) -> Vec<Target> {
    let area = cx.ui.frame().footer;
    if cx.model.search.is_typing() || cx.model.message.is_some() {
        return Vec::new();
    }
    let used = 1 + text::width(&notice(cx, area.width.into()));
    let mut x = area.x + used as u16;
    let fitting = fitting(cx, hints, (used, area.width.into())).into_iter();
    let target = |(action, key, words): (Action, String, String)| {
        let width = (text::width(&key) + text::width(&words)) as u16;
        // The blanks between two hints are of neither.
        let area = Rect::new(x, area.y, width - 2, 1);
        x += width;
        Target { area, action }
    };
    fitting.map(target).collect()
}

/// What is to say of the files of the study, for as long as it is so, in a line of so many columns.
fn notice(cx: Context<'_>, width: usize) -> String {
    let key = cx.ui.keymap.hint(Action::Redraw);
    let notice = cx.model.files.notice(&key);
    let fitted = |words: String| text::fit(&format!("⚠ {words}  "), width.saturating_sub(1));
    notice.map_or(String::new(), fitted)
}

/// How the search matches.
const HOW: &str = "words, ids; else spelt alike; ' exact text";

fn search_line(cx: Context<'_>, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let search = &cx.model.search;
    let note = match search.found(cx.model.view.direction) {
        Some(found) => match cx.model.selection.queries.len() {
            0 if !found.queries.is_empty() => "none in this list".into(),
            listed => found.counted(listed),
        },
        None if search.text().is_empty() => HOW.into(),
        None => "searching …".into(),
    };
    search.line.draw(" / ", (&note, cx.theme.dim), area, cx.theme, buf)
}
