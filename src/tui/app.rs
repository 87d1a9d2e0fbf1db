//! The explorer: a model, keys and look, the screens, and what is open on top. Nothing here draws or waits.

mod act;
mod judging;
mod pictures;

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use super::action::Action;
use super::context::{Context, Ui};
use super::keymap::Keymap;
use super::pictures::ImageBackend;
use super::popup::{Popup, judging_hints};
use super::screen::{Hint, Screen};
use super::screens;
use super::state::Model;
use super::state::changes::Dirty;
use super::state::query_list::Pane;
use super::state::results::{Demand, RankingsOf};
use super::theme::Theme;
use super::tour::Tour;
use crate::session::{Opened, Saver};
use crate::study::Study;

/// What acts on the selected query or item beyond the keys that a footer has room for.
const OF_LINES: &[Hint] = &[
    (Action::Pick, "pick"),
    (Action::Note, "note"),
    (Action::SortBy, "sort"),
    (Action::Copy, "copy"),
];

/// Most keys that the footer names, besides that of the help.
const HINTS: usize = 8;
/// All state of the explorer.
pub struct App {
    /// What is explored and looked at.
    pub model: Model,
    /// Keys, look, size, pictures.
    pub ui: Ui,
    /// Every screen, in the order of their keys.
    screens: Vec<Box<dyn Screen>>,
    /// Place of the screen that is shown.
    shown: usize,
    /// What is open on top.
    pub popup: Option<Box<dyn Popup>>,
    /// The tour, while it is under way.
    pub tour: Option<Tour>,
    /// The action that the event at hand was, for the tour.
    pub(super) did: Option<Action>,
}

impl App {
    /// A fresh explorer on its first screen.
    pub fn new(
        study: Arc<Study>,
        keymap: Keymap,
        theme: (String, Theme),
        size: (u16, u16),
    ) -> Self {
        let mut app = App {
            model: Model::new(study),
            ui: Ui::new(keymap, theme, size),
            screens: screens::all(),
            shown: 0,
            popup: None,
            tour: None,
            did: None,
        };
        app.settle();
        app
    }

    /// Shows pictures from now on, as a terminal takes them; no study without pictures has any.
    pub fn start_pictures(&mut self, backend: ImageBackend) {
        let has_pictures = self.model.study.pictures.is_some();
        self.ui.pictures.backend = has_pictures.then_some(backend);
    }

    /// The screen that is shown.
    pub fn screen(&self) -> &dyn Screen {
        self.screens[self.shown].as_ref()
    }

    /// The action that shows the present screen.
    pub fn shown(&self) -> Action {
        self.screen().tab().0
    }

    /// The actions that show screens, each with the screen's name.
    pub(super) fn titles(&self) -> Vec<(Action, &'static str)> {
        self.screens.iter().map(|screen| screen.tab()).collect()
    }

    /// A screen by its state, with the model and what it is shown with.
    ///
    /// # Panics
    /// Where it is none of the screens.
    pub fn on<S: Screen>(&self) -> Context<'_, S> {
        let state = self.screens.iter().find_map(|screen| {
            let screen: &dyn Any = screen.as_ref();
            screen.downcast_ref()
        });
        Context::new(state.expect("it is among the screens"), &self.model, &self.ui)
    }

    /// The state of a screen, to be changed.
    pub(crate) fn on_mut<S: Screen>(&mut self) -> Option<&mut S> {
        self.screens.iter_mut().find_map(|screen| {
            let screen: &mut dyn Any = screen.as_mut();
            screen.downcast_mut()
        })
    }

    /// Shows a screen by its place.
    pub(super) fn show(&mut self, at: usize) {
        if self.shown != at {
            self.shown = at;
            if self.shown() == Action::Browse && !self.model.judging.is_on {
                self.model.selection.pane = Pane::Queries;
            }
            let order = self.model.order().clone();
            self.ask();
            if *self.model.order() != order {
                if self.model.selection.selected == 0 {
                    self.model.select_from_top();
                }
                self.model.dirty |= Dirty::ROWS;
            }
            self.model.dirty |= Dirty::TRUTH | Dirty::SESSION;
        }
    }

    /// Takes a new size of the terminal.
    pub fn resize(&mut self, size: (u16, u16)) {
        self.ui.size = size;
        self.refresh_popup();
        self.settle();
    }

    /// Asks of the model what is on show now.
    fn ask(&mut self) {
        let popup = self.popup.as_ref();
        self.model.demand = Demand {
            popup: popup.map(|popup| popup.asks()).unwrap_or_default(),
            ..self.screen().demand()
        };
        let has_phrases = self.model.study.phrases.is_some();
        self.ui.pictures.hides_boxes = self.model.is_blind() || !has_phrases;
    }

    /// Has what is on show follow the model, and asks of it what is on show now: after every event.
    pub(crate) fn settle(&mut self) {
        self.ask();
        self.model.recompute();
        self.screens[self.shown].settle(&mut self.model, &self.ui);
        let dirty = std::mem::take(&mut self.model.dirty);
        if dirty.has(Dirty::INDICES) {
            self.restart_screens();
        }
        if dirty.has(Dirty::POPUP) {
            self.refresh_popup();
            self.ask();
        }
        if dirty.has(Dirty::SESSION) {
            self.store_view();
        }
    }

    /// Begins all screens anew, which know models and truths by their places.
    fn restart_screens(&mut self) {
        self.screens = screens::all();
        self.popup = None;
    }

    /// Tells the open popup of another size of the terminal or other facts; it closes once it is done.
    fn refresh_popup(&mut self) {
        if let Some(popup) = &mut self.popup {
            popup.refresh(&self.model);
            if popup.is_done(&self.model) {
                self.close_popup();
            }
        }
    }

    /// Closes what is open on top; what that was opened from is there again.
    fn close_popup(&mut self) {
        let closed = self.popup.take();
        self.popup = closed.and_then(|mut closed| closed.below());
        if let Some(below) = &mut self.popup {
            below.refresh(&self.model);
        }
    }

    /// Opens a session: its verdicts, picks and view are those of the explorer from now on. Gives what
    /// saves it, where that is this process.
    pub fn open_session(&mut self, opened: Opened, by: &str, files: Vec<String>) -> Option<Saver> {
        let title = opened.session.view.get("screen").and_then(Value::as_str);
        let at = self.screens.iter().position(|screen| Some(screen.tab().1) == title);
        // There is nothing to compare one model with.
        let has_rival = self.model.study.models.len() > 1;
        let is_open = |at: &usize| self.screens[*at].tab().0 != Action::Compare || has_rival;
        self.shown = at.filter(is_open).unwrap_or(self.shown);
        self.ask();
        let saver = self.model.take_session(opened, by, files);
        self.settle();
        saver
    }

    /// Has the session keep where it is left.
    pub(crate) fn store_view(&mut self) {
        self.model.store_view(self.screen().tab().1);
    }

    /// What the help begins with: the keys of what is open on top, those of the judging mode while that is on, and those
    /// of the screen, each under its heading.
    fn here(&self) -> Vec<(String, Vec<Hint>)> {
        let open = self.popup.as_ref();
        let open = open.map(|open| ("in what is open".to_owned(), open.hints(&self.model)));
        let judging = self.model.judging.is_on;
        let judging = judging.then(|| ("judging".to_owned(), judging_hints(&self.model)));
        let screen = (format!("on the screen {}", self.screen().tab().1), self.acts_here());
        open.into_iter().chain(judging).chain([screen]).collect()
    }

    /// The keys that act on the present screen: those that matter most, and those of a query or an item.
    fn acts_here(&self) -> Vec<Hint> {
        let mut acts = self.screen().hints(&self.model, &self.ui);
        if self.model.demand.rankings != RankingsOf::Nothing {
            let others =
                OF_LINES.iter().filter(|(action, _)| acts.iter().all(|(known, _)| known != action));
            acts.extend(others.copied().collect::<Vec<Hint>>());
        }
        acts
    }

    /// The keys that the footer names: of what is open on top, of the judging mode, of the screen; eight at the most.
    pub(super) fn footer_hints(&self) -> Vec<Hint> {
        let mut hints = match &self.popup {
            Some(open) => return open.hints(&self.model),
            None if self.judges_here() => judging_hints(&self.model),
            None => self.screen().hints(&self.model, &self.ui),
        };
        if self.model.judging.is_on && !self.judges_here() {
            // Nothing is answered on this screen.
            hints.splice(0..0, [(Action::Browse, "judge on"), (Action::Close, "end judging")]);
        }
        hints.truncate(HINTS);
        hints.push((Action::Help, "all keys"));
        hints
    }
}
