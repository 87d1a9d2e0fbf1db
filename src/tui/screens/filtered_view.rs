//! What the filter in force means for a pane that is no list of queries.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// What a pane is of while a filter is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui::screens) enum Of {
    /// The queries that it lets through.
    Its,
    /// All queries.
    All,
    /// No queries that it could leave out.
    None,
}

impl Of {
    /// In words, and in few.
    fn words(self) -> [&'static str; 2] {
        match self {
            Of::Its => ["of the filter's queries", "filtered"],
            Of::All => ["of all queries, without the filter", "without the filter"],
            Of::None => ["the filter leaves no pick out", "not filtered"],
        }
    }
}

/// A condition that is worth a place, in columns with brackets.
const LEAST_CONDITION: usize = 10;

/// Says on the lower border of a pane what the filter in force means for it, with its condition; nothing without one.
pub(in crate::tui::screens) fn draw<S>(cx: Context<'_, S>, of: Of, area: Rect, buf: &mut Buffer) {
    // Corners, and the blanks around the words.
    let room = usize::from(area.width).saturating_sub(4);
    if !cx.model.has_filter() || area.height < 2 {
        return;
    }
    let words = text::first_fitting(of.words().map(String::from), room);
    let left = room.saturating_sub(text::width(&words) + 1);
    let condition = cx.model.condition().filter(|_| left >= LEAST_CONDITION);
    let condition = condition
        .map_or(String::new(), |condition| format!(" [{}]", text::fit(&condition, left - 2)));
    let y = area.bottom() - 1;
    buf.set_string(area.x + 1, y, format!(" {words}{condition} "), Style::from(cx.theme.dim));
}
