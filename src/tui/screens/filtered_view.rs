//! What the filter in force means for a pane, on its lower border.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::tui::model::Model;
use crate::tui::ui::Context;
use crate::tui::widgets::segments::{Segment, Segments};
use crate::tui::widgets::text;

/// What a pane is of while a filter is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui::screens) enum Of {
    /// A list of the queries that it lets through.
    List,
    /// The queries that it lets through.
    Its,
    /// All queries.
    All,
    /// No queries that it could leave out.
    None,
}

/// The condition in force; where it is hidden, that there is one.
pub(in crate::tui::screens) fn condition(model: &Model) -> Option<String> {
    let hidden = || model.has_filter().then(|| "a filter is in force".to_owned());
    model.condition().or_else(hidden)
}

/// Draws the condition in force on the lower border of a pane, with what it means there.
pub(in crate::tui::screens) fn draw<S>(cx: Context<'_, S>, of: Of, area: Rect, buf: &mut Buffer) {
    let Some(condition) = condition(cx.model).filter(|_| area.height > 1) else {
        return;
    };
    let line = |words: &str| Line::styled(words.to_owned(), cx.theme.dim);
    let means = match of {
        Of::List => Segment::new(9, ""),
        Of::Its => Segment::new(2, line(" of the filter's queries")).or(9, line(" filtered")),
        Of::All => Segment::new(2, line(" of all queries, without the filter"))
            .or(9, line(" without the filter")),
        Of::None => {
            Segment::new(2, line(" the filter leaves no pick out")).or(9, line(" not filtered"))
        }
    };
    let longest = text::width(&condition).max(8);
    let form = |columns| line(&format!(" [{}]", text::fit(&condition, columns)));
    let border = Rect { x: area.x + 1, y: area.bottom() - 1, width: area.width - 2, height: 1 };
    let condition = Segment::stretched(1, 8..=longest, form);
    Segments(vec![means, condition, Segment::new(9, " ")]).paint(border, buf);
}

/// Draws the condition on a ranking, where the list of queries is out of sight or cuts it.
pub(in crate::tui::screens) fn draw_beside<S>(
    cx: Context<'_, S>,
    list: Rect,
    ranking: Rect,
    buf: &mut Buffer,
) {
    let width = condition(cx.model).map_or(0, |condition| text::width(&condition));
    // Corners, brackets, and blanks around these.
    if width + 6 > usize::from(list.width) {
        draw(cx, Of::List, ranking, buf);
    }
}
