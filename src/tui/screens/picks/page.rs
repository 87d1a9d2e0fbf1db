//! What the screen of picks makes of keys and the mouse.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::rows::Row;
use super::{Cx, Pane, Picks, view};
use crate::tui::action::{Action, Group};
use crate::tui::model::Model;
use crate::tui::model::picks::PickField;
use crate::tui::popups::export::ExportForm;
use crate::tui::popups::prompt::PromptPopup;
use crate::tui::screen::{Call, Hint, Reply, Screen, tell_idle};
use crate::tui::screens::layout::{row_at, rows};
use crate::tui::ui::Ui;

/// Whether it takes a pick, though it changes none that the session keeps.
fn is_of_picks(action: Action) -> bool {
    use Action::{Columns, Copy, DialDown, DialUp, Layout, Models, Plot, Scope};
    matches!(action, Columns | Copy | DialDown | DialUp | Layout | Models | Plot | Scope)
}

impl Screen for Picks {
    fn shown_by(&self) -> Action {
        Action::Picks
    }

    fn title(&self) -> &'static str {
        "Picks"
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let mut reply = Reply::Done;
        match action {
            Action::NextPositive | Action::PreviousPositive | Action::Arrange | Action::Sort => {
                tell_idle(model, ui, action);
            }
            of_picks
                if is_of_picks(of_picks) && model.attempt(|model| model.check_pick()).is_none() => {
            }
            Action::Pick | Action::VerdictClear => remove(model, ui),
            Action::Note => reply = Reply::open(PromptPopup::pick(PickField::Note, model)),
            Action::Heading => reply = Reply::open(PromptPopup::pick(PickField::Heading, model)),
            Action::ModelsBy => reply = Reply::open(PromptPopup::pick(PickField::Models, model)),
            Action::Export => reply = Reply::open(ExportForm::open(model)),
            Action::DialUp => model.turn_depth(1),
            Action::DialDown => model.turn_depth(-1),
            Action::MoveDown => model.move_pick(1),
            Action::MoveUp => model.move_pick(-1),
            Action::Models => model.next_models(),
            Action::Detail => {
                let models = model.selected_pick().map_or(0, |pick| pick.models.len());
                if model.attempt(Model::look_at_pick).is_some() {
                    reply = Reply::Act(if models > 1 { Action::Compare } else { Action::Browse });
                }
            }
            Action::Plot | Action::Scope | Action::Layout | Action::Columns => {
                self.reshape(model, ui, action);
            }
            Action::NextPane | Action::PreviousPane | Action::Left | Action::Right => {
                self.pane = match self.pane {
                    Pane::List => Pane::Figure,
                    Pane::Figure => Pane::List,
                };
            }
            Action::Copy => {
                let line = self.cx(model, ui).copied();
                reply = Reply::copy(model, line);
            }
            movement => self.step(model, ui, movement),
        }
        self.follow(model, ui);
        reply
    }

    fn takes(&self, _model: &Model, _ui: &Ui, action: Action) -> bool {
        use Action::{DialDown, DialUp, Note, Pick, VerdictClear};
        matches!(action, Pick | Note | VerdictClear | DialUp | DialDown)
    }

    fn is_called_by(&self, action: Action) -> Option<Call> {
        match action {
            Action::Export => Some(Call::Does),
            of_picks => (of_picks.group() == Group::Picks).then_some(Call::Shows),
        }
    }

    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint> {
        hints(self.cx(model, ui))
    }

    fn point(&mut self, _model: &mut Model, _ui: &Ui, _target: crate::tui::widgets::hits::Target) {}

    fn wheel(
        &mut self,
        _model: &mut Model,
        _ui: &Ui,
        _list: crate::tui::widgets::hits::ListId,
        _by: isize,
    ) {
    }
    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        view::draw(self.cx(model, ui), body, buf);
    }
}

/// Removes the selected pick, and says how to have it back.
fn remove(model: &mut Model, ui: &Ui) {
    if let Some(what) = model.remove_pick() {
        let key = ui.keymap.hint(Action::Undo);
        model.message = Some(format!("{what}; {key} undoes"));
    }
}

/// The keys that matter, as far as they fit.
/// What the key for the next pane shows: its name where only one pane is in sight.
fn other_pane(cx: Cx<'_>) -> &'static str {
    match (cx.areas().list.area(), cx.areas().figure.area()) {
        (_, 0) => "figure",
        (0, _) => "list",
        _ => "pane",
    }
}

fn hints(cx: Cx<'_>) -> Vec<Hint> {
    let mut hints = vec![(Action::Help, "help"), (Action::Quit, "quit")];
    if cx.model.session.picks().is_empty() {
        hints.extend([
            (Action::Browse, "queries"),
            (Action::Compare, "models side by side"),
            (Action::Errors, "error types"),
            (Action::Undo, "undo"),
        ]);
        return hints;
    }
    hints.extend([
        (Action::NextPane, other_pane(cx)),
        (Action::Export, "export"),
        (Action::Scope, "pick, group, all"),
    ]);
    if cx.ui.picture_way().is_some() {
        let other = if cx.draws_picture() { "text" } else { "picture" };
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

impl Picks {
    fn step(&mut self, model: &mut Model, ui: &Ui, action: Action) {
        let areas = self.cx(model, ui).areas();
        let page = match self.pane {
            Pane::List => rows(areas.list, 0) / 2,
            Pane::Figure => rows(areas.figure, 0),
        };
        let page = page.max(1) as isize;
        if let Some(by) = action.lines(page) {
            self.move_in_picks(model, ui, by);
        }
    }

    /// Selects another pick, or scrolls the figure.
    fn move_in_picks(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        match self.pane {
            Pane::List => {
                let here = model.selected_place().saturating_add_signed(by);
                let last = model.session.picks().len().saturating_sub(1);
                if here.min(last) != model.pick {
                    model.pick = here.min(last);
                    self.scroll = None;
                }
            }
            Pane::Figure => {
                let here = self.cx(model, ui).figure_offset();
                self.scroll = Some(here.saturating_add_signed(by));
            }
        }
    }
}

impl Cx<'_> {
    /// The selected pick as text.
    fn copied(self) -> Option<String> {
        let pick = self.model.selected_pick()?;
        let line = match self.model.shown_by(pick) {
            Ok(wanted) => self.model.named(wanted.direction, wanted.query),
            Err(_) => pick.query.to_string(),
        };
        Some(line)
    }
}

impl Picks {
    /// Scrolls so that the selected pick and its heading are in sight, and the figure does not end
    /// above the screen's end.
    fn follow(&mut self, model: &mut Model, ui: &Ui) {
        model.pick = model.selected_place();
        let here = model.pick;
        let lines = self.cx(model, ui).pick_rows();
        let shown = rows(self.cx(model, ui).areas().list, 0);
        let at = lines.iter().position(|row| *row == Row::Query(here));
        // Out of sight it stays where it was.
        if let Some(at) = at.filter(|_| shown > 0) {
            let is_first = at == 1 || matches!(lines[at - 1], Row::Heading(_));
            let first = at - usize::from(is_first);
            let end = lines.iter().rposition(|row| row.place() == here);
            let last = ui.follow(self.offset, end.unwrap_or(at), shown);
            let offset = ui.follow(last, first, shown);
            self.offset = offset.min(lines.len().saturating_sub(shown));
        }
        self.scroll = self.scroll.map(|_| self.cx(model, ui).figure_offset());
    }
}
