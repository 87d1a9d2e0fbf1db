//! Draws the browse screen.

use ratatui::buffer::Buffer;

use super::{Cx, cards_view, detail, queries, ranking, standing_view};
use crate::tui::screens::filtered_view;
use crate::tui::widgets::picture;

/// Draws the screen's four parts.
pub(super) fn draw(cx: Cx<'_>, buf: &mut Buffer) {
    let areas = cx.areas();
    queries::draw(cx, areas.queries, buf);
    match cx.cards() {
        Some(cards) => cards_view::draw(cx, cards, areas.ranking, buf),
        None => ranking::draw(cx, areas.ranking, buf),
    }
    filtered_view::draw_beside(cx, areas.queries, areas.ranking, buf);
    detail::draw(cx, areas.detail, buf);
    standing_view::draw(cx, areas.standing, buf);
    for place in cx.pictures() {
        picture::draw(cx.ui.pictures.get(place), cx.theme, place.area, buf);
    }
}
