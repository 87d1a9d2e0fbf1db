//! The mouse on the compare screen.

use super::{Compare, NAMES};
use crate::tui::model::Model;
use crate::tui::model::query_list::Pane;
use crate::tui::screen::Screen;
use crate::tui::screens::layout::row_at;
use crate::tui::ui::Ui;

impl Compare {
    /// Selects what was clicked.
    pub(super) fn click_at(&mut self, model: &mut Model, ui: &Ui, (x, y): (u16, u16)) {
        let areas = self.cx(model, ui).areas();
        if let Some(row) = row_at(areas.queries, NAMES, x, y) {
            model.selection.pane = Pane::Queries;
            let place = model.selection.offset + row;
            if place < model.selection.queries.len() {
                model.select_query(place);
                self.follow(model, ui);
            }
            return;
        }
        if let Some((column, item)) = self.cx(model, ui).card_at(x, y) {
            self.select(model, ui, column, Some(item));
            return;
        }
        let hit = |(column, area)| Some((column, row_at(area, NAMES, x, y)?));
        let Some((column, row)) = areas.columns.iter().copied().enumerate().find_map(hit) else {
            return;
        };
        let place = self.offset + row;
        let compared = model.compared().get(column).copied();
        let ranked = compared.and_then(|of| model.ranked_by(of));
        let item = ranked.and_then(|ranked| ranked.ranking.order.get(place).copied());
        self.select(model, ui, column, item);
    }

    /// Gives keys to a ranking, and links an item of it.
    fn select(&mut self, model: &mut Model, ui: &Ui, column: usize, item: Option<u32>) {
        model.selection.pane = Pane::Ranking;
        self.column = column;
        if let Some(item) = item {
            model.link(item);
        }
        self.follow_cursor(model, ui);
    }

    /// Moves the list or ranking under the pointer.
    pub(super) fn wheel_at(&mut self, model: &mut Model, ui: &Ui, (x, y): (u16, u16), by: isize) {
        let areas = self.cx(model, ui).areas();
        let mut columns = areas.columns.iter();
        if areas.queries.contains((x, y).into()) {
            model.selection.pane = Pane::Queries;
        } else if let Some(column) = columns.position(|area| area.contains((x, y).into())) {
            model.selection.pane = Pane::Ranking;
            self.column = column;
        } else if let Some((column, _)) = self.cx(model, ui).card_at(x, y) {
            model.selection.pane = Pane::Ranking;
            self.column = column;
        }
        self.step(model, ui, by);
    }
}
