//! The line in which a note on a query is typed.

use tui_input::Input;

use crate::data::Direction;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};

/// The note as it is typed.
pub struct NoteLine {
    pub(super) input: Input,
    /// The direction and the gallery index of the query.
    on: (Direction, usize),
}

/// What a key makes of the line.
pub enum Written {
    /// Nothing yet.
    Stay,
    /// The note stays as it was.
    Leave,
    /// This is the note on the query from now on; an empty one is none.
    Keep((Direction, usize), String),
}

impl NoteLine {
    /// The line with what is noted already.
    pub fn new(direction: Direction, query: usize, text: String) -> Self {
        NoteLine {
            input: Input::new(text),
            on: (direction, query),
        }
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Written {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => Written::Leave,
            (Code::Named("Enter"), _) => Written::Keep(self.on, self.input.value().to_owned()),
            _ => {
                edit(&mut self.input, key);
                Written::Stay
            }
        }
    }

    /// Takes pasted text; whether there was room for all of it.
    pub fn paste(&mut self, text: &str) -> bool {
        insert(&mut self.input, text)
    }
}
