//! Draws the compare screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Cx, detail, queries, ranking, strip_view};
use crate::tui::screens::filtered_view;
use crate::tui::widgets::pane;

/// Draws the list of queries, the rankings, and what is told of the selected query.
pub(super) fn draw(cx: Cx<'_>, body: Rect, buf: &mut Buffer) {
    if cx.model.two().is_none() {
        let inner = pane::frame("compare", "", false, cx.theme, body, buf);
        let words = "One model alone: name two to four score files to see them side by side.";
        let width = usize::from(inner.width.saturating_sub(2));
        buf.set_stringn(inner.x + 2, inner.y, words, width, cx.theme.dim);
        return;
    }
    let areas = cx.areas();
    queries::draw(cx, areas.queries, buf);
    for (column, area) in areas.columns.iter().enumerate() {
        if area.area() > 0 {
            ranking::draw(cx, column, *area, buf);
        }
    }
    let ranking = areas.columns.iter().find(|area| area.area() > 0);
    if let Some(ranking) = ranking {
        filtered_view::draw_beside(cx, areas.queries, *ranking, buf);
    }
    strip_view::draw(cx, buf);
    detail::draw_table(cx, areas.table, buf);
    detail::draw_told(cx, areas.told, buf);
}
