//! Draws the browse screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{detail, footer, header, queries, ranking};
use crate::tui::app::App;
use crate::tui::widgets::text;

/// Draws the whole screen; gives the cursor's place while something is typed.
pub fn draw(app: &App, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    buf.set_style(screen, app.theme.base);
    let areas = app.areas();
    if areas.is_too_small() {
        too_small(app, screen, buf);
        return None;
    }
    header::draw(app, areas.header, buf);
    queries::draw(app, areas.queries, buf);
    ranking::draw(app, areas.ranking, buf);
    detail::draw_item(app, areas.detail, buf);
    detail::draw_standing(app, areas.standing, buf);
    footer::draw(app, areas.footer, buf)
}

fn too_small(app: &App, screen: Rect, buf: &mut Buffer) {
    let width = usize::from(screen.width);
    let size = format!("{}x{}", screen.width, screen.height);
    let lines = [
        format!("{size} is too small"),
        "needs 40x8".to_owned(),
        "q leaves".to_owned(),
    ];
    for (line, y) in lines.iter().zip(screen.top()..screen.bottom()) {
        buf.set_string(screen.x, y, text::fit(line, width), app.theme.base);
    }
}
