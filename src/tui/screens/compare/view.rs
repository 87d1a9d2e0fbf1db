//! Draws the compare screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{detail, queries, ranking};
use crate::tui::app::App;
use crate::tui::widgets::pane;

/// Draws the list of queries, the rankings, and what is told of the selected query.
pub fn draw(app: &App, body: Rect, buf: &mut Buffer) {
    if app.two().is_none() {
        let inner = pane::frame("compare", "", false, &app.theme, body, buf);
        let words = "One model alone: name two to four score files to see them side by side.";
        let width = usize::from(inner.width.saturating_sub(2));
        buf.set_stringn(inner.x + 2, inner.y, words, width, app.theme.dim);
        return;
    }
    let areas = app.compare_areas();
    queries::draw(app, areas.queries, buf);
    for (column, area) in areas.columns.iter().enumerate() {
        ranking::draw(app, column, *area, buf);
    }
    detail::draw_table(app, areas.table, buf);
    detail::draw_told(app, areas.told, buf);
}
