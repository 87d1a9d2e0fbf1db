//! Where a key goes: to what is open on top, to a line that is typed, or to its action.

use super::action::Action;
use super::app::{App, Effect};
use super::keymap::{Code, Key};
use super::popups::Answer;

impl App {
    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Option<Effect> {
        self.message = None;
        self.drag = None;
        match self.popup_key(key) {
            Answer::Pass => self.unasked_key(key),
            Answer::Act(action) => self.act(action),
            Answer::Effect(effect) => Some(effect),
            Answer::Below | Answer::Stay | Answer::Close => None,
        }
    }

    /// Takes a key that no popup takes.
    fn unasked_key(&mut self, key: Key) -> Option<Effect> {
        if self.changed.is_some() {
            return self.changed_key(key);
        }
        if self.search.is_typing() {
            return self.search_key(key);
        }
        if let Some(action) = self.keymap.action(key) {
            return self.act(action);
        }
        if self.popup.take().is_none() && !matches!(key.code, Code::Named(_)) {
            let help = self.keymap.hint(Action::Help);
            self.message = Some(format!("{key} is not bound; {help} shows the keys"));
        }
        None
    }
}
