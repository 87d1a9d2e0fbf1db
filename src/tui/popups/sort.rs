//! The line in which the number is typed that queries are sorted by.

use super::{Answer, Pasted, Popup, footer_line};
use crate::filter::{Key as Number, Mistake};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};
use crate::tui::screens::browse::Sort;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

/// The number as it is typed.
pub struct SortLine {
    input: Input,
    /// What is wrong with it, once it was to be used.
    mistake: Option<Mistake>,
}

impl SortLine {
    /// The line with the number that queries are sorted by, if there is one.
    pub fn new(app: &App) -> Self {
        let text = match &app.browse.sort {
            Sort::By(number) => number.to_string(),
            _ => String::new(),
        };
        SortLine {
            input: Input::new(text),
            mistake: None,
        }
    }

    fn order(&self, app: &App) -> Result<Sort, Mistake> {
        let text = self.input.value().trim();
        if text.is_empty() {
            return Ok(Sort::Gallery);
        }
        Number::parse(text, &app.study, app.view)?;
        Ok(Sort::By(text.into()))
    }

    /// The cursor goes to where the mistake is.
    fn take(&mut self, mistake: Mistake) {
        let text = self.input.value().trim().to_owned();
        self.input = Input::new(text).with_cursor(mistake.column() - 1);
        self.mistake = Some(mistake);
    }
}

impl Popup for SortLine {
    fn opened_by(&self) -> Action {
        Action::SortBy
    }

    fn key(&mut self, key: Key, app: &mut App) -> Answer {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => return Answer::Close,
            (Code::Named("Enter"), _) => match self.order(app) {
                Ok(sort) => {
                    app.sort_by(sort);
                    return Answer::Close;
                }
                Err(mistake) => self.take(mistake),
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

    fn draw(&self, app: &App, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (hint, style) = match &self.mistake {
            Some(mistake) => {
                let (column, found) = (mistake.column(), mistake.found());
                (format!("column {column}: {found}  "), app.theme.error)
            }
            None => (
                "such as -rank or a.map_at_r - b.map_at_r  ".to_owned(),
                app.theme.dim,
            ),
        };
        footer_line::draw(&self.input, [" sort by ", &hint], style, app, buf)
    }
}
