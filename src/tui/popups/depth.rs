//! How deep judging goes: asked once, above the keys of answers; any of these accepts what is proposed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::keymap::{Code, Key};
use crate::tui::popup::{Answer, Hint, Popup, judging_hints};
use crate::tui::state::Model;
use crate::tui::ui::prompt::{PromptLine, Typed};

/// The question, and the depth typed.
pub struct DepthPrompt {
    line: PromptLine,
}

impl DepthPrompt {
    /// Proposes the present depth; `None` while a pool says what is judged, which is then said.
    pub fn new(model: &mut Model) -> Option<Self> {
        model.attempt(|model| model.check_no_pool())?;
        Some(DepthPrompt { line: PromptLine::proposing(model.judging.depth().to_string()) })
    }

    fn enter(&self, model: &mut Model) -> Answer {
        let depth = self.line.text().parse();
        model.judge_to(depth.unwrap_or(model.judging.depth()));
        Answer::Close
    }
}

impl Popup for DepthPrompt {
    fn opened_by(&self) -> Action {
        Action::JudgeDepth
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        let is_word = matches!(key.code, Code::Char(sign) if !sign.is_ascii_digit());
        if is_word || key.ctrl {
            return Answer::Pass;
        }
        match self.line.key(key, &[]) {
            Typed::Closed | Typed::Entered => self.enter(model),
            Typed::Edited => Answer::Stay,
            Typed::Ignored => Answer::Pass,
        }
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        self.enter(model);
        Answer::Act(action)
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.line)
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        judging_hints(model)
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let footer = cx.ui.frame().footer;
        let above = Rect { y: footer.y - 1, ..footer };
        let note = ("of each query, then deeper (or type a number)", cx.theme.dim);
        self.line.draw_over(" judge the top ", note, above, cx.theme, buf)
    }
}
