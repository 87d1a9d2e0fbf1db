//! The question before leaving with work that is in no file: where it is to be saved.

use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::error::Error;
use crate::jobs::SaveAs;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Code, Key};
use crate::tui::model::Model;
use crate::tui::popup::{Answer, Popup};
use crate::tui::ui::Context;
use crate::tui::widgets::prompt::{PromptLine, Typed};
use crate::tui::widgets::{pane, text};

/// Widest text that is comfortable to read.
const MAX_COLUMNS: u16 = 90;
const KEYS: &str = "Enter saves and leaves, Ctrl-d leaves without saving, Esc stays";

/// The question, and the file as it is typed.
pub struct Unsaved {
    line: PromptLine,
    /// Why the last attempt to save failed.
    failure: Error,
    /// The error with which the program was about to end.
    reason: Option<Error>,
}

impl Unsaved {
    /// The question, with a proposed file.
    pub fn new(failure: Error, reason: Option<Error>, proposed: &Path) -> Self {
        let line = PromptLine::proposing(proposed.display().to_string());
        Unsaved { line, failure, reason }
    }
}

impl Popup for Unsaved {
    fn opened_by(&self) -> Action {
        Action::Quit
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        if (key.code, key.ctrl) == (Code::Char('d'), true) {
            return Answer::Effect(Effect::Leave(self.reason.clone()));
        }
        match self.line.key(key, &[]) {
            Typed::Closed => return Answer::Close,
            Typed::Entered => {
                let path = PathBuf::from(self.line.text().trim());
                model.saving_as = Some(SaveAs { path, reason: self.reason.clone() });
            }
            Typed::Edited | Typed::Ignored => {}
        }
        Answer::Stay
    }

    fn refresh(&mut self, model: &Model) {
        self.failure = model.session.failure.clone().unwrap_or(self.failure.clone());
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.line)
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let width = screen.width.saturating_sub(4).min(MAX_COLUMNS);
        let wrapped = |words: &str| text::wrap(words, usize::from(width.saturating_sub(4)).max(1));
        let failure = format!("{}: {}", self.failure.subject(), self.failure.found());
        let told = [wrapped(&cx.model.session.summary()), wrapped(&failure)].concat();
        let keys = wrapped(KEYS);
        let height = (told.len() + keys.len() + 5) as u16;
        let inner = pane::popup("not saved", "", (width, height), cx.ui, screen, buf);
        // Where the text is cut, the line and its keys are not.
        let room = inner.height.checked_sub(keys.len() as u16 + 1)?;
        for (line, y) in told.iter().zip(inner.y..inner.y + room) {
            buf.set_string(inner.x + 1, y, line, cx.theme.base);
        }
        for (line, y) in keys.iter().zip(inner.bottom() - keys.len() as u16..) {
            buf.set_string(inner.x + 1, y, line, cx.theme.dim);
        }
        let y = inner.y + room.min(told.len() as u16 + 1);
        let row = Rect { y, height: 1, ..inner };
        self.line.draw(" save to ", ("", cx.theme.dim), row, cx.theme, buf)
    }
}
