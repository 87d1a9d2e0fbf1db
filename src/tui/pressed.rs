//! Where a key goes: to a line that is typed, to what is open on top, or to its action.

use super::action::Action;
use super::app::{App, Effect};
use super::keymap::{Code, Key};
use super::overlay::{Answer, Ordered, Overlay, Written};

fn is_conditions(overlay: &mut Overlay) -> bool {
    matches!(overlay, Overlay::Conditions(_))
}

fn is_unsaved(overlay: &mut Overlay) -> bool {
    matches!(overlay, Overlay::Unsaved(_))
}

fn is_order(overlay: &mut Overlay) -> bool {
    matches!(overlay, Overlay::Order(_))
}

impl App {
    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Option<Effect> {
        self.message = None;
        self.drag = None;
        if let Some(Overlay::Unsaved(mut asked)) = self.overlay.take_if(is_unsaved) {
            let (stays, effect) = asked.key(key, self);
            self.overlay = stays.then_some(Overlay::Unsaved(asked));
            return effect;
        }
        if self.changed.is_some() {
            return self.changed_key(key);
        }
        if self.search.is_typing() {
            return self.search_key(key);
        }
        if let Some(Overlay::Palette(palette)) = &mut self.overlay {
            if let Some(chosen) = palette.key(key) {
                self.overlay = None;
                return chosen.and_then(|action| self.act(action));
            }
            return None;
        }
        if let Some(Overlay::Conditions(mut menu)) = self.overlay.take_if(is_conditions) {
            match menu.key(key, self) {
                Answer::Stay => self.overlay = Some(Overlay::Conditions(menu)),
                Answer::Leave => {}
                Answer::Apply(text) => self.filter_by(text),
            }
            return None;
        }
        if let Some(Overlay::Note(note)) = &mut self.overlay {
            match note.key(key) {
                Written::Stay => return None,
                Written::Leave => {}
                Written::Keep(on, text) => self.keep_note(on, &text),
            }
            self.overlay = None;
            return None;
        }
        if let Some(Overlay::Order(mut line)) = self.overlay.take_if(is_order) {
            match line.key(key, self) {
                Ordered::Stay => self.overlay = Some(Overlay::Order(line)),
                Ordered::Leave => {}
                Ordered::Sort(sort) => self.sort_by(sort),
            }
            return None;
        }
        if self.is_filling_in(key) {
            return None;
        }
        if let Some(action) = self.keymap.action(key) {
            return self.act(action);
        }
        if self.overlay.take().is_none() && !matches!(key.code, Code::Named(_)) {
            let help = self.keymap.hint(Action::Help);
            self.message = Some(format!("{key} is not bound; {help} shows the keys"));
        }
        None
    }

    /// Takes a key for a part of a pick or the form for a file; whether one of these is open.
    fn is_filling_in(&mut self, key: Key) -> bool {
        let stays = match self.overlay.take() {
            Some(Overlay::Pick(mut line)) => line.key(key, self).then_some(Overlay::Pick(line)),
            Some(Overlay::Export(mut form)) => form.key(key, self).then_some(Overlay::Export(form)),
            other => {
                self.overlay = other;
                return false;
            }
        };
        self.overlay = stays;
        true
    }

    /// Scrolls or closes what is open on top; whether the action is dealt with.
    pub(super) fn overlay_act(&mut self, action: Action) -> bool {
        if let Some(done) = self.curve_act(action) {
            return done;
        }
        let page = i32::from(self.size.1) / 2;
        let by = match action {
            Action::Down => 1,
            Action::Up => -1,
            Action::PageDown => page,
            Action::PageUp => -page,
            Action::First => i32::MIN / 2,
            Action::Last => i32::MAX / 2,
            Action::Close | Action::Quit => {
                self.overlay = None;
                return true;
            }
            Action::Detail | Action::Undo | Action::Redo if self.history_act(action) => {
                return true;
            }
            Action::Detail if self.list_outcome() => return true,
            Action::NextPane if self.draw_otherwise() => return true,
            Action::Theme | Action::Redraw | Action::Suspend => return false,
            again
                if self
                    .overlay
                    .as_ref()
                    .is_some_and(|open| open.opened_by() == again) =>
            {
                self.overlay = None;
                return true;
            }
            _ => {
                self.overlay = None;
                return false;
            }
        };
        self.scroll_overlay(by);
        true
    }
}
