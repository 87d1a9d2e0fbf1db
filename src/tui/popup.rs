//! Popups on top of a screen.

use std::any::Any;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::Action;
use super::context::{Context, Ui};
use super::keymap::Key;
use super::state::Model;
use super::state::results::PopupNeeds;
use super::ui::hits::Target;
use super::ui::prompt::PromptLine;

/// A popup on top of a screen; one at a time.
pub trait Popup: Any {
    /// The action that opens it, and closes it again.
    fn opened_by(&self) -> Action;

    /// Handles a key before its bindings apply.
    fn key(&mut self, _key: Key, _model: &mut Model) -> Answer {
        Answer::Pass
    }

    /// Handles an action.
    fn act(&mut self, _action: Action, _model: &mut Model) -> Answer {
        Answer::Pass
    }

    /// The open text input, which receives pasted text; `None` if there is none.
    fn prompt(&mut self) -> Option<&mut PromptLine> {
        None
    }

    /// Called after text was pasted into its input.
    fn on_edit(&mut self, _model: &Model) {}

    /// Index of the selected entry, to read or change, and the number of entries; `None` without a list.
    fn selection(&mut self, _model: &Model) -> Option<(&mut usize, usize)> {
        None
    }

    /// Scrolls its text, or moves the selection, by lines.
    fn scroll(&mut self, by: isize, model: &Model) {
        if let Some((selected, count)) = self.selection(model) {
            *selected = selected.saturating_add_signed(by).min(count.saturating_sub(1));
        }
    }

    /// Handles a click: by default it selects an entry.
    fn click(&mut self, target: Target, model: &mut Model, _ui: &Ui) {
        if let (Target::Row(_, row), Some((selected, _))) = (target, self.selection(model)) {
            *selected = row;
        }
    }

    /// Called after a resize or a change of the model.
    fn refresh(&mut self, _model: &Model) {}

    /// Whether it closes, as its task is done or its subject is gone; called after [`Popup::refresh`].
    fn is_done(&self, _model: &Model) -> bool {
        false
    }

    /// Takes out the popup that it covers, which reappears once it closes.
    fn take_below(&mut self) -> Option<Box<dyn Popup>> {
        None
    }

    /// Actions that it handles, for the footer and the help, the most important first.
    fn hints(&self, _model: &Model) -> Vec<Hint> {
        vec![(Action::Close, "close")]
    }

    /// Keys of the text input with descriptions, shown in the footer before the hints.
    fn prompt_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Results that the model has to compute while it is open.
    fn needs(&self) -> PopupNeeds {
        PopupNeeds::Nothing
    }

    /// Draws it over `screen`, the area between header and footer; returns column and row of the cursor, if any.
    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)>;
}

/// Reply of a popup to a key or action.
pub enum Answer {
    /// Not handled: the key or action has the same effect as in all popups.
    Pass,
    /// Stay open, and run this action on the screen.
    Below(Action),
    /// Stay open.
    Stay,
    /// Close.
    Close,
    /// Close, and run this action.
    Act(Action),
}

/// An action with a description of a few words.
pub type Hint = (Action, &'static str);

/// Actions that respond to the selected pair.
pub(super) const RESPONSE_HINTS: [Hint; 4] = [
    (Action::JudgeYes, "relevant"),
    (Action::JudgePartial, "partly"),
    (Action::JudgeNo, "not relevant"),
    (Action::CantTell, "can't tell"),
];

/// Actions of the judging mode, the most important first.
pub(super) fn judging_hints(model: &Model) -> Vec<Hint> {
    let mut hints = RESPONSE_HINTS.to_vec();
    if model.queue.is_some() {
        hints.push((Action::PutOff, "later"));
    }
    hints.extend([(Action::Undo, "undo"), (Action::Detail, "detail"), (Action::Close, "end")]);
    hints
}
