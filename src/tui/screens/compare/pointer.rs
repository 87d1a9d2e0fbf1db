//! The mouse on the compare screen.

use super::NAMES;
use crate::tui::app::App;
use crate::tui::screens::browse::Pane;
use crate::tui::screens::layout::row_at;

impl App {
    /// Selects what was clicked.
    pub(super) fn compare_click(&mut self, x: u16, y: u16) {
        let areas = self.compare_areas();
        if let Some(row) = row_at(areas.queries, NAMES, x, y) {
            self.browse.pane = Pane::Queries;
            let place = self.browse.offset + row;
            if place < self.browse.queries.len() {
                self.browse_select(place);
                self.compare_follow();
            }
            return;
        }
        let hit = |(column, area)| Some((column, row_at(area, NAMES, x, y)?));
        let Some((column, row)) = areas.columns.iter().copied().enumerate().find_map(hit) else {
            return;
        };
        self.browse.pane = Pane::Ranking;
        self.compare.column = column;
        let place = self.compare.offset + row;
        let ranked = self
            .compared()
            .get(column)
            .copied()
            .and_then(|model| self.ranked_by(model));
        if let Some(&item) = ranked.and_then(|ranked| ranked.ranking.order.get(place)) {
            self.link(item);
        }
        self.compare_follow();
    }

    /// Moves the list or ranking under the pointer.
    pub(super) fn compare_wheel(&mut self, x: u16, y: u16, by: isize) {
        let areas = self.compare_areas();
        let mut columns = areas.columns.iter();
        if areas.queries.contains((x, y).into()) {
            self.browse.pane = Pane::Queries;
        } else if let Some(column) = columns.position(|area| area.contains((x, y).into())) {
            self.browse.pane = Pane::Ranking;
            self.compare.column = column;
        }
        self.compare_move(by);
    }
}
