//! The filter's line and ready conditions to choose from.

use std::sync::Arc;

use tui_input::Input;

use crate::engine::{Sift, Stamp};
use crate::filter::{Mistake, Ready, ready};
use crate::tui::app::App;
use crate::tui::filter::Found;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};

/// The line, and the ready conditions.
pub struct Conditions {
    pub(super) input: Input,
    /// Conditions of this study.
    pub(super) ready: Vec<Ready>,
    /// Place of the chosen condition; `None` while the line counts.
    pub(super) chosen: Option<usize>,
    /// The queries that meet what is typed or chosen, or a mistake.
    pub(in crate::tui) found: Result<Found, Mistake>,
}

/// What a key leads to.
pub enum Answer {
    /// Nothing yet.
    Stay,
    /// The menu closes and changes nothing.
    Leave,
    /// This condition is in force from now on; an empty one is none.
    Apply(String),
}

impl Conditions {
    /// The menu with the condition in force on its line.
    pub fn new(app: &App) -> Self {
        let mut menu = Conditions {
            input: Input::new(app.sieve.text.clone()),
            ready: ready(&app.study, app.look),
            chosen: None,
            found: Ok(Found::Nothing),
        };
        menu.ask(app);
        menu
    }

    /// The condition that Enter puts in force.
    pub(super) fn text(&self) -> &str {
        match self.chosen {
            Some(at) => &self.ready[at].expression,
            None => self.input.value(),
        }
    }

    pub(in crate::tui) fn ask(&mut self, app: &App) {
        self.found = if self.text().trim().is_empty() {
            Ok(Found::Nothing)
        } else {
            app.queries_that(self.text())
        };
    }

    /// What the engine is to ask.
    pub fn asked(&self) -> Option<&Arc<Sift>> {
        self.found.as_ref().ok()?.asked()
    }

    /// Takes the answer of the engine, if it is to what is typed or chosen.
    pub fn take(&mut self, sift: Stamp, met: &[u32]) {
        if let Ok(found) = &mut self.found {
            found.take(sift, met);
        }
    }

    /// Takes pasted text; whether there was room for all of it.
    pub fn paste(&mut self, text: &str, app: &App) -> bool {
        let is_whole = insert(&mut self.input, text);
        self.chosen = None;
        self.ask(app);
        is_whole
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, app: &App) -> Answer {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => return Answer::Leave,
            (Code::Named("Enter"), _) if self.found.is_ok() => {
                return Answer::Apply(self.text().trim().to_owned());
            }
            (Code::Named("Enter"), _) => {}
            (Code::Named("Down"), _) | (Code::Char('n'), true) => {
                let next = self.chosen.map_or(0, |at| at + 1);
                self.chosen = Some(next.min(self.ready.len().saturating_sub(1)));
                self.chosen = self.chosen.filter(|_| !self.ready.is_empty());
            }
            (Code::Named("Up"), _) | (Code::Char('p'), true) => {
                self.chosen = self.chosen.and_then(|at| at.checked_sub(1));
            }
            (Code::Named("Tab"), _) => {
                // The chosen condition comes to the line, to be changed.
                self.input = Input::new(self.text().to_owned());
                self.chosen = None;
            }
            _ => {
                if edit(&mut self.input, key) {
                    self.chosen = None;
                }
            }
        }
        self.ask(app);
        Answer::Stay
    }
}
