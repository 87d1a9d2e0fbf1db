//! What the screen of picks makes of keys and the mouse.

use super::Pane;
use super::rows::Row;
use crate::tui::action::Action;
use crate::tui::app::{App, Effect};
use crate::tui::popups::PickField;
use crate::tui::screens::layout::{follow, row_at, rows};
use crate::tui::screens::{Hint, Page};

/// The screen of picks.
pub struct Picking;

impl Page for Picking {
    fn act(&self, app: &mut App, action: Action) -> Option<Effect> {
        match action {
            Action::Pick | Action::VerdictClear => app.remove_pick(),
            Action::Note => app.start_pick_line(PickField::Note),
            Action::DialUp => app.turn_depth(1),
            Action::DialDown => app.turn_depth(-1),
            Action::Detail => app.open_pick(),
            Action::Plot => app.reshape(action),
            Action::NextPane | Action::PreviousPane | Action::Left | Action::Right => {
                app.other_pane();
            }
            Action::Copy => return app.copy_pick().map(Effect::Copy),
            movement => app.picks_move(movement),
        }
        app.picks_follow();
        None
    }

    fn takes(&self, _app: &App, action: Action) -> bool {
        use Action::{DialDown, DialUp, Note, Pick, VerdictClear};
        matches!(action, Pick | Note | VerdictClear | DialUp | DialDown)
    }

    fn hints(&self, app: &App) -> Vec<Hint> {
        hints(app)
    }

    fn click(&self, app: &mut App, x: u16, y: u16) {
        let areas = app.picks_areas();
        if areas.figure.contains((x, y).into()) {
            app.picks.pane = Pane::Figure;
        } else if let Some(row) = row_at(areas.list, 0, x, y) {
            app.picks.pane = Pane::List;
            if let Some(row) = app.pick_rows().get(app.picks.offset + row) {
                app.picks.selected = row.place();
            }
        }
        app.picks_follow();
    }

    fn wheel(&self, app: &mut App, x: u16, y: u16, by: isize) {
        let areas = app.picks_areas();
        if areas.figure.contains((x, y).into()) {
            app.picks.pane = Pane::Figure;
            app.move_in_picks(by);
        } else if areas.list.contains((x, y).into()) {
            app.picks.pane = Pane::List;
            app.move_in_picks(by.signum());
        }
        app.picks_follow();
    }

    fn follow(&self, app: &mut App) {
        app.picks_follow();
    }
}

/// The keys that matter, as far as they fit.
fn hints(app: &App) -> Vec<Hint> {
    let mut hints = vec![(Action::Help, "help"), (Action::Quit, "quit")];
    if app.session.picks().is_empty() {
        hints.extend([
            (Action::Browse, "queries"),
            (Action::Compare, "models side by side"),
            (Action::Errors, "error types"),
            (Action::Undo, "undo"),
        ]);
        return hints;
    }
    hints.extend([
        (Action::NextPane, "pane"),
        (Action::Export, "export"),
        (Action::Scope, "pick, group, all"),
    ]);
    if app.picture_way().is_some() {
        let other = if app.draws_picture() {
            "text"
        } else {
            "picture"
        };
        hints.push((Action::Plot, other));
    }
    hints.extend([
        (Action::Layout, "layout"),
        (Action::Columns, "columns"),
        (Action::DialUp, "items"),
        (Action::Models, "models"),
        (Action::MoveDown, "move"),
        (Action::Note, "note"),
        (Action::Heading, "heading"),
        (Action::VerdictClear, "remove"),
        (Action::Detail, "open"),
        (Action::Undo, "undo"),
    ]);
    hints
}

impl App {
    fn picks_move(&mut self, action: Action) {
        let areas = self.picks_areas();
        let page = match self.picks.pane {
            Pane::List => rows(areas.list, 0) / 2,
            Pane::Figure => rows(areas.figure, 0),
        };
        let page = page.max(1) as isize;
        match action {
            Action::Down => self.move_in_picks(1),
            Action::Up => self.move_in_picks(-1),
            Action::PageDown => self.move_in_picks(page),
            Action::PageUp => self.move_in_picks(-page),
            Action::First => self.move_in_picks(isize::MIN / 2),
            Action::Last => self.move_in_picks(isize::MAX / 2),
            _ => {}
        }
    }

    /// Selects another pick, or scrolls the figure.
    fn move_in_picks(&mut self, by: isize) {
        match self.picks.pane {
            Pane::List => {
                let here = self.picks_selected().saturating_add_signed(by);
                let last = self.session.picks().len().saturating_sub(1);
                if here.min(last) != self.picks.selected {
                    self.picks.selected = here.min(last);
                    self.picks.scroll = 0;
                }
            }
            Pane::Figure => self.picks.scroll = self.picks.scroll.saturating_add_signed(by),
        }
    }

    /// Scrolls so that the selected pick and its heading are in sight, and the figure does not end
    /// above the screen's end.
    pub(super) fn picks_follow(&mut self) {
        self.picks.selected = self.picks_selected();
        let here = self.picks.selected;
        let lines = self.pick_rows();
        let shown = rows(self.picks_areas().list, 0);
        if let Some(at) = lines.iter().position(|row| *row == Row::Query(here)) {
            let is_first = at == 1 || matches!(lines[at - 1], Row::Heading(_));
            let first = at - usize::from(is_first);
            let last = follow(self.picks.offset, at + 1, shown);
            self.picks.offset = follow(last, first, shown);
        }
        let most = self.figure_lines().len();
        let room = rows(self.picks_areas().figure, 0);
        self.picks.scroll = self.picks.scroll.min(most.saturating_sub(room));
    }

    /// The selected pick as text.
    fn copy_pick(&mut self) -> Option<String> {
        let pick = self.selected_pick()?;
        let line = match self.shown_by(pick) {
            Ok(wanted) => self.named(wanted.direction, wanted.query),
            Err(_) => pick.query.to_string(),
        };
        Some(self.copied(line))
    }
}
