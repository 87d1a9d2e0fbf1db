//! Screens, between header and footer.

use std::any::Any;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::Action;
use super::context::{Context, Ui};
pub use super::popup::Hint;
use super::popup::Popup;
use super::state::Model;
use super::state::picks::PickTarget;
use super::state::results::Demand;
use super::ui::hits::{ListId, Target};

/// A screen: its state, key and mouse handling, and drawing.
pub trait Screen: Any {
    /// The action that shows it, and its name in the header and in sessions.
    fn tab(&self) -> Hint;

    /// Drawing context.
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Context<'a, Self>
    where
        Self: Sized,
    {
        Context::new(self, model, ui)
    }

    /// Its needs from the model.
    fn demand(&self) -> Demand {
        Demand::default()
    }

    /// Updates its state from the model, after every event.
    fn sync(&mut self, _model: &mut Model, _ui: &Ui) {}

    /// Handles an action that depends on the screen.
    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply;

    /// Whether it overrides an action that is the same elsewhere.
    fn overrides(&self, _model: &Model, _ui: &Ui, _action: Action) -> bool {
        false
    }

    /// Whether its action shows it from any screen.
    fn calls(&self, _action: Action) -> bool {
        false
    }

    /// The keys that matter here, the most important first.
    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint>;

    /// Handles a click.
    fn click(&mut self, model: &mut Model, ui: &Ui, target: Target);

    /// Handles a turn of the wheel over a list.
    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize);

    /// Draws it between header and footer.
    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer);

    /// Visible query that can be picked.
    fn pick_target(&self, model: &Model, _ui: &Ui) -> Option<PickTarget> {
        model.pick_target()
    }
}

/// Result of an action of a screen.
pub enum Reply {
    /// Nothing.
    Done,
    /// Nothing to do here; a message says so.
    Idle,
    /// Run this action.
    Act(Action),
    /// Open this popup.
    Open(Box<dyn Popup>),
}

impl Reply {
    /// Opens a popup, if there is one.
    pub fn open<P: Popup>(popup: Option<P>) -> Self {
        popup.map_or(Reply::Done, |popup| Reply::Open(Box::new(popup)))
    }
}

/// Keys that apply now.
pub fn hints_now<const N: usize>(keys: [(bool, Action, &'static str); N]) -> Vec<Hint> {
    let now = keys.into_iter().filter(|(is_now, ..)| *is_now);
    now.map(|(_, key, does)| (key, does)).collect()
}

/// The first keys that matter if queries are listed next to rankings.
pub fn list_hints(model: &Model) -> Vec<Hint> {
    let mut hints = vec![(Action::Down, "move"), (Action::NextPane, "pane")];
    if !model.search.text().is_empty() {
        hints.push((Action::Close, "end search"));
    } else if model.has_filter() {
        hints.push((Action::Close, "end filter"));
    }
    hints
}
