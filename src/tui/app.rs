//! The explorer: a model, what it is shown with, the screens, and what is open on top; and what each action
//! makes of them. Nothing here draws or waits.

mod lacking;
mod session;

use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::action::Action;
use super::effect::Effect;
use super::keymap::Keymap;
use super::model::Model;
use super::model::dirty::{Demand, Dirty};
use super::pictures::ImageBackend;
use super::popup::Popup;
use super::screen::{Call, Reply, Screen};
use super::theme::Theme;
use super::tour::Tour;
use super::ui::{Context, Ui};
use super::{popups, screens};
use crate::session::Entry;
use crate::study::Study;

/// All state of the explorer.
pub struct App {
    /// What is explored and looked at.
    pub model: Model,
    /// What it is shown with.
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
        self.screen().shown_by()
    }

    /// The actions that show screens, each with the screen's name.
    pub(super) fn titles(&self) -> Vec<(Action, &'static str)> {
        let screens = self.screens.iter();
        let titles = screens.map(|screen| (screen.shown_by(), screen.title()));
        titles.collect()
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

    /// Takes an action.
    pub(super) fn act(&mut self, action: Action) -> Option<Effect> {
        let action = match self.popup_act(action) {
            ControlFlow::Continue(action) => action,
            ControlFlow::Break(effect) => return effect,
        };
        if self.is_hidden(action) {
            return None;
        }
        self.did = Some(action);
        match action {
            Action::Quit => return Some(Effect::Quit(None)),
            Action::Suspend => return Some(Effect::Suspend),
            Action::Redraw => {
                self.model.reload();
                return Some(Effect::Redraw);
            }
            Action::Theme => {
                let name = self.ui.next_theme();
                self.recolour_boxes();
                self.model.message =
                    Some(format!("theme {name}, kept unless config.toml names one"));
                self.model.memory.add(Entry::Theme(name.to_owned()));
            }
            Action::Tour => self.start_tour(),
            Action::Pictures => self.toggle_pictures(),
            Action::Boxes => self.toggle_boxes(),
            Action::NextPhrase => self.step_phrase(1),
            Action::PreviousPhrase => self.step_phrase(-1),
            Action::Zoom => self.toggle_zoom(),
            Action::Search => self.start_search(),
            own if self.screen().takes(&self.model, &self.ui, own) => return self.update(own),
            Action::Close if self.model.ends_judging() => self.model.end_judging(),
            Action::Close => self.model.close(),
            Action::Mark | Action::MarkDown | Action::MarkUp if self.lacks_items() => {}
            Action::Mark => self.model.toggle_mark(),
            Action::MarkDown => self.extend_marks(Action::Down),
            Action::MarkUp => self.extend_marks(Action::Up),
            Action::Direction => self.model.flip_direction(),
            Action::NextTruth => self.model.step_truth(1),
            Action::PreviousTruth => self.model.step_truth(-1),
            Action::NextModel => self.model.step_model(1),
            Action::PreviousModel => self.model.step_model(-1),
            Action::Judge => self.toggle_judging(),
            of_mode if of_mode.is_of_judging() && self.lacks_mode() => {}
            of_item if of_item.is_of_item() && self.lacks_items() => {}
            Action::NextMatch => self.step_match(true),
            Action::PreviousMatch => self.step_match(false),
            answers if answers.response().is_some() => {
                self.model.attempt(|model| model.respond(answers.response()));
            }
            Action::VerdictClear => drop(self.model.attempt(|model| model.respond(None))),
            Action::PutOff => self.model.put_off(),
            Action::Blind => self.toggle_blind(),
            Action::JudgeListed => drop(self.model.attempt(Model::toggle_listed)),
            Action::JudgeDeeper | Action::JudgeShallower => {
                let deeper = action == Action::JudgeDeeper;
                self.model.attempt(|model| model.deepen_judging(deeper));
            }
            Action::CopyId
            | Action::CopyCaption
            | Action::CopyPath
            | Action::CopyRow
            | Action::OpenPicture => return self.pass_on(action),
            Action::Pool => self.model.next_pool(),
            Action::RandomPool => self.model.random_pool(),
            Action::SimilarPool => self.model.similar_pool(),
            Action::Mix => self.model.toggle_mix(),
            Action::AlphaUp => self.mix_by(|model| model.turn_alpha(5)),
            Action::AlphaDown => self.mix_by(|model| model.turn_alpha(-5)),
            Action::Scaling => self.mix_by(Model::next_scaling),
            Action::DialUp => self.model.turn_dial(true),
            Action::DialDown => self.model.turn_dial(false),
            Action::Pick => {
                let sighted = self.screen().sighted(&self.model, &self.ui);
                let what = self.model.toggle_pick(sighted);
                self.model.message = what.or(self.model.message.take());
            }
            Action::Export if self.lacks_picks() => {}
            Action::Intervals => self.model.toggle_intervals(),
            Action::Undo => self.model.undo(),
            Action::Redo => self.model.redo(),
            other => return self.show_or_update(other),
        }
        None
    }

    /// Takes an action that opens a popup, shows a screen, or is the screen's own.
    pub(super) fn show_or_update(&mut self, action: Action) -> Option<Effect> {
        if action == Action::Help {
            self.ui.here = self.here();
        }
        if popups::opens(action) {
            self.popup = popups::open(action, &mut self.model, &self.ui);
            return None;
        }
        if let Some(popup) = self.screen().open(&self.model, &self.ui, action) {
            self.popup = Some(popup);
            return None;
        }
        if let Some(at) = self.screens.iter().position(|of| of.shown_by() == action) {
            self.show(at);
            return None;
        }
        let mut screens = self.screens.iter();
        let call = screens.position(|screen| screen.is_called_by(action).is_some());
        let was_here = call.is_none_or(|at| at == self.shown);
        if let Some(at) = call {
            self.show(at);
        }
        if !was_here {
            self.say_shown(action);
        }
        let does = was_here || self.screen().is_called_by(action) == Some(Call::Does);
        if does { self.update(action) } else { None }
    }

    /// Whether an action is of another screen, which it shows.
    pub(super) fn leads_away(&self, action: Action) -> bool {
        let mut screens = self.screens.iter();
        let of = screens.position(|of| of.is_called_by(action).is_some());
        of.is_some_and(|at| at != self.shown)
    }

    /// Says which screen was shown for an action that is of that screen, and does nothing elsewhere.
    fn say_shown(&mut self, action: Action) {
        if self.screen().is_called_by(action) == Some(Call::Shows) {
            let (title, key) = (self.screen().title(), self.ui.keymap.hint(action));
            self.model.message = Some(format!("{title}; {key} here: {}", action.doc()));
        }
    }

    /// Has the present screen take an action.
    pub(super) fn update(&mut self, action: Action) -> Option<Effect> {
        let screen = &mut self.screens[self.shown];
        match screen.update(&mut self.model, &self.ui, action) {
            Reply::Done => None,
            Reply::Act(other) => self.show_or_update(other),
            Reply::Open(popup) => {
                self.popup = Some(popup);
                None
            }
            Reply::Effect(effect) => Some(effect),
        }
    }

    /// Shows a screen by its place.
    pub(super) fn show(&mut self, at: usize) {
        if self.shown != at {
            self.shown = at;
            self.ui.is_zoomed = false;
            self.ask();
            self.model.dirty |= Dirty::TRUTH | Dirty::SESSION;
        }
    }

    /// Changes the mixture, or says that there is none.
    pub(super) fn mix_by(&mut self, change: impl FnOnce(&mut Model) -> bool) {
        if !change(&mut self.model) {
            let key = self.ui.keymap.hint(Action::Mix);
            self.model.message = Some(format!("no mixture: {key} makes one"));
        }
    }

    /// Turns pictures on or off.
    fn toggle_pictures(&mut self) {
        self.model.message = Some(match self.ui.pictures.toggle() {
            Some(now) => format!("pictures {now}"),
            None => self.ui.lacks_pictures(&self.model),
        });
    }

    /// Gives the pane that keys go to the whole screen, or all panes their places, with what is selected in
    /// the middle of its list.
    fn toggle_zoom(&mut self) {
        self.ui.is_zoomed = !self.ui.is_zoomed;
        self.ui.centres.set(!self.ui.is_zoomed);
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
            self.model.store_view(self.words());
        }
    }

    /// Begins all screens anew, which know models and truths by their places.
    fn restart_screens(&mut self) {
        let words = self.words();
        self.screens = screens::all();
        self.restore_screens(&words);
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
    pub(super) fn close_popup(&mut self) {
        let closed = self.popup.take();
        self.popup = closed.and_then(|mut closed| closed.below());
        if let Some(below) = &mut self.popup {
            below.refresh(&self.model);
        }
    }

    /// The screen that is shown, with what it changes.
    pub(super) fn screen_mut(&mut self) -> (&mut dyn Screen, &mut Model, &Ui) {
        (self.screens[self.shown].as_mut(), &mut self.model, &self.ui)
    }
}
