//! Draws the errors screen.

use ratatui::buffer::Buffer;

use super::{Cx, Pane, example_view, hubs_view, kinds_view, rescale_view, words_view};

/// Draws the kinds, what is told of the model and the truth looked at, and what the cursor is on.
pub(super) fn draw(cx: Cx<'_>, buf: &mut Buffer) {
    let areas = cx.areas();
    for pane in Pane::ALL {
        let area = areas.of(pane);
        if area.area() == 0 {
            continue;
        }
        match pane {
            Pane::Kinds => kinds_view::draw(cx, area, buf),
            Pane::Hubs => hubs_view::draw(cx, area, buf),
            Pane::Words => words_view::draw_words(cx, area, buf),
            Pane::Swapped => words_view::draw_swapped(cx, area, buf),
            Pane::WhatIf => rescale_view::draw(cx, area, buf),
        }
    }
    if areas.example.area() > 0 {
        example_view::draw(cx, areas.example, buf);
    }
}
