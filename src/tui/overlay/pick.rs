//! The line in which a part of a pick is typed.

use tui_input::Input;

use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};

/// What is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickField {
    /// The note below the query.
    Note,
    /// The heading of its group.
    Heading,
    /// The names of its models.
    Models,
}

impl PickField {
    /// The action that opens the line.
    pub fn opened_by(self) -> Action {
        match self {
            PickField::Note => Action::Note,
            PickField::Heading => Action::Heading,
            PickField::Models => Action::ModelsBy,
        }
    }
}

/// A part of a pick as it is typed.
pub struct PickLine {
    pub(super) input: Input,
    /// What it is.
    pub field: PickField,
    /// What is wrong with it, once it was to be kept.
    pub(super) mistake: Option<String>,
}

impl PickLine {
    /// The line with what there is already.
    pub fn new(field: PickField, text: String) -> Self {
        PickLine {
            input: Input::new(text),
            field,
            mistake: None,
        }
    }

    /// Takes a key; whether the line stays open.
    pub fn key(&mut self, key: Key, app: &mut App) -> bool {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => return false,
            (Code::Named("Enter"), _) => {
                let kept = app.keep_pick_line(self.field, self.input.value());
                self.mistake = kept.err().map(|error| error.found().to_owned());
                return self.mistake.is_some();
            }
            _ => {
                if edit(&mut self.input, key) {
                    self.mistake = None;
                }
            }
        }
        true
    }

    /// Takes pasted text; whether there was room for all of it.
    pub fn paste(&mut self, text: &str) -> bool {
        insert(&mut self.input, text)
    }
}
