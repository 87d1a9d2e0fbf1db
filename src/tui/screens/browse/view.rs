//! Draws the browse screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{detail, queries, ranking};
use crate::tui::app::App;
use crate::tui::widgets::picture;

/// Draws the screen's four parts.
pub fn draw(app: &App, _body: Rect, buf: &mut Buffer) {
    let areas = app.areas();
    queries::draw(app, areas.queries, buf);
    ranking::draw(app, areas.ranking, buf);
    detail::draw_item(app, areas.detail, buf);
    detail::draw_standing(app, areas.standing, buf);
    for place in app.screen_pictures() {
        picture::draw(app.pictures.get(place), &app.theme, place.area, buf);
    }
}
