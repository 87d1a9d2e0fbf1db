//! Every action by name: type some letters, choose one.

use tui_input::Input;

use crate::engine::search;
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};

/// The palette's line, the matching actions and the chosen one.
pub struct Palette {
    /// What is typed.
    pub input: Input,
    /// Matching actions, best first.
    pub actions: Vec<Action>,
    /// Place of the chosen one.
    pub selected: usize,
}

impl Palette {
    pub(super) fn new() -> Self {
        let mut palette = Palette {
            input: Input::default(),
            actions: Vec::new(),
            selected: 0,
        };
        palette.filter();
        palette
    }

    /// Takes a key: `Some(None)` closes, `Some(action)` closes and acts.
    pub fn key(&mut self, key: Key) -> Option<Option<Action>> {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => return Some(None),
            (Code::Named("Enter"), _) => return Some(self.actions.get(self.selected).copied()),
            (Code::Named("Down" | "Tab"), _) | (Code::Char('n'), true) => {
                self.selected = (self.selected + 1).min(self.actions.len().saturating_sub(1));
            }
            (Code::Named("Up" | "BackTab"), _) | (Code::Char('p'), true) => {
                self.selected = self.selected.saturating_sub(1);
            }
            _ => {
                if edit(&mut self.input, key) {
                    self.filter();
                }
            }
        }
        None
    }

    /// Takes pasted text; whether there was room for all of it.
    pub fn paste(&mut self, text: &str) -> bool {
        let is_whole = insert(&mut self.input, text);
        self.filter();
        is_whole
    }

    fn filter(&mut self) {
        let wanted = self.input.value();
        let quality = |action: &Action| {
            let text = format!("{} {}", action.name(), action.doc());
            let quality = if wanted.is_empty() {
                Some(0)
            } else {
                search::matches(&text, wanted)
            };
            Some((std::cmp::Reverse(quality?), *action))
        };
        let mut found: Vec<_> = Action::ALL.iter().filter_map(quality).collect();
        found.sort();
        self.actions = found.into_iter().map(|(_, action)| action).collect();
        self.selected = 0;
    }
}
