//! The screen of picks: all of them under headings, and the figure of them as it would be.

mod figure;
mod list;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use crate::error::Error;
use crate::jobs::{Draft, Drafted};
use crate::tui::action::{Action, Group};
use crate::tui::model::Model;
use crate::tui::model::picks::PickField;
use crate::tui::popups::export::ExportForm;
use crate::tui::popups::prompt::PromptPopup;
use crate::tui::screen::{Call, Hint, Reply, Screen, hints_now, tell_idle};
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::hits::{ListId, Target};
use crate::tui::widgets::list::Scrolled;

/// The picks.
const PICKS: ListId = "picks";
/// Their figure.
const FIGURE: ListId = "figure";

/// What keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Pane {
    #[default]
    List,
    Figure,
}

/// A figure that was drawn for the screen, or why there is none.
type Drawn = (Arc<Draft>, Result<Drafted, Error>);

/// State of the screen; the selected pick, and how the figure looks, are those of the model.
#[derive(Debug, Default)]
pub struct Picks {
    pane: Pane,
    list: Scrolled,
    /// How far the figure in text is scrolled.
    pub figure: Scrolled,
    /// Whether a person scrolled it; else it begins with the selected pick.
    is_scrolled: bool,
    /// The figure, once it is drawn.
    pub(crate) drawn: Option<Drawn>,
}

/// What the screen is drawn from.
type Cx<'a> = Context<'a, Picks>;

/// Narrower screens show one part at a time.
const SIDE_BY_SIDE: u16 = 100;

/// The list and the figure in a body; a part of no size is not shown.
fn areas(body: Rect, pane: Pane) -> [Rect; 2] {
    let list = (body.width * 2 / 5).clamp(44, 72);
    body.layout(&Layout::horizontal(match pane {
        _ if body.width >= SIDE_BY_SIDE => [Constraint::Length(list), Constraint::Fill(1)],
        Pane::List => [Constraint::Fill(1), Constraint::Length(0)],
        Pane::Figure => [Constraint::Length(0), Constraint::Fill(1)],
    }))
}

impl Cx<'_> {
    fn areas(self) -> [Rect; 2] {
        let mut areas = areas(self.ui.frame().body, self.state.pane);
        self.ui.zoom(&mut areas, self.state.pane as usize);
        areas
    }

    /// The selected pick as text.
    fn copied(self) -> Option<String> {
        let pick = self.model.selected_pick()?;
        Some(match self.model.shown_by(pick) {
            Ok(wanted) => self.model.named(wanted.direction, wanted.query),
            Err(_) => pick.query.to_string(),
        })
    }
}

impl Picks {
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Cx<'a> {
        Context::new(self, model, ui)
    }

    /// Selects another pick, or scrolls the figure.
    fn step(&mut self, model: &mut Model, by: isize) {
        match self.pane {
            Pane::List => {
                let last = model.session.picks().len().saturating_sub(1);
                let to = model.selected_place().saturating_add_signed(by).min(last);
                self.select(model, to);
            }
            Pane::Figure => {
                self.is_scrolled = true;
                self.figure.scroll(by);
            }
        }
    }

    fn select(&mut self, model: &mut Model, place: usize) {
        if place != model.pick {
            model.pick = place;
            self.is_scrolled = false;
        }
    }
}

impl Screen for Picks {
    fn shown_by(&self) -> Action {
        Action::Picks
    }

    fn title(&self) -> &'static str {
        "Picks"
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        use Action::{Columns, Copy, DialDown, DialUp, Layout, Models, Plot, Scope};
        match action {
            Columns | Copy | DialDown | DialUp | Layout | Models | Plot | Scope
                if model.attempt(|model| model.check_pick()).is_none() => {}
            Action::Pick | Action::VerdictClear => {
                if let Some(what) = model.remove_pick() {
                    let key = ui.keymap.hint(Action::Undo);
                    model.message = Some(format!("{what}; {key} undoes"));
                }
            }
            Action::Note => return Reply::open(PromptPopup::pick(PickField::Note, model)),
            Action::Heading => return Reply::open(PromptPopup::pick(PickField::Heading, model)),
            Action::ModelsBy => return Reply::open(PromptPopup::pick(PickField::Models, model)),
            Action::Export => return Reply::open(ExportForm::open(model)),
            DialUp => model.turn_depth(1),
            DialDown => model.turn_depth(-1),
            Action::MoveDown => model.move_pick(1),
            Action::MoveUp => model.move_pick(-1),
            Models => model.next_models(),
            Action::Detail => {
                let models = model.selected_pick().map_or(0, |pick| pick.models.len());
                if model.attempt(Model::look_at_pick).is_some() {
                    let is_one = models <= 1;
                    return Reply::Act(if is_one { Action::Browse } else { Action::Compare });
                }
            }
            Plot | Scope | Layout | Columns => self.reshape(model, ui, action),
            Action::NextPane | Action::PreviousPane | Action::Left | Action::Right => {
                self.pane = match self.pane {
                    Pane::List => Pane::Figure,
                    Pane::Figure => Pane::List,
                };
            }
            Copy => {
                let line = self.cx(model, ui).copied();
                return Reply::copy(model, line);
            }
            other => {
                let page = match self.pane {
                    Pane::List => self.list.page(),
                    Pane::Figure => self.figure.page(),
                };
                match other.lines(page) {
                    Some(by) => self.step(model, by),
                    None => tell_idle(model, ui, other),
                }
            }
        }
        Reply::Done
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
        let cx = self.cx(model, ui);
        if model.session.picks().is_empty() {
            return hints_now([
                (true, Action::Browse, "queries"),
                (true, Action::Compare, "models side by side"),
                (true, Action::Errors, "error types"),
                (true, Action::Undo, "undo"),
            ]);
        }
        let is_picture = cx.draws_picture();
        hints_now([
            (true, Action::NextPane, "pane"),
            (true, Action::Export, "export"),
            (true, Action::Scope, "pick, group, all"),
            (ui.picture_way().is_some(), Action::Plot, if is_picture { "text" } else { "picture" }),
            (true, Action::Layout, "layout"),
            (true, Action::Columns, "columns"),
            (true, Action::DialUp, "items"),
            (true, Action::Models, "models"),
            (true, Action::MoveDown, "move"),
            (true, Action::Note, "note"),
            (true, Action::Heading, "heading"),
            (true, Action::VerdictClear, "remove"),
            (true, Action::Detail, "open"),
            (true, Action::Undo, "undo"),
        ])
    }

    fn point(&mut self, model: &mut Model, ui: &Ui, target: Target) {
        match target {
            Target::List(FIGURE) => self.pane = Pane::Figure,
            Target::Row(PICKS, row) => {
                self.pane = Pane::List;
                let rows = self.cx(model, ui).rows();
                if let Some(place) = rows.get(row).copied().flatten() {
                    self.select(model, place);
                }
            }
            _ => self.pane = Pane::List,
        }
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize) {
        self.point(model, ui, Target::List(list));
        self.step(model, if list == PICKS { by.signum() } else { by });
    }

    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        if model.session.picks().is_empty() {
            list::draw_none(cx, body, buf);
            return;
        }
        let [list, figure] = cx.areas();
        if list.area() > 0 {
            list::draw(cx, list, buf);
        }
        if figure.area() > 0 {
            figure::draw(cx, figure, buf);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::layout::frame;

    /// At every size the parts fill what is between header and footer, and do not overlap.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 80, 99, 100, 120, 160, 400] {
            for height in [8, 12, 24, 40, 90] {
                for pane in [Pane::List, Pane::Figure] {
                    let body = frame((width, height)).body;
                    let [list, figure] = areas(body, pane);
                    assert_eq!(list.area() + figure.area(), body.area(), "{width}x{height}");
                    assert!(!list.intersects(figure), "{width}x{height}");
                    assert_eq!(list.union(figure).intersection(body).area(), body.area());
                }
            }
        }
    }
}
