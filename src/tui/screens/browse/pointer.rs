//! The mouse on the browse screen.

use ratatui::layout::Rect;

use super::page::step;
use super::{Browse, NAMES};
use crate::tui::model::Model;
use crate::tui::model::query_list::Pane;
use crate::tui::screen::Screen;
use crate::tui::screens::layout::row_at;
use crate::tui::ui::Ui;

impl Browse {
    /// Selects what was clicked.
    pub(super) fn click_at(&mut self, model: &mut Model, ui: &Ui, (x, y): (u16, u16)) {
        let areas = self.cx(model, ui).areas();
        if let Some(row) = row_at(areas.queries, NAMES, x, y) {
            model.selection.pane = Pane::Queries;
            let place = model.selection.offset + row;
            if place < model.selection.queries.len() {
                model.select_query(place);
            }
        } else if let Some(cards) = self.cx(model, ui).cards() {
            if let Some(at) = cards.at(x, y) {
                self.select_item(model, at);
            }
        } else if let Some(row) = row_at(areas.ranking, NAMES, x, y) {
            let at = row / usize::from(self.cx(model, ui).item_rows());
            // Below the last item that has room there are rows.
            if at < self.cx(model, ui).items_in_sight() {
                self.select_item(model, at);
            }
        }
    }

    /// Selects the n-th item in sight, if there are so many.
    fn select_item(&self, model: &mut Model, at: usize) {
        model.selection.pane = Pane::Ranking;
        let place = self.item_offset + at;
        if model.listed_item(place).is_some() {
            model.select_listed(place);
        }
    }

    /// Moves the list under the pointer.
    pub(super) fn wheel_at(&mut self, model: &mut Model, ui: &Ui, (x, y): (u16, u16), by: isize) {
        let over = |area: Rect| area.contains((x, y).into());
        let areas = self.cx(model, ui).areas();
        if over(areas.queries) {
            model.selection.pane = Pane::Queries;
        } else if over(areas.ranking) {
            model.selection.pane = Pane::Ranking;
        }
        let cx = self.cx(model, ui);
        let is_tall =
            model.selection.pane == Pane::Ranking && (cx.item_rows() > 1 || cx.shows_cards());
        let by = if is_tall { by.signum() * cx.line_items() } else { by };
        step(model, by);
        self.follow(model, ui);
    }
}
