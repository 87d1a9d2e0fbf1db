//! The filter's line, and conditions to choose from: those with a name of one's own, and ready ones.

mod choices;
mod view;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

use crate::filter::{Mistake, named};
use crate::session::{Entry, Prompt};
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{PromptLine, edit, insert};
use crate::tui::model::Model;
use crate::tui::model::dirty::Asked;
use crate::tui::model::filter::Found;
use crate::tui::popup::{Answer, Hint, Pasted, Popup};
use crate::tui::ui::{Context, Ui};
use choices::{Choice, Listed, choices};

/// The line, and the conditions to choose from.
pub struct FilterMenu {
    line: PromptLine,
    /// The name under which the condition is to be kept, while it is typed.
    naming: Option<Input>,
    /// What was refused of a name, or done with one.
    told: Option<String>,
    /// Conditions of this study.
    choices: Vec<Choice>,
    /// Those that are listed.
    listed: Listed,
    /// Place of the chosen condition among those listed; `None` while the line counts.
    chosen: Option<usize>,
    /// Whether what is typed chose it, by its name.
    is_by_name: bool,
    /// The queries that meet what is typed or chosen, or a mistake.
    found: Result<Found, Mistake>,
}

impl FilterMenu {
    /// The menu with the condition in force on its line.
    pub fn new(model: &Model) -> Self {
        let choices = choices(model);
        let mut menu = FilterMenu {
            line: PromptLine::new(Prompt::Filter, model.filter.text.clone()),
            naming: None,
            told: None,
            listed: Listed::all(&choices),
            choices,
            chosen: None,
            is_by_name: false,
            found: Ok(Found::Nothing),
        };
        menu.ask(model);
        menu
    }

    /// The condition that Enter puts in force, as it was written.
    fn text(&self) -> &str {
        match self.choice() {
            Some(choice) => &choice.expression,
            None => self.line.text(),
        }
    }

    /// The chosen condition.
    fn choice(&self) -> Option<&Choice> {
        let place = self.listed.places.get(self.chosen?)?;
        self.choices.get(*place)
    }

    /// Lists what has what is typed. What is no condition means the first one whose name has it.
    fn narrow(&mut self, model: &Model) {
        (self.chosen, self.is_by_name) = (None, false);
        self.listed = Listed::with(&self.choices, self.line.text());
        self.ask(model);
        if self.found.is_err() && self.listed.is_meant {
            (self.chosen, self.is_by_name) = (Some(0), true);
        }
    }

    /// Lists all conditions, of which none is chosen.
    fn list_all(&mut self) {
        self.listed = Listed::all(&self.choices);
        (self.chosen, self.is_by_name) = (None, false);
    }

    /// The condition itself, where names stand in the text.
    fn expression(&self, model: &Model) -> String {
        let expanded = named::expanded(self.text(), model.memory.filters());
        let text = expanded.as_ref().map_or(self.text(), named::Expanded::text);
        text.trim().to_owned()
    }

    fn ask(&mut self, model: &Model) {
        self.found = if self.text().trim().is_empty() {
            Ok(Found::Nothing)
        } else {
            model.queries_that(self.text())
        };
    }

    /// Puts the condition in force.
    fn enter(&mut self, model: &mut Model) -> Answer {
        if self.found.is_err() {
            return Answer::Stay;
        }
        let expression = self.expression(model);
        let typed = if self.chosen.is_none() {
            self.line.text().trim().to_owned()
        } else {
            expression.clone()
        };
        model.memory.typed(Prompt::Filter, &typed);
        model.filter_by(expression);
        Answer::Close
    }

    /// Chooses the next condition, or the one above it; above the first is the line.
    fn choose(&mut self, down: bool) {
        let last = self.listed.places.len().checked_sub(1);
        self.is_by_name = false;
        self.chosen = match (self.chosen, down) {
            (None, true) => last.map(|_| 0),
            (Some(at), true) => last.map(|last| (at + 1).min(last)),
            (at, false) => at.and_then(|at| at.checked_sub(1)),
        };
    }

    /// Whether the arrows go through earlier conditions: up from the line, and back to it.
    fn recalls(&self, key: Key) -> bool {
        let is_up =
            matches!((key.code, key.ctrl), (Code::Named("Up"), _) | (Code::Char('p'), true));
        let is_down =
            matches!((key.code, key.ctrl), (Code::Named("Down"), _) | (Code::Char('n'), true));
        self.chosen.is_none() && (is_up || is_down && self.line.is_recalling())
    }

    /// Begins to type a name for the condition, where there is a sound one.
    fn begin_name(&mut self) {
        if self.text().trim().is_empty() || self.found.is_err() {
            self.told = Some("there is no condition to keep".into());
        } else {
            self.naming = Some(Input::default());
        }
    }

    /// A key while a name is typed.
    fn name_key(&mut self, mut name: Input, key: Key, model: &mut Model) {
        match (key.code, key.ctrl) {
            _ if key.closes() => {}
            (Code::Named("Enter"), _) => match self.keep(name.value().trim(), model) {
                Ok(told) => self.told = Some(told),
                Err(told) => {
                    self.told = Some(told);
                    self.naming = Some(name);
                }
            },
            _ => {
                edit(&mut name, key);
                self.naming = Some(name);
            }
        }
    }

    /// Keeps the condition under a name.
    fn keep(&mut self, name: &str, model: &mut Model) -> Result<String, String> {
        if !named::is_name(name) {
            return Err("a name has letters, digits, - and _".into());
        }
        if model.memory.is_set(name) {
            return Err(format!("config.toml has the filter {name}: another name"));
        }
        let expression = self.expression(model);
        model.memory.add(Entry::Filter(name.to_owned(), Some(expression)));
        self.choices = choices(model);
        self.list_all();
        Ok(format!("kept: @{name}"))
    }

    /// Forgets the chosen condition, where it has a name of one's own.
    fn forget(&mut self, model: &mut Model) {
        let name = self.choice().and_then(|choice| named::name(&choice.name));
        self.told = Some(match name.map(str::to_owned) {
            None => "only a filter with a name of your own can be deleted".into(),
            Some(name) if model.memory.is_set(&name) => {
                format!("config.toml has the filter {name}: delete it there")
            }
            Some(name) => {
                model.memory.add(Entry::Filter(name.clone(), None));
                self.choices = choices(model);
                self.list_all();
                format!("deleted: @{name}")
            }
        });
    }
}

impl Popup for FilterMenu {
    fn opened_by(&self) -> Action {
        Action::Filter
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        self.told = None;
        if let Some(name) = self.naming.take() {
            self.name_key(name, key, model);
            self.ask(model);
            return Answer::Stay;
        }
        match (key.code, key.ctrl) {
            _ if key.closes() => return Answer::Close,
            (Code::Named("Enter"), _) => return self.enter(model),
            (Code::Char('s'), true) => self.begin_name(),
            (Code::Named("Delete"), _) if self.chosen.is_some() && !self.is_by_name => {
                self.forget(model);
            }
            _ if self.recalls(key) => drop(self.line.key(key, &model.memory)),
            (Code::Named("Down"), _) | (Code::Char('n'), true) => self.choose(true),
            (Code::Named("Up"), _) | (Code::Char('p'), true) => self.choose(false),
            (Code::Named("Tab"), _) => {
                // The chosen condition comes to the line, to be changed.
                self.line.set(self.text().to_owned());
                self.list_all();
            }
            _ => {
                let before = self.line.text().to_owned();
                let is_edited = self.line.key(key, &model.memory);
                if is_edited && before != self.line.text() {
                    self.narrow(model);
                } else if is_edited {
                    (self.chosen, self.is_by_name) = (None, false);
                }
            }
        }
        self.ask(model);
        Answer::Stay
    }

    fn paste(&mut self, text: &str, model: &Model) -> Pasted {
        if let Some(name) = &mut self.naming {
            return insert(name, text).into();
        }
        let is_whole = self.line.insert(text);
        self.narrow(model);
        self.ask(model);
        is_whole.into()
    }

    fn is_typed(&self) -> bool {
        self.naming.is_some() || !self.line.text().is_empty()
    }

    fn scroll(&mut self, by: i32, model: &Model, _ui: &Ui) {
        (0..by.unsigned_abs()).for_each(|_| self.choose(by > 0));
        self.ask(model);
    }

    fn refresh(&mut self, model: &Model) {
        if let (Some((stamp, met)), Ok(found)) = (&model.known.typed_met, &mut self.found) {
            found.take(*stamp, met);
        }
        if matches!(self.found, Ok(Found::Lacking(_))) {
            self.ask(model);
        }
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        let words = if self.naming.is_some() { "back" } else { "close" };
        vec![(Action::Close, words)]
    }

    fn asks(&self) -> Asked {
        let found = self.found.as_ref().ok();
        let lacking = found.and_then(|found| match found {
            Found::Lacking(lacking) => Some(lacking.clone()),
            _ => None,
        });
        Asked::Filter(found.and_then(Found::asked).cloned(), lacking)
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        view::draw(self, cx, screen, buf)
    }
}
