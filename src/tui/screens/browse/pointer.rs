//! The mouse on the browse screen.

use ratatui::layout::Rect;

use super::{NAMES, Pane};
use crate::tui::app::App;
use crate::tui::screens::layout::row_at;

impl App {
    /// Selects what was clicked.
    pub(super) fn browse_click(&mut self, x: u16, y: u16) {
        let areas = self.areas();
        if let Some(row) = row_at(areas.queries, NAMES, x, y) {
            self.browse.pane = Pane::Queries;
            let place = self.browse.offset + row;
            if place < self.browse.queries.len() {
                self.browse_select(place);
            }
        } else if let Some(row) = row_at(areas.ranking, NAMES, x, y) {
            self.browse.pane = Pane::Ranking;
            let at = row / usize::from(self.item_rows());
            // Rows below the last item that has room.
            if at >= self.items_in_sight() {
                return;
            }
            let place = self.browse.item_offset + at;
            if self.item_at(place).is_some() {
                self.browse.item = place;
            }
        }
    }

    /// Moves the list under the pointer.
    pub(super) fn browse_wheel(&mut self, x: u16, y: u16, by: isize) {
        let over = |area: Rect| area.contains((x, y).into());
        let areas = self.areas();
        if over(areas.queries) {
            self.browse.pane = Pane::Queries;
        } else if over(areas.ranking) {
            self.browse.pane = Pane::Ranking;
        }
        let is_tall = self.browse.pane == Pane::Ranking && self.item_rows() > 1;
        self.browse_move(if is_tall { by.signum() } else { by });
    }
}
