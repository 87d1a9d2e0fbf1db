//! The line in which a note on a query is typed.

use super::{Answer, Pasted, Popup, footer_line};
use crate::data::Direction;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};
use crate::tui::signs;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

/// The note as it is typed.
pub struct NoteLine {
    input: Input,
    /// The direction and the gallery index of the query.
    on: (Direction, usize),
}

impl NoteLine {
    /// The line with what is noted already.
    pub fn new(direction: Direction, query: usize, text: String) -> Self {
        NoteLine {
            input: Input::new(text),
            on: (direction, query),
        }
    }
}

impl Popup for NoteLine {
    fn opened_by(&self) -> Action {
        Action::Note
    }

    fn key(&mut self, key: Key, app: &mut App) -> Answer {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => return Answer::Close,
            (Code::Named("Enter"), _) => {
                app.keep_note(self.on, self.input.value());
                return Answer::Close;
            }
            _ => edit(&mut self.input, key),
        };
        Answer::Stay
    }

    fn paste(&mut self, text: &str, _app: &App) -> Pasted {
        insert(&mut self.input, text).into()
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn draw(&self, app: &App, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let label = format!(" {} note ", signs::NOTE);
        let hint = "Enter saves, empty deletes, Esc cancels  ";
        footer_line::draw(&self.input, [&label, hint], app.theme.dim, app, buf)
    }
}
