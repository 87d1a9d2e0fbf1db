//! The line in which the number is typed that queries are sorted by.

use tui_input::Input;

use crate::filter::{Key as Number, Mistake};
use crate::tui::app::App;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};
use crate::tui::screens::browse::Sort;

/// The number as it is typed.
pub struct OrderLine {
    pub(super) input: Input,
    /// What is wrong with it, once it was to be used.
    pub(super) mistake: Option<Mistake>,
}

/// What a key makes of the line.
pub enum Ordered {
    /// Nothing yet.
    Stay,
    /// The order stays as it was.
    Leave,
    /// This is the order from now on.
    Sort(Sort),
}

impl OrderLine {
    /// The line with the number that queries are sorted by, if there is one.
    pub fn new(app: &App) -> Self {
        let text = match &app.browse.sort {
            Sort::By(number) => number.to_string(),
            _ => String::new(),
        };
        OrderLine {
            input: Input::new(text),
            mistake: None,
        }
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, app: &App) -> Ordered {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => return Ordered::Leave,
            (Code::Named("Enter"), _) => match self.order(app) {
                Ok(sort) => return Ordered::Sort(sort),
                Err(mistake) => self.take(mistake),
            },
            _ => {
                if edit(&mut self.input, key) {
                    self.mistake = None;
                }
            }
        }
        Ordered::Stay
    }

    fn order(&self, app: &App) -> Result<Sort, Mistake> {
        let text = self.input.value().trim();
        if text.is_empty() {
            return Ok(Sort::Gallery);
        }
        Number::parse(text, &app.study, app.look)?;
        Ok(Sort::By(text.into()))
    }

    /// The cursor goes to where the mistake is.
    fn take(&mut self, mistake: Mistake) {
        let text = self.input.value().trim().to_owned();
        self.input = Input::new(text).with_cursor(mistake.column() - 1);
        self.mistake = Some(mistake);
    }

    /// Takes pasted text; whether there was room for all of it.
    pub fn paste(&mut self, text: &str) -> bool {
        insert(&mut self.input, text)
    }
}
