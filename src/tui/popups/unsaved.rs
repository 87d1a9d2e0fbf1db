//! What stands between leaving and work that is in no file: where it is to be saved.

use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::footer_line::typed;
use crate::error::Error;
use crate::jobs::SaveAs;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::TextLine;
use crate::tui::model::Model;
use crate::tui::popup::{Answer, Pasted, Popup};
use crate::tui::ui::Context;
use crate::tui::widgets::{pane, text};

/// Widest text that is comfortable to read.
const WIDEST: u16 = 90;
const LABEL: &str = " save to ";
const KEYS: &str = "Enter saves there and leaves, Ctrl-d leaves without saving, Esc stays.";

/// The question, and the name of a file as it is typed.
pub struct Unsaved {
    line: TextLine,
    /// Why the last attempt to save failed.
    failure: Error,
    /// With what the program was about to end.
    reason: Option<Error>,
}

impl Unsaved {
    /// The question; a file is proposed.
    pub fn new(failure: Error, reason: Option<Error>, proposed: &Path) -> Self {
        Unsaved { line: TextLine::proposing(proposed.display().to_string()), failure, reason }
    }
}

impl Popup for Unsaved {
    fn opened_by(&self) -> Action {
        Action::Quit
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match (key.code, key.ctrl) {
            _ if key.closes() => return Answer::Close,
            (Code::Char('d'), true) => {
                return Answer::Effect(Effect::Leave(self.reason.clone()));
            }
            (Code::Named("Enter"), _) => {
                let path = PathBuf::from(self.line.text().trim());
                model.saving_as = Some(SaveAs { path, reason: self.reason.clone() });
            }
            _ => {
                self.line.edit(key);
            }
        }
        Answer::Stay
    }

    fn paste(&mut self, text: &str, _model: &Model) -> Pasted {
        self.line.insert(text).into()
    }

    fn refresh(&mut self, model: &Model) {
        self.failure = model.session.failure.clone().unwrap_or(self.failure.clone());
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(self, cx, screen, buf)
    }
}

/// Draws the question where to save; gives the cursor's place.
fn draw(asked: &Unsaved, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let width = screen.width.saturating_sub(4).min(WIDEST);
    let columns = usize::from(width.saturating_sub(4)).max(1);
    let failure = format!("{}: {}", asked.failure.subject(), asked.failure.found());
    let words = [cx.model.session.summary(), failure];
    let mut lines: Vec<String> =
        words.iter().flat_map(|words| text::wrap(words, columns)).collect();
    let keys = text::wrap(KEYS, columns);
    let height = (lines.len() + keys.len() + 5) as u16;
    let inner = pane::popup("not saved", "", (width, height), cx.ui, screen, buf);
    let label = text::width(LABEL);
    let least = keys.len() + 1;
    if usize::from(inner.width) < label + 8 || usize::from(inner.height) < least {
        return None;
    }
    lines.truncate(usize::from(inner.height) - least);
    for (line, y) in lines.iter().zip(inner.y..) {
        buf.set_string(inner.x + 1, y, line, cx.theme.base);
    }
    for (line, y) in keys.iter().zip(inner.bottom() - keys.len() as u16..) {
        buf.set_string(inner.x + 1, y, line, cx.theme.dim);
    }
    let y = (inner.y + lines.len() as u16 + 1).min(inner.bottom() - least as u16);
    let room = usize::from(inner.width) - label - 1;
    let input = asked.line.input();
    let scroll = input.visual_scroll(room);
    let mut spans = vec![Span::styled(LABEL, cx.theme.key)];
    spans.extend(typed(&asked.line, scroll, room, cx.theme));
    buf.set_line(inner.x, y, &Line::from(spans), inner.width);
    let column = label + input.visual_cursor().saturating_sub(scroll);
    Some((inner.x + column as u16, y))
}
