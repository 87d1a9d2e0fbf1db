//! What stands between leaving and work that is in no file: where it is to be saved.

use std::path::Path;

use tui_input::Input;

use crate::error::Error;
use crate::tui::app::{App, Effect};
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};

/// The question, and the name of a file as it is typed.
pub struct Unsaved {
    pub(super) input: Input,
    /// Why the last attempt to save failed.
    pub(super) failure: Error,
    /// With what the program was about to end.
    pub(super) reason: Option<Error>,
}

impl Unsaved {
    /// The question; a file is proposed.
    pub fn new(failure: Error, reason: Option<Error>, proposed: &Path) -> Self {
        Unsaved {
            input: Input::new(proposed.display().to_string()),
            failure,
            reason,
        }
    }

    /// Takes pasted text; whether there was room for all of it.
    pub fn paste(&mut self, text: &str) -> bool {
        insert(&mut self.input, text)
    }

    /// Takes a key; whether the question stays open, and what is to be done.
    pub fn key(&mut self, key: Key, app: &mut App) -> (bool, Option<Effect>) {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => (false, None),
            (Code::Char('d'), true) => (true, Some(Effect::Leave(self.reason.clone()))),
            (Code::Named("Enter"), _) => match app.save_to(Path::new(self.input.value().trim())) {
                Ok(()) => (true, Some(Effect::Leave(self.reason.clone()))),
                Err(failure) => {
                    self.failure = failure;
                    (true, None)
                }
            },
            _ => {
                edit(&mut self.input, key);
                (true, None)
            }
        }
    }
}
