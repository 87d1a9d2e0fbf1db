//! The line in which an id is typed to go to.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::footer_line;
use crate::session::Prompt;
use crate::tui::action::Action;
use crate::tui::keymap::Key;
use crate::tui::line::{PromptLine, Typed};
use crate::tui::model::Model;
use crate::tui::model::dirty::RankingsOf;
use crate::tui::popup::{Answer, Pasted, Popup};
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// What stands before the id, and columns for this: at the most, and at the least.
const LABEL: &str = " go to # ";
const TYPED: usize = 24;
const LEAST: usize = 8;

/// The id as it is typed.
pub struct JumpLine {
    line: PromptLine,
    /// Why there is nothing to go to.
    mistake: Option<String>,
}

impl Default for JumpLine {
    fn default() -> Self {
        JumpLine { line: PromptLine::new(Prompt::Jump, String::new()), mistake: None }
    }
}

impl JumpLine {
    /// Goes there; where no queries are listed, Browse shows it.
    fn jump(&mut self, model: &mut Model) -> Answer {
        let name = self.line.text().trim();
        if name.is_empty() {
            return Answer::Close;
        }
        let found = model.jump_to(name);
        if found.is_ok() {
            self.line.keep(&mut model.memory);
        }
        match found {
            Err(mistake) => {
                self.mistake = Some(mistake);
                Answer::Stay
            }
            Ok(()) if model.demand.rankings == RankingsOf::Nothing => Answer::Act(Action::Browse),
            Ok(()) => Answer::Close,
        }
    }
}

impl Popup for JumpLine {
    fn opened_by(&self) -> Action {
        Action::Jump
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match self.line.take(key, &model.memory) {
            Typed::Closed => return Answer::Close,
            Typed::Entered => return self.jump(model),
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
        let (hint, style) = match &self.mistake {
            Some(mistake) => (format!("{mistake}  "), cx.theme.error),
            None => ("an image's or a caption's id, or a file name  ".into(), cx.theme.dim),
        };
        // Of a mistake as much is shown as there is room for beside what is typed.
        let typed = match &self.mistake {
            Some(_) => (text::width(self.line.text()) + 2).clamp(LEAST, TYPED),
            None => TYPED,
        };
        let room = usize::from(cx.ui.frame().footer.width).saturating_sub(LABEL.len() + typed);
        let hint = text::fit(&hint, room);
        footer_line::draw(&self.line.line, [LABEL, &hint], style, cx, buf)
    }
}
