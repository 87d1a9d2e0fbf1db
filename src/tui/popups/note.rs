//! The line in which a note on a query is typed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::footer_line;
use crate::data::Direction;
use crate::session::Prompt;
use crate::tui::action::Action;
use crate::tui::keymap::Key;
use crate::tui::line::{PromptLine, Typed};
use crate::tui::model::Model;
use crate::tui::model::picks::Sighted;
use crate::tui::popup::{Answer, Pasted, Popup};
use crate::tui::signs;
use crate::tui::ui::Context;

/// The note as it is typed.
pub struct NoteLine {
    line: PromptLine,
    /// The direction and the gallery index of the query.
    on: (Direction, usize),
}

impl NoteLine {
    /// The line with what is noted already of a query in sight; `None` where none can be written.
    pub fn new(model: &mut Model, sighted: Option<&Sighted>) -> Option<Self> {
        let (on, text) = model.attempt(|model| model.noted(sighted))?;
        let line = PromptLine::new(Prompt::Note, text);
        Some(NoteLine { line, on })
    }
}

impl Popup for NoteLine {
    fn opened_by(&self) -> Action {
        Action::Note
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match self.line.take(key, &model.memory) {
            Typed::Closed => Answer::Close,
            Typed::Entered => {
                self.line.keep(&mut model.memory);
                model.keep_note(self.on, self.line.text());
                Answer::Close
            }
            Typed::Edited | Typed::Ignored => Answer::Stay,
        }
    }

    fn paste(&mut self, text: &str, _model: &Model) -> Pasted {
        self.line.insert(text).into()
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let label = format!(" {} note ", signs::NOTE);
        let hint = "Enter saves, empty deletes, Esc cancels  ";
        footer_line::draw(&self.line.line, [&label, hint], cx.theme.dim, cx, buf)
    }
}
