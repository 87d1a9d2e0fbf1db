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
    /// The action that shows it, and its title in the header and in sessions.
    fn tab(&self) -> Hint;

    /// Context of its state, for drawing.
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Context<'a, Self>
    where
        Self: Sized,
    {
        Context::new(self, model, ui)
    }

    /// Results that the model has to compute while it is shown.
    fn demand(&self) -> Demand {
        Demand::default()
    }

    /// Updates its state from the model, after every event.
    fn sync(&mut self, _model: &mut Model, _ui: &Ui) {}

    /// Handles an action that has no effect common to all screens.
    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply;

    /// Whether it handles an action itself that otherwise has the same effect on every screen.
    fn overrides(&self, _model: &Model, _ui: &Ui, _action: Action) -> bool {
        false
    }

    /// Whether an action belongs to it: from another screen, the action shows this one first.
    fn owns(&self, _action: Action) -> bool {
        false
    }

    /// Actions of the footer, the most important first.
    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint>;

    /// Handles a click.
    fn click(&mut self, model: &mut Model, ui: &Ui, target: Target);

    /// Scrolls a list by lines, after a turn of the wheel over it.
    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize);

    /// Draws it between header and footer.
    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer);

    /// The query that a pick or a note applies to; `None` if none is visible.
    fn pick_target(&self, model: &Model, _ui: &Ui) -> Option<PickTarget> {
        model.pick_target()
    }
}

/// Result of [`Screen::update`].
pub enum Reply {
    /// The action is done.
    Done,
    /// The action does nothing on this screen: the caller shows a message.
    Idle,
    /// Run this action.
    Act(Action),
    /// Open this popup.
    Open(Box<dyn Popup>),
}

impl Reply {
    /// [`Reply::Open`] for a popup, [`Reply::Done`] for `None`.
    pub fn open<P: Popup>(popup: Option<P>) -> Self {
        popup.map_or(Reply::Done, |popup| Reply::Open(Box::new(popup)))
    }
}

/// Hints of the actions whose flag says that they apply now.
pub fn enabled_hints<const N: usize>(hints: [(bool, Action, &'static str); N]) -> Vec<Hint> {
    let enabled = hints.into_iter().filter(|(is_enabled, ..)| *is_enabled);
    enabled.map(|(_, action, words)| (action, words)).collect()
}

/// First hints of a screen that lists queries next to their rankings.
pub fn list_hints(model: &Model) -> Vec<Hint> {
    let mut hints = vec![(Action::Down, "move"), (Action::NextPane, "pane")];
    if !model.search.text().is_empty() {
        hints.push((Action::Close, "end search"));
    } else if model.has_filter() {
        hints.push((Action::Close, "end filter"));
    }
    hints
}
