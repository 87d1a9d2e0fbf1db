//! What opens on top of a screen.

use std::any::Any;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::Action;
use super::context::{Context, Ui};
use super::keymap::Key;
use super::state::Model;
use super::state::results::Asked;
use super::ui::hits::Target;
use super::ui::prompt::PromptLine;

/// What is open on top of a screen; one at a time.
pub trait Popup: Any {
    /// The action that opens it, and closes it again.
    fn opened_by(&self) -> Action;

    /// Takes a key before the bindings do.
    fn key(&mut self, _key: Key, _model: &mut Model) -> Answer {
        Answer::Pass
    }

    /// Takes an action that a key is bound to.
    fn act(&mut self, _action: Action, _model: &mut Model) -> Answer {
        Answer::Pass
    }

    /// The line that is typed into, to which pasted text goes.
    fn prompt(&mut self) -> Option<&mut PromptLine> {
        None
    }

    /// Takes notice of what was pasted into its line.
    fn edited(&mut self, _model: &Model) {}

    /// The place of the selected entry of its list, and how many entries there are.
    fn selected(&mut self, _model: &Model) -> Option<(&mut usize, usize)> {
        None
    }

    /// Scrolls its text, or selects the entry so many lines further down.
    fn scroll(&mut self, by: isize, model: &Model) {
        if let Some((selected, count)) = self.selected(model) {
            *selected = selected.saturating_add_signed(by).min(count.saturating_sub(1));
        }
    }

    /// Takes a click on what it drew: by default it selects an entry.
    fn point(&mut self, target: Target, model: &mut Model, _ui: &Ui) {
        if let (Target::Row(_, at), Some((selected, _))) = (target, self.selected(model)) {
            *selected = at;
        }
    }

    /// Takes notice of another size of the terminal or other facts.
    fn refresh(&mut self, _model: &Model) {}

    /// Whether what it was open for is done, or what it is about is no longer there, so that it closes; asked after [`Popup::refresh`].
    fn is_done(&self, _model: &Model) -> bool {
        false
    }

    /// What it was opened from, which is there again once it closes.
    fn below(&mut self) -> Option<Box<dyn Popup>> {
        None
    }

    /// The keys that matter in it, for the footer where that is in sight. They are its own whatever they do
    /// elsewhere.
    fn hints(&self, _model: &Model) -> Vec<Hint> {
        vec![(Action::Close, "close")]
    }

    /// Keys of the line that is typed, with what they do: they stand before the hints.
    fn typed_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// What it asks of the model.
    fn asks(&self) -> Asked {
        Asked::Nothing
    }

    /// Draws it over `screen`; gives the cursor's place, where there is one.
    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)>;
}

/// What a popup makes of a key or an action.
pub enum Answer {
    /// It is none of its own: what all popups do with it.
    Pass,
    /// It stays open, and this action is done as without it.
    Below(Action),
    /// Done; it stays open.
    Stay,
    /// Done; it closes.
    Close,
    /// It closes, and this action is done.
    Act(Action),
}

/// A key that matters somewhere, and what it does there.
pub type Hint = (Action, &'static str);

/// The keys of answers.
pub(super) const ANSWERS: [Hint; 4] = [
    (Action::VerdictYes, "relevant"),
    (Action::VerdictPartial, "partly"),
    (Action::VerdictNo, "not relevant"),
    (Action::CantTell, "can't tell"),
];

/// The keys of the judging mode, the most important first.
pub(super) fn judging_hints(model: &Model) -> Vec<Hint> {
    let mut hints = ANSWERS.to_vec();
    if model.queue.is_some() {
        hints.push((Action::PutOff, "later"));
    }
    hints.extend([(Action::Undo, "undo"), (Action::Detail, "detail"), (Action::Close, "end")]);
    hints
}
