//! The mouse on the browse screen.

use ratatui::layout::Rect;

use super::{Pane, layout};
use crate::tui::app::App;

impl App {
    /// Selects what was clicked.
    pub fn click(&mut self, x: u16, y: u16) {
        let areas = self.areas();
        if self.is_on_slider(x, y) {
            self.begin_drag(x);
        } else if let Some(row) = layout::row_at(areas.queries, x, y) {
            self.browse.pane = Pane::Queries;
            let place = self.browse.offset + row;
            if place < self.browse.queries.len() {
                self.browse_select(place);
            }
        } else if let Some(row) = layout::row_at(areas.ranking, x, y) {
            self.browse.pane = Pane::Ranking;
            let place = self.browse.item_offset + row;
            if self.item_at(place).is_some() {
                self.browse.item = place;
            }
        }
    }

    fn is_on_slider(&self, x: u16, y: u16) -> bool {
        y == 0 && self.slider().is_some_and(|slider| slider.is_at(x))
    }

    /// Moves the list under the pointer, or turns alpha over its slider and the truth's dial over the
    /// rest of the header.
    pub fn wheel(&mut self, x: u16, y: u16, by: isize) {
        let over = |area: Rect| area.contains((x, y).into());
        let areas = self.areas();
        if self.is_on_slider(x, y) {
            return self.turn_alpha(if by < 0 { 5 } else { -5 });
        }
        if over(areas.header) {
            return self.turn_dial(by < 0);
        }
        if over(areas.queries) {
            self.browse.pane = Pane::Queries;
        } else if over(areas.ranking) {
            self.browse.pane = Pane::Ranking;
        }
        self.browse_move(by);
    }
}
