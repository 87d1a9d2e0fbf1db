//! The line in which the number is typed that queries are sorted by.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::footer_line;
use crate::filter::{Key as Number, Mistake};
use crate::session::Prompt;
use crate::tui::action::Action;
use crate::tui::keymap::Key;
use crate::tui::line::{PromptLine, Typed};
use crate::tui::model::Model;
use crate::tui::model::sort::Sort;
use crate::tui::popup::{Answer, Pasted, Popup};
use crate::tui::ui::Context;

/// The number as it is typed.
pub struct SortLine {
    line: PromptLine,
    /// What is wrong with it, once it was to be used.
    mistake: Option<Mistake>,
}

impl SortLine {
    /// The line with the number that queries are sorted by, if there is one.
    pub fn new(model: &Model) -> Self {
        let text = match &model.selection.sort {
            Sort::By(number) => number.to_string(),
            _ => String::new(),
        };
        SortLine { line: PromptLine::new(Prompt::Sort, text), mistake: None }
    }

    fn order(&self, model: &Model) -> Result<Sort, Mistake> {
        let text = self.line.text().trim();
        if text.is_empty() {
            return Ok(Sort::Gallery);
        }
        Number::parse(text, &model.study, model.view)?;
        Ok(Sort::By(text.into()))
    }

    /// The cursor goes to where the mistake is.
    fn take(&mut self, mistake: Mistake) {
        let text = self.line.text().trim().to_owned();
        self.line.set(text);
        self.line.line.move_to(mistake.column() - 1);
        self.mistake = Some(mistake);
    }
}

impl Popup for SortLine {
    fn opened_by(&self) -> Action {
        Action::SortBy
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match self.line.take(key, &model.memory) {
            Typed::Closed => return Answer::Close,
            Typed::Entered => match self.order(model) {
                Ok(sort) => {
                    self.line.keep(&mut model.memory);
                    model.sort_by(sort);
                    return Answer::Close;
                }
                Err(mistake) => self.take(mistake),
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
        let (hint, style) = match &self.mistake {
            Some(mistake) => {
                let (column, told) = (mistake.column(), mistake.in_one_line());
                (format!("column {column}: {told}  "), cx.theme.error)
            }
            None => {
                ("least first; -rank: greatest first; also a.r1 - b.r1  ".to_owned(), cx.theme.dim)
            }
        };
        footer_line::draw(&self.line.line, [" sort by ", &hint], style, cx, buf)
    }
}
