//! What the errors screen makes of keys and the mouse.

use super::grid::Grid;
use super::layout::NAMES;
use super::{Pane, hubs_view, words_view};
use crate::tui::action::Action;
use crate::tui::app::{App, Effect};
use crate::tui::screens::layout::{follow, row_at, rows};
use crate::tui::screens::{Hint, Page, Screen};

/// The errors screen.
pub struct Explaining;

impl Page for Explaining {
    fn act(&self, app: &mut App, action: Action) -> Option<Effect> {
        match action {
            Action::NextPane => app.errors.go_to(app.errors.pane.stepped(1)),
            Action::PreviousPane => app.errors.go_to(app.errors.pane.stepped(-1)),
            Action::NextPositive => app.step_example(1),
            Action::PreviousPositive => app.step_example(-1),
            Action::Sort => app.next_errors_order(),
            Action::Copy => return app.copy_errors().map(Effect::Copy),
            Action::Detail => app.open_errors(),
            Action::Pick => app.toggle_pick(),
            movement => app.errors_move(movement),
        }
        app.errors_follow();
        None
    }

    /// The example can be picked, though nothing else is done to it.
    fn takes(&self, app: &App, action: Action) -> bool {
        action == Action::Pick && app.errors_query().is_some()
    }

    fn hints(&self, app: &App) -> Vec<Hint> {
        let mut hints = vec![
            (Action::Help, "help"),
            (Action::Quit, "quit"),
            (Action::Down, "move"),
            (Action::NextPane, "pane"),
        ];
        hints.extend(match app.errors.pane {
            Pane::Kinds => vec![
                (Action::Detail, "list queries"),
                (Action::NextPositive, "next example"),
                (Action::Pick, "pick"),
            ],
            Pane::Hubs => vec![(Action::Detail, "list false top-1"), (Action::Sort, "sort")],
            Pane::Words | Pane::Swapped => vec![(Action::Sort, "sort")],
            Pane::WhatIf => Vec::new(),
        });
        hints.extend([
            (Action::WhatIf, "what if rescaled"),
            (Action::NextModel, "model"),
            (Action::NextTruth, "truth"),
            (Action::Direction, "direction"),
            (Action::Define, "definitions"),
            (Action::Copy, "copy row"),
            (Action::Undo, "undo"),
        ]);
        hints
    }

    fn click(&self, app: &mut App, x: u16, y: u16) {
        let areas = app.errors_areas();
        let table = areas.of(Pane::Kinds);
        let offset = app.errors.place(Pane::Kinds).offset;
        if let Some((row, column)) = Grid::of(app, table).at(table, offset, x, y) {
            app.errors.go_to(Pane::Kinds);
            app.select_row(row);
            if let Some(view) = column {
                app.errors.column = Some((app.view, view));
            }
            return;
        }
        let mut panes = Pane::ALL.into_iter();
        let Some(pane) = panes.find(|pane| areas.of(*pane).contains((x, y).into())) else {
            return;
        };
        app.errors.go_to(pane);
        if let Some(row) = row_at(areas.of(pane), names(pane), x, y) {
            app.select_row(app.errors.place(pane).offset + row);
        }
    }

    fn wheel(&self, app: &mut App, x: u16, y: u16, by: isize) {
        let areas = app.errors_areas();
        let mut panes = Pane::ALL.into_iter();
        if let Some(pane) = panes.find(|pane| areas.of(*pane).contains((x, y).into())) {
            app.errors.go_to(pane);
            app.move_error(by);
            app.errors_follow();
        }
    }

    fn follow(&self, app: &mut App) {
        app.errors_follow();
    }
}

/// Lines above a pane's list.
fn names(pane: Pane) -> u16 {
    match pane {
        Pane::Kinds => NAMES,
        Pane::Hubs => hubs_view::NAMES,
        Pane::Words | Pane::Swapped => words_view::NAMES,
        Pane::WhatIf => 0,
    }
}

impl App {
    /// Shows what rescaled scores would give, and has it computed.
    pub(in crate::tui) fn open_what_if(&mut self) {
        self.show(Screen::Errors);
        self.errors.go_to(Pane::WhatIf);
        self.ask_what_if();
        self.errors_follow();
    }

    fn errors_move(&mut self, action: Action) {
        let pane = self.errors.pane;
        let page = rows(self.errors_areas().of(pane), names(pane)).max(1) as isize;
        match action {
            Action::Down => self.move_error(1),
            Action::Up => self.move_error(-1),
            Action::PageDown => self.move_error(page),
            Action::PageUp => self.move_error(-page),
            Action::First => self.move_error(isize::MIN / 2),
            Action::Last => self.move_error(isize::MAX / 2),
            Action::Left if pane == Pane::Kinds => self.move_error_column(-1),
            Action::Right if pane == Pane::Kinds => self.move_error_column(1),
            Action::Left => self.errors.go_to(pane.stepped(-1)),
            Action::Right => self.errors.go_to(pane.stepped(1)),
            _ => {}
        }
    }

    /// Moves the selection of the list that keys go to.
    fn move_error(&mut self, by: isize) {
        let last = self.errors_count(self.errors.pane).saturating_sub(1);
        let here = self.errors.place(self.errors.pane).selected.min(last);
        self.select_row(here.saturating_add_signed(by));
    }

    /// Selects a row of the list that keys go to.
    fn select_row(&mut self, row: usize) {
        let pane = self.errors.pane;
        let last = self.errors_count(pane).saturating_sub(1);
        let place = self.errors.place_mut(pane);
        if place.selected != row.min(last) {
            place.selected = row.min(last);
            if pane == Pane::Kinds {
                self.errors.example = 0;
            }
        }
    }

    fn move_error_column(&mut self, by: isize) {
        let columns = self.errors_columns();
        let here = self.errors_view();
        let at = columns.iter().position(|view| *view == here).unwrap_or(0);
        if let Some(&to) = columns.get(at.saturating_add_signed(by)) {
            self.errors.column = Some((self.view, to));
            self.errors.example = 0;
        }
    }

    /// Scrolls every list so that its selected row is in sight.
    pub(super) fn errors_follow(&mut self) {
        let areas = self.errors_areas();
        for pane in Pane::ALL {
            let shown = rows(areas.of(pane), names(pane));
            let count = self.errors_count(pane);
            let place = self.errors.place_mut(pane);
            // A list that is not there yet is gone back to where it was.
            let selected = place.selected.min(count.saturating_sub(1));
            if count > 0 {
                place.offset = follow(place.offset, selected, shown);
            }
        }
    }
}
