//! A line over the footer in which a text is typed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::tui::line::TextLine;
use crate::tui::theme::{Theme, ThemeStyle};
use crate::tui::ui::Context;
use crate::tui::widgets::{message, text};

/// Columns that the text needs before there is room for a hint: what is typed and a few more, within these.
const LEAST: std::ops::RangeInclusive<usize> = 8..=24;

/// Draws a line with what stands before it and, where there is room, a hint after it.
pub(in crate::tui) fn draw(
    line: &TextLine,
    [label, hint]: [&str; 2],
    style: ThemeStyle,
    cx: Context<'_>,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let area = cx.ui.frame().footer;
    if area.area() == 0 {
        return None;
    }
    Clear.render(area, buf);
    buf.set_style(area, cx.theme.base);
    buf.set_style(area, cx.theme.header);
    let (columns, input) = (usize::from(area.width), line.input());
    // What was just said of the line itself comes first.
    let told = cx.model.message.as_ref().map(|message| format!("{message}  "));
    let (hint, style) = told.as_deref().map_or((hint, style), |told| (told, cx.theme.warning));
    let (before, hinted) = (text::width(label), text::width(hint));
    let least = (text::width(input.value()) + 2).clamp(*LEAST.start(), *LEAST.end());
    let after = if columns >= before + least + hinted { hinted + 1 } else { 1 };
    let room = columns.saturating_sub(before + after);
    let scroll = input.visual_scroll(room);
    let mut spans = vec![Span::styled(label.to_owned(), cx.theme.key)];
    spans.extend(typed(line, scroll, room, cx.theme));
    buf.set_line(area.x, area.y, &Line::from(spans), area.width);
    if after > hinted {
        let x = area.right() - hinted as u16;
        buf.set_string(x, area.y, hint, style);
    } else {
        let above = Rect { y: area.y.saturating_sub(1), ..area };
        if let Some(words) = &cx.model.message {
            message::draw(words, cx.theme, above, buf);
        }
    }
    let cursor = before + input.visual_cursor().saturating_sub(scroll);
    Some(((area.x + cursor as u16).min(area.right() - 1), area.y))
}

/// What of a line is in sight in so many columns, after the first `scroll`; what the program proposes looks selected.
pub(in crate::tui) fn typed(
    line: &TextLine,
    scroll: usize,
    room: usize,
    theme: &Theme,
) -> [Span<'static>; 2] {
    let seen = text::fit(text::after(line.text(), scroll), room);
    let rest = " ".repeat(room.saturating_sub(text::width(&seen)));
    let look = if line.is_proposed() { theme.selected.into() } else { Style::default() };
    [Span::styled(seen, look), Span::raw(rest)]
}
