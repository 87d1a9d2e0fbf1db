//! The explorer: model, keys, theme, screens and popup. Nothing here draws or waits.

mod act;
mod judging_mode;
mod thumbnails;

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use super::action::Action;
use super::context::{Context, Ui};
use super::keymap::Keymap;
use super::popup::{Popup, judging_hints};
use super::screen::{Hint, Screen};
use super::screens;
use super::state::Model;
use super::state::changes::Dirty;
use super::state::query_list::Pane;
use super::state::results::{Demand, RankingsOf};
use super::theme::Theme;
use super::thumbnails::ImageBackend;
use super::tour::Tour;
use crate::error::Error;
use crate::session::{OpenSession, Saver};
use crate::study::Study;

/// Actions on the selected query or item that the help lists and the footer has no room for.
const SELECTION_HINTS: &[Hint] = &[
    (Action::Pick, "pick"),
    (Action::Note, "note"),
    (Action::SortBy, "sort"),
    (Action::Copy, "copy"),
];

/// Maximum number of hints in the footer, besides the key of the help.
const MAX_HINTS: usize = 8;
/// Task of the event loop after an event.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Save everything and leave, with this error if there is one.
    Quit(Option<Error>),
    /// Put text on the clipboard.
    Copy(String),
    /// Give the terminal back to the shell until resumed.
    Suspend,
    /// Redraw everything.
    Redraw,
}

/// State of the explorer.
pub struct App {
    /// Study, view and selection.
    pub model: Model,
    /// Keys, theme, size, images.
    pub ui: Ui,
    /// Every screen, in the order of their keys.
    screens: Vec<Box<dyn Screen>>,
    /// Index of the current screen.
    current: usize,
    /// The open popup.
    pub popup: Option<Box<dyn Popup>>,
    /// The tour, while it runs.
    pub tour: Option<Tour>,
    /// The last action that ran since the tour was updated, which happens after every event.
    pub(super) last_action: Option<Action>,
}

impl App {
    /// A new explorer on its first screen. `theme`: its name and colours; `size`: columns and rows of the terminal.
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
            current: 0,
            popup: None,
            tour: None,
            last_action: None,
        };
        app.sync();
        app
    }

    /// Starts to show images with a backend, if the study has image files.
    pub fn start_thumbnails(&mut self, backend: ImageBackend) {
        let has_files = self.model.study.image_files.is_some();
        self.ui.thumbnails.backend = has_files.then_some(backend);
    }

    /// The current screen.
    pub fn screen(&self) -> &dyn Screen {
        self.screens[self.current].as_ref()
    }

    /// The action that shows the current screen.
    pub fn current_tab(&self) -> Action {
        self.screen().tab().0
    }

    /// Action and name of each screen.
    pub(super) fn tabs(&self) -> Vec<(Action, &'static str)> {
        self.screens.iter().map(|screen| screen.tab()).collect()
    }

    /// Context of the screen of type `S`, current or not.
    ///
    /// # Panics
    /// When `S` is none of the screens.
    pub fn context<S: Screen>(&self) -> Context<'_, S> {
        let state = self.screens.iter().find_map(|screen| {
            let screen: &dyn Any = screen.as_ref();
            screen.downcast_ref()
        });
        Context::new(state.expect("it is among the screens"), &self.model, &self.ui)
    }

    /// Mutable state of the screen of type `S`; `None` if there is no such screen.
    pub(crate) fn screen_mut<S: Screen>(&mut self) -> Option<&mut S> {
        self.screens.iter_mut().find_map(|screen| {
            let screen: &mut dyn Any = screen.as_mut();
            screen.downcast_mut()
        })
    }

    /// Shows the screen at an index. Browse then has the focus on its queries, except while judging. If the order of
    /// the queries depends on the screen, they are listed again.
    pub(super) fn show_screen(&mut self, screen: usize) {
        if self.current != screen {
            self.current = screen;
            if self.current_tab() == Action::Browse && !self.model.judging.is_on {
                self.model.selection.pane = Pane::Queries;
            }
            let order = self.model.order().clone();
            self.update_demand();
            if *self.model.order() != order {
                if self.model.selection.selected == 0 {
                    self.model.select_from_top();
                }
                self.model.dirty |= Dirty::ROWS;
            }
            self.model.dirty |= Dirty::TRUTH | Dirty::SESSION;
        }
    }

    /// Handles a terminal resize; `size`: columns and rows.
    pub fn resize(&mut self, size: (u16, u16)) {
        self.ui.size = size;
        self.refresh_popup();
        self.sync();
    }

    /// Sets what the model has to compute for the current screen and popup, and whether boxes of phrases are hidden.
    fn update_demand(&mut self) {
        let popup = self.popup.as_ref();
        self.model.demand = Demand {
            popup: popup.map(|popup| popup.needs()).unwrap_or_default(),
            ..self.screen().demand()
        };
        let has_phrases = self.model.study.phrases.is_some();
        self.ui.thumbnails.hides_boxes = self.model.is_blind() || !has_phrases;
    }

    /// Updates the demand, the model, the screen and the popup; called after every event.
    pub(crate) fn sync(&mut self) {
        self.update_demand();
        self.model.recompute();
        self.screens[self.current].sync(&mut self.model, &self.ui);
        let dirty = std::mem::take(&mut self.model.dirty);
        if dirty.has(Dirty::INDICES) {
            // Screens and popups hold outdated indices of models and truths.
            self.screens = screens::all();
            self.popup = None;
        }
        if dirty.has(Dirty::POPUP) {
            self.refresh_popup();
            self.update_demand();
        }
        if dirty.has(Dirty::SESSION) {
            self.store_view();
        }
    }

    /// Refreshes the popup after a resize or a model change; closes it once done.
    fn refresh_popup(&mut self) {
        if let Some(popup) = &mut self.popup {
            popup.refresh(&self.model);
            if popup.is_done(&self.model) {
                self.close_popup();
            }
        }
    }

    /// Closes the popup; the one below reappears.
    fn close_popup(&mut self) {
        let closed = self.popup.take();
        self.popup = closed.and_then(|mut closed| closed.take_below());
        if let Some(below) = &mut self.popup {
            below.refresh(&self.model);
        }
    }

    /// Takes over the judgments, picks and view of a session. `files` are the inputs as typed. Returns the saver, if this
    /// process saves the session.
    pub fn open_session(
        &mut self,
        opened: OpenSession,
        annotator: &str,
        files: Vec<String>,
    ) -> Option<Saver> {
        let title = opened.session.view.get("screen").and_then(Value::as_str);
        let stored = self.screens.iter().position(|screen| Some(screen.tab().1) == title);
        // One model cannot be compared.
        let can_compare = self.model.study.models.len() > 1;
        let can_show = |at: &usize| self.screens[*at].tab().0 != Action::Compare || can_compare;
        self.current = stored.filter(can_show).unwrap_or(self.current);
        self.update_demand();
        let saver = self.model.set_session(opened, annotator, files);
        self.sync();
        saver
    }

    /// Stores the view in the session.
    pub(crate) fn store_view(&mut self) {
        self.model.store_view(self.screen().tab().1);
    }

    /// First sections of the help, each with its heading: hints of the popup, of the judging mode while it is on, and
    /// of the screen.
    fn help_sections(&self) -> Vec<(String, Vec<Hint>)> {
        let open = self.popup.as_ref();
        let open = open.map(|open| ("in what is open".to_owned(), open.hints(&self.model)));
        let judging = self.model.judging.is_on;
        let judging = judging.then(|| ("judging".to_owned(), judging_hints(&self.model)));
        let screen = (format!("on the screen {}", self.screen().tab().1), self.screen_hints());
        open.into_iter().chain(judging).chain([screen]).collect()
    }

    /// Hints of the current screen, then those of actions on a query or an item.
    fn screen_hints(&self) -> Vec<Hint> {
        let mut hints = self.screen().hints(&self.model, &self.ui);
        if self.model.demand.rankings != RankingsOf::Nothing {
            let has_hint = |wanted: Action| hints.iter().any(|(action, _)| *action == wanted);
            let missing = SELECTION_HINTS.iter().filter(|(action, _)| !has_hint(*action));
            hints.extend(missing.copied().collect::<Vec<Hint>>());
        }
        hints
    }

    /// Hints in the footer: those of the popup if one is open, else of the judging mode or the screen.
    pub(super) fn footer_hints(&self) -> Vec<Hint> {
        let mut hints = match &self.popup {
            Some(open) => return open.hints(&self.model),
            None if self.is_judging_here() => judging_hints(&self.model),
            None => self.screen().hints(&self.model, &self.ui),
        };
        if self.model.judging.is_on && !self.is_judging_here() {
            // This screen has nothing to judge.
            hints.splice(0..0, [(Action::Browse, "judge on"), (Action::Close, "end judging")]);
        }
        hints.truncate(MAX_HINTS);
        hints.push((Action::Help, "all keys"));
        hints
    }
}
