//! The line in which a part of a pick is typed.

use super::{Answer, Pasted, Popup, footer_line};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};
use crate::tui::signs;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

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
    fn opened_by(self) -> Action {
        match self {
            PickField::Note => Action::Note,
            PickField::Heading => Action::Heading,
            PickField::Models => Action::ModelsBy,
        }
    }
}

/// A part of a pick as it is typed.
pub struct PickLine {
    input: Input,
    /// What it is.
    field: PickField,
    /// What is wrong with it, once it was to be kept.
    mistake: Option<String>,
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
}

impl Popup for PickLine {
    fn opened_by(&self) -> Action {
        self.field.opened_by()
    }

    fn key(&mut self, key: Key, app: &mut App) -> Answer {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => return Answer::Close,
            (Code::Named("Enter"), _) => match app.keep_pick_line(self.field, self.input.value()) {
                Ok(()) => return Answer::Close,
                Err(error) => self.mistake = Some(error.found().to_owned()),
            },
            _ => {
                if edit(&mut self.input, key) {
                    self.mistake = None;
                }
            }
        }
        Answer::Stay
    }

    fn paste(&mut self, text: &str, _app: &App) -> Pasted {
        insert(&mut self.input, text).into()
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn draw(&self, app: &App, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (label, hint) = match self.field {
            PickField::Note => (
                format!(" {} in the figure ", signs::NOTE),
                "Enter saves, empty deletes, Esc cancels  ",
            ),
            PickField::Heading => (
                " heading ".to_owned(),
                "picks of one heading are a group; empty: none  ",
            ),
            PickField::Models => (" models ".to_owned(), "names with commas between  "),
        };
        let (hint, style) = match &self.mistake {
            Some(mistake) => (format!("{mistake}  "), app.theme.error),
            None => (hint.to_owned(), app.theme.dim),
        };
        footer_line::draw(&self.input, [&label, &hint], style, app, buf)
    }
}
