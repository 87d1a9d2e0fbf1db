//! Where an event goes: to what is open on top, to a line that is typed, or to its action.

use std::ops::ControlFlow;

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::event::Event;
use super::keymap::{Code, Key, Mode};
use super::model::dirty::{Dirty, RankingsOf};
use super::model::session::Kept;
use super::popup::{Answer, Popup};
use super::popups::help::Help;
use super::popups::prompt::Unsaved;
use super::widgets::prompt::{MAX_CHARS, Typed};
use crate::error::Error;
use crate::session::Prompt;

impl App {
    /// Takes whatever happened.
    pub fn handle(&mut self, event: Event) -> Option<Effect> {
        let effect = self.taken(event);
        self.settle();
        self.follow_tour();
        effect
    }

    fn taken(&mut self, event: Event) -> Option<Effect> {
        match event {
            Event::Key(key) => return self.key(key),
            Event::Answered(answer) => {
                answer.taken(self);
                let ended = self.model.ended.take().map(|error| Effect::Quit(Some(error)));
                let leaves = self.model.leaves.take().map(Effect::Leave);
                let copied = || self.model.to_copy.take().map(Effect::Copy);
                return ended.or(leaves).or_else(copied);
            }
            Event::Signal(libc::SIGTSTP) => return Some(Effect::Suspend),
            Event::Signal(libc::SIGCONT) => return Some(Effect::Redraw),
            Event::Paste(text) => self.paste(&text),
            Event::Click(x, y) => return self.click((x, y)),
            Event::Wheel(x, y, by) => self.wheel((x, y), by),
            Event::Drag(x) => self.drag_to(x),
            Event::Release => self.model.known.drag = None,
            Event::Resize(columns, rows) => self.resize((columns, rows)),
            Event::Woken | Event::Signal(_) | Event::Closed(_) => {}
        }
        None
    }

    /// Takes a key.
    fn key(&mut self, key: Key) -> Option<Effect> {
        self.model.message = None;
        self.model.known.drag = None;
        if self.tour_key(key) {
            return None;
        }
        match self.ask_popup(|popup, app| popup.key(key, &mut app.model)) {
            Answer::Pass => self.unasked_key(key),
            Answer::Act(action) => self.act(action),
            Answer::Effect(effect) => Some(effect),
            _ => None,
        }
    }

    /// Takes a key that no popup takes.
    fn unasked_key(&mut self, key: Key) -> Option<Effect> {
        if self.model.search.is_typing() {
            return self.search_key(key);
        }
        if let Some(action) = self.action_of(key) {
            return self.act(action);
        }
        let [help, close] = [Action::Help, Action::Close].map(|of| self.ui.keymap.hint(of));
        if self.popup.is_some() {
            self.model.message = Some(format!("{key} is not bound; {close} closes this"));
        } else if !matches!(key.code, Code::Named(_)) {
            self.model.message = Some(format!("{key} is not bound; {help} shows the keys"));
        }
        None
    }

    /// Opens the line of the search, where what it finds is listed.
    pub(super) fn start_search(&mut self) {
        if self.model.demand.rankings == RankingsOf::Nothing {
            self.show(0);
        }
        self.model.search.start();
    }

    /// A key while the search line is open. Arrows that recall nothing move the selection.
    fn search_key(&mut self, key: Key) -> Option<Effect> {
        let model = &mut self.model;
        let recalls = model.search.text().is_empty() || model.search.line.is_recalling();
        let moves = match key.code {
            Code::Char('z') if key.ctrl => return Some(Effect::Suspend),
            Code::Named("PageDown" | "PageUp") => true,
            Code::Named("Down" | "Up") => !recalls,
            _ => false,
        };
        if let Some(action) = self.ui.keymap.action(Mode::Everywhere, key).filter(|_| moves) {
            self.show_or_update(action);
            return None;
        }
        match model.search.line.key(key, model.memory.past(Prompt::Search)) {
            Typed::Entered => {
                model.enter_search();
                model.memory.typed(Prompt::Search, model.search.text());
            }
            Typed::Closed => {
                model.search.clear();
                model.dirty |= Dirty::ROWS;
            }
            Typed::Edited if recalls || model.search.text().is_empty() => {
                model.dirty |= Dirty::ROWS;
            }
            Typed::Edited | Typed::Ignored => {}
        }
        None
    }

    /// Text pasted into the terminal: it goes to the line that is open, if there is one.
    fn paste(&mut self, text: &str) {
        let is_whole = if let Some(popup) = &mut self.popup {
            let Some(line) = popup.prompt() else { return };
            let is_whole = line.paste(text);
            popup.edited(&self.model);
            is_whole
        } else if self.model.search.is_typing() {
            self.model.search.line.paste(text)
        } else {
            return;
        };
        if !is_whole {
            let most = crate::data::text::grouped(MAX_CHARS);
            self.model.message = Some(format!("cut: a line takes {most} characters"));
        }
    }

    /// Asks the open popup, which stays open unless it closes or opens another.
    fn ask_popup(&mut self, ask: impl FnOnce(&mut dyn Popup, &mut App) -> Answer) -> Answer {
        let Some(mut popup) = self.popup.take() else {
            return Answer::Pass;
        };
        match ask(popup.as_mut(), self) {
            Answer::Open(other) => {
                self.popup = Some(other);
                Answer::Stay
            }
            acts @ Answer::Act(_) => acts,
            other => {
                self.popup = Some(popup);
                if matches!(other, Answer::Close) {
                    self.close_popup();
                }
                other
            }
        }
    }

    /// Gives an action to the open popup, if there is one: it takes it, scrolls or closes. Goes on with the
    /// action that is still to be done, or ends with what follows.
    pub(super) fn popup_act(&mut self, action: Action) -> ControlFlow<Option<Effect>, Action> {
        if self.popup.is_none() {
            return ControlFlow::Continue(action);
        }
        match self.ask_popup(|popup, app| popup.act(action, &mut app.model)) {
            Answer::Pass => {}
            Answer::Below(action) | Answer::Act(action) => return ControlFlow::Continue(action),
            Answer::Effect(effect) => return ControlFlow::Break(Some(effect)),
            Answer::Stay | Answer::Close | Answer::Open(_) => return ControlFlow::Break(None),
        }
        if let Some(by) = action.lines(self.ui.size.1 as isize / 2) {
            self.scroll_popup(by);
            return ControlFlow::Break(None);
        }
        if matches!(action, Action::Theme | Action::Redraw | Action::Suspend) {
            return ControlFlow::Continue(action);
        }
        if action.is_of_judging() {
            self.refuse_answer();
            return ControlFlow::Break(None);
        }
        let opened_by = self.popup.as_ref().map(|popup| popup.opened_by());
        if matches!(action, Action::Close | Action::Quit) || opened_by == Some(action) {
            self.close_popup();
            return ControlFlow::Break(None);
        }
        if action == Action::Help {
            self.ui.here = self.here();
            let help = Help::new(&self.ui).over(self.popup.take());
            self.popup = Some(Box::new(help));
            return ControlFlow::Break(None);
        }
        self.popup = None;
        ControlFlow::Continue(action)
    }

    /// Scrolls what is open on top.
    pub(super) fn scroll_popup(&mut self, by: isize) {
        if let Some(popup) = &mut self.popup {
            popup.scroll(by, &self.model);
        }
    }

    /// Asks where to save what is in no file; whether there is such a thing.
    pub(super) fn ask_where_to_save(&mut self, failure: Error, reason: Option<Error>) -> bool {
        let is_lost = self.model.session.kept() == Kept::Failed;
        if is_lost {
            let asked = Unsaved::new(failure, reason, &self.model.session.other_place);
            self.popup = Some(Box::new(asked));
            self.settle();
        }
        is_lost
    }
}
