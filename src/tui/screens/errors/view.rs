//! Draws the errors screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Pane, example_view, hubs_view, kinds_view, rescale_view, words_view};
use crate::tui::app::App;

/// Draws the kinds, what is told of the model and the truth looked at, and what the cursor is on.
pub fn draw(app: &App, _body: Rect, buf: &mut Buffer) {
    let areas = app.errors_areas();
    for pane in Pane::ALL {
        let area = areas.of(pane);
        if area.area() == 0 {
            continue;
        }
        match pane {
            Pane::Kinds => kinds_view::draw(app, area, buf),
            Pane::Hubs => hubs_view::draw(app, area, buf),
            Pane::Words => words_view::draw_words(app, area, buf),
            Pane::Swapped => words_view::draw_swapped(app, area, buf),
            Pane::WhatIf => rescale_view::draw(app, area, buf),
        }
    }
    if areas.example.area() > 0 {
        example_view::draw(app, areas.example, buf);
    }
}
