//! The line in which a part of a pick is typed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::footer_line;
use crate::data::text::shown;
use crate::session::Prompt;
use crate::tui::action::Action;
use crate::tui::keymap::Key;
use crate::tui::line::{PromptLine, Typed};
use crate::tui::model::Model;
use crate::tui::model::picks::PickField;
use crate::tui::popup::{Answer, Pasted, Popup};
use crate::tui::signs;
use crate::tui::ui::Context;

/// A part of a pick as it is typed.
pub struct PickLine {
    line: PromptLine,
    /// What it is.
    field: PickField,
    /// What is wrong with it, once it was to be kept.
    mistake: Option<String>,
}

impl PickLine {
    /// The line with what there is already of the selected pick; `None` where it cannot be changed, which is
    /// then said.
    pub fn new(field: PickField, model: &mut Model) -> Option<Self> {
        model.attempt(|model| model.check_pick())?;
        let pick = model.selected_pick()?;
        let text = match field {
            PickField::Note => shown(&pick.note),
            PickField::Heading => pick.group.as_deref().map_or(String::new(), shown),
            PickField::Models => shown(&pick.models.join(", ")),
        };
        let prompt = match field {
            PickField::Note => Prompt::Note,
            PickField::Heading => Prompt::Heading,
            PickField::Models => Prompt::Models,
        };
        let line = match field {
            // The program chose those names.
            PickField::Models => PromptLine::proposing(prompt, text),
            PickField::Note | PickField::Heading => PromptLine::new(prompt, text),
        };
        Some(PickLine { line, field, mistake: None })
    }
}

impl Popup for PickLine {
    fn opened_by(&self) -> Action {
        match self.field {
            PickField::Note => Action::Note,
            PickField::Heading => Action::Heading,
            PickField::Models => Action::ModelsBy,
        }
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match self.line.take(key, &model.memory) {
            Typed::Closed => return Answer::Close,
            Typed::Entered => match model.keep_pick_line(self.field, self.line.text()) {
                Ok(()) => {
                    self.line.keep(&mut model.memory);
                    return Answer::Close;
                }
                Err(error) => self.mistake = Some(error.found().to_owned()),
            },
            Typed::Edited => self.mistake = None,
            Typed::Ignored => {}
        }
        Answer::Stay
    }

    fn paste(&mut self, text: &str, _model: &Model) -> Pasted {
        self.line.insert(text).into()
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (label, hint) = match self.field {
            PickField::Note => (
                format!(" {} in the figure ", signs::NOTE),
                "Enter saves, empty deletes, Esc cancels  ",
            ),
            PickField::Heading => {
                (" heading ".to_owned(), "picks of one heading are a group; empty: none  ")
            }
            PickField::Models => (" models ".to_owned(), "names with commas between  "),
        };
        let (hint, style) = match &self.mistake {
            Some(mistake) => (format!("{mistake}  "), cx.theme.error),
            None => (hint.to_owned(), cx.theme.dim),
        };
        footer_line::draw(&self.line.line, [&label, &hint], style, cx, buf)
    }
}
