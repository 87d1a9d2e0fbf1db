//! Dispatches events: to the text input, the popup, the target under the mouse, or the action.

use super::{App, Effect};
use crate::data::text::grouped;
use crate::tui::action::{Action, Group};
use crate::tui::event::Event;
use crate::tui::keymap::{Code, Key, Keys};
use crate::tui::popup::{Answer, Popup};
use crate::tui::popups;
use crate::tui::popups::help::Help;
use crate::tui::popups::prompt::PromptPopup;
use crate::tui::screen::Reply;
use crate::tui::state::Model;
use crate::tui::state::changes::Dirty;
use crate::tui::state::query_list::Pane;
use crate::tui::state::results::RankingsOf;
use crate::tui::ui::hits::Target;
use crate::tui::ui::prompt::{MAX_CHARS, Typed};

impl App {
    /// Handles an event, and updates the state.
    pub fn handle(&mut self, event: Event) -> Option<Effect> {
        let effect = match event {
            Event::Key(key) => self.key(key),
            Event::Answered(answer) => {
                answer.apply(self);
                self.model.ended.take().map(|error| Effect::Quit(Some(error)))
            }
            Event::Click(x, y) => self.click((x, y)),
            Event::Signal(libc::SIGTSTP) => Some(Effect::Suspend),
            Event::Signal(libc::SIGCONT) => Some(Effect::Redraw),
            other => {
                self.take(other);
                None
            }
        };
        self.sync();
        self.follow_tour();
        effect
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Paste(text) => self.paste(&text),
            Event::Wheel(x, y, by) => self.wheel((x, y), by),
            Event::Resize(columns, rows) => self.resize((columns, rows)),
            _ => {}
        }
    }

    /// Handles a key: popup and search line come before the bindings.
    fn key(&mut self, key: Key) -> Option<Effect> {
        if key.ctrl && key.code == Code::Char('z') {
            return Some(Effect::Suspend);
        }
        self.model.message = None;
        match self.ask_popup(|popup, app| popup.key(key, &mut app.model)) {
            Answer::Pass if self.model.search.is_typing() => return self.search_key(key),
            Answer::Pass => {}
            Answer::Act(action) | Answer::Below(action) => return self.act(action),
            _ => return None,
        }
        if let Some(action) = self.ui.keymap.action(&Keys(vec![key])) {
            return self.act(action);
        }
        let help = self.ui.keymap.hint(Action::Help);
        self.model.message = Some(format!("{key} is not bound; {help} shows the keys"));
        None
    }

    /// Runs an action.
    pub(super) fn act(&mut self, action: Action) -> Option<Effect> {
        let action = self.popup_act(action)?;
        if self.refuses_hidden(action) {
            return None;
        }
        self.did = Some(action);
        match action {
            Action::Detail if self.has_tour() => self.next_step(),
            Action::Close if self.has_tour() => self.tour = None,
            Action::Quit => return Some(Effect::Quit(None)),
            Action::Redraw => {
                self.model.reload();
                return Some(Effect::Redraw);
            }
            Action::Theme => self.next_theme(),
            Action::Tour => self.start_tour(),
            Action::Thumbnails => self.toggle_thumbnails(),
            Action::Boxes => self.toggle_boxes(),
            Action::Search => {
                if self.model.demand.rankings == RankingsOf::Nothing {
                    self.show(0);
                }
                self.model.search.start();
            }
            own if self.screen().overrides(&self.model, &self.ui, own) => return self.update(own),
            Action::Close if self.model.ends_judging() => self.model.end_judging(),
            Action::Close => self.model.close(),
            Action::Direction => self.model.flip_direction(),
            Action::NextTruth => self.model.step_truth(1),
            Action::PreviousTruth => self.model.step_truth(-1),
            Action::NextModel => self.model.step_model(1),
            Action::PreviousModel => self.model.step_model(-1),
            Action::Judge => self.toggle_judging(),
            of_mode if of_mode.is_of_judging() && !self.model.judging.is_on => {
                self.explain_judging();
            }
            of_item if of_item.is_of_item() && self.lacks_items() => {}
            Action::NextMatch => self.step_match(true),
            Action::PreviousMatch => self.step_match(false),
            answers if answers.response().is_some() => {
                self.model.attempt(|model| model.respond(answers.response()));
            }
            Action::JudgeClear => drop(self.model.attempt(|model| model.respond(None))),
            Action::PutOff => self.model.put_off(),
            Action::Blind => {
                self.model.toggle_blind();
                self.hide_others();
            }
            Action::JudgeListed => drop(self.model.attempt(Model::toggle_listed)),
            Action::Copy => {
                return self.copy(self.model.selected_line().ok_or("nothing is selected"));
            }
            Action::Pool => self.model.next_pool(),
            Action::Mix => self.model.toggle_mix(),
            Action::AlphaUp => self.mix_by(|model| model.turn_alpha(5)),
            Action::AlphaDown => self.mix_by(|model| model.turn_alpha(-5)),
            Action::Scaling => self.mix_by(Model::next_scaling),
            Action::DialUp => self.model.turn_dial(true),
            Action::DialDown => self.model.turn_dial(false),
            Action::Pick => {
                let target = self.screen().pick_target(&self.model, &self.ui);
                let what = self.model.toggle_pick(target);
                self.model.message = what.or(self.model.message.take());
            }
            Action::Note => {
                let target = self.screen().pick_target(&self.model, &self.ui);
                let note = PromptPopup::note(&mut self.model, target.as_ref());
                self.popup = note.map(|note| Box::new(note) as Box<dyn Popup>);
            }
            Action::Help => self.popup = Some(Box::new(Help::new(&self.ui, &self.here(), None))),
            Action::Intervals => self.model.toggle_intervals(),
            Action::Undo => self.model.undo(),
            Action::Redo => self.model.redo(),
            other => return self.show_or_update(other),
        }
        None
    }

    /// Copies a line to the clipboard, or shows why not.
    fn copy(&mut self, line: Result<String, &str>) -> Option<Effect> {
        self.model.message = Some(match &line {
            Ok(line) => format!("copied: {}", line.replace(['\t', '\n'], "  ")),
            Err(why) => (*why).to_owned(),
        });
        line.ok().map(Effect::Copy)
    }

    fn next_theme(&mut self) {
        let name = self.ui.next_theme();
        self.ui.thumbnails.palette += 1;
        self.model.message = Some(format!("theme {name}"));
    }

    /// Passes an action to the open popup, if any, which handles it, scrolls or closes. Returns the action left to run.
    fn popup_act(&mut self, action: Action) -> Option<Action> {
        if self.popup.is_none() {
            return Some(action);
        }
        match self.ask_popup(|popup, app| popup.act(action, &mut app.model)) {
            Answer::Pass => {}
            // The screen below might override the action.
            Answer::Act(action) if let Some(at) = self.screen_of(action) => {
                self.show(at);
                return None;
            }
            Answer::Below(action) | Answer::Act(action) => return Some(action),
            Answer::Stay | Answer::Close => return None,
        }
        if let Some(by) = action.lines(self.ui.size.1 as isize / 2) {
            self.scroll_popup(by);
            return None;
        }
        let opened_by = self.popup.as_ref().map(|popup| popup.opened_by());
        match action {
            Action::Theme | Action::Redraw => return Some(action),
            of_mode if of_mode.is_of_judging() => {
                if self.model.judging.is_on {
                    let key = self.ui.keymap.hint(Action::Close);
                    self.model.message =
                        Some(format!("nothing is answered here: {key}, then answer"));
                } else {
                    self.explain_judging();
                }
            }
            Action::Close | Action::Quit => self.close_popup(),
            again if opened_by == Some(again) => self.close_popup(),
            Action::Help => {
                let here = self.here();
                self.popup = Some(Box::new(Help::new(&self.ui, &here, self.popup.take())));
            }
            _ => {
                self.popup = None;
                return Some(action);
            }
        }
        None
    }

    /// Whether the screen lacks a query with items; then shows a message.
    fn lacks_items(&mut self) -> bool {
        let lacks = self.model.demand.rankings == RankingsOf::Nothing;
        if lacks {
            let key = self.ui.keymap.hint(Action::Browse);
            self.model.message = Some(format!("no query is in sight here: {key} shows them"));
        }
        lacks
    }

    /// Runs an action that opens a popup, shows a screen, or belongs to one.
    fn show_or_update(&mut self, action: Action) -> Option<Effect> {
        if let Some(popup) = popups::open(action, &mut self.model, &self.ui) {
            self.popup = popup;
            return None;
        }
        if let Some(at) = self.screen_of(action) {
            self.show(at);
            return None;
        }
        let call = self.screens.iter().position(|screen| screen.calls(action));
        if let Some(at) = call.filter(|at| *at != self.shown) {
            self.show(at);
            // Show picks before changing one of them.
            if action.group() == Group::Picks && action != Action::Export {
                return None;
            }
        }
        self.update(action)
    }

    /// Index of the screen that an action shows.
    fn screen_of(&self, action: Action) -> Option<usize> {
        self.screens.iter().position(|of| of.tab().0 == action)
    }

    /// Whether an action belongs to another screen.
    pub(super) fn leads_away(&self, action: Action) -> bool {
        let mut screens = self.screens.iter();
        let of = screens.position(|of| of.calls(action));
        of.is_some_and(|at| at != self.shown)
    }

    /// Runs an action of the current screen.
    fn update(&mut self, action: Action) -> Option<Effect> {
        let screen = &mut self.screens[self.shown];
        match screen.update(&mut self.model, &self.ui, action) {
            Reply::Done => None,
            Reply::Idle => {
                let key = self.ui.keymap.hint(action);
                self.model.message = Some(format!("nothing here for {key}: {}", action.doc()));
                None
            }
            Reply::Act(other) => {
                let effect = self.show_or_update(other);
                if other == Action::Browse {
                    // An item was opened.
                    self.model.selection.pane = Pane::Ranking;
                }
                effect
            }
            Reply::Open(popup) => {
                self.popup = Some(popup);
                None
            }
        }
    }

    /// Changes the mixture, or shows a refusal.
    pub(super) fn mix_by(&mut self, change: impl FnOnce(&mut Model) -> bool) {
        if !change(&mut self.model) {
            let key = self.ui.keymap.hint(Action::Mix);
            self.model.message = Some(format!("no mixture: {key} makes one"));
        }
    }

    /// Handles a key of the search line. Arrows that recall nothing move the selection.
    fn search_key(&mut self, key: Key) -> Option<Effect> {
        let model = &mut self.model;
        let recalls = model.search.text().is_empty() || model.search.line.is_recalling();
        let moves = match key.code {
            Code::Named("PageDown" | "PageUp") => true,
            Code::Named("Down" | "Up") => !recalls,
            _ => false,
        };
        if let Some(action) = self.ui.keymap.action(&Keys(vec![key])).filter(|_| moves) {
            self.show_or_update(action);
            return None;
        }
        match model.search.line.key(key, model.prompts.entries(Action::Search)) {
            Typed::Entered => {
                model.search.enter();
                model.prompts.add(Action::Search, model.search.text());
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

    /// Pastes text into the open text input, if any.
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
            let most = grouped(MAX_CHARS);
            self.model.message = Some(format!("cut: a line takes {most} characters"));
        }
    }

    /// Calls the popup, which stays open unless it closes.
    fn ask_popup(&mut self, ask: impl FnOnce(&mut dyn Popup, &mut App) -> Answer) -> Answer {
        let Some(mut popup) = self.popup.take() else {
            return Answer::Pass;
        };
        match ask(popup.as_mut(), self) {
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

    /// Handles a click at a column and row of the last frame.
    fn click(&mut self, at: (u16, u16)) -> Option<Effect> {
        let target = self.hit(at)?;
        self.model.message = None;
        match target {
            Target::Do(action) => return self.act(action),
            Target::Popup => {}
            Target::Behind => {
                let line = self.popup.as_mut().and_then(|open| open.prompt());
                // Typed text is not lost.
                if line.is_none_or(|line| line.text().is_empty()) {
                    self.close_popup();
                }
            }
            Target::Row(..) | Target::Cell(..) | Target::List(_) => match &mut self.popup {
                Some(popup) => popup.click(target, &mut self.model, &self.ui),
                None => self.screens[self.shown].click(&mut self.model, &self.ui, target),
            },
        }
        None
    }

    fn hit(&self, at: (u16, u16)) -> Option<Target> {
        self.ui.hits.borrow().at(at, self.ui.size)
    }

    /// Scrolls the popup, or else the list under the pointer.
    fn wheel(&mut self, at: (u16, u16), by: isize) {
        match self.hit(at) {
            _ if self.popup.is_some() => self.scroll_popup(by),
            Some(Target::Row(list, _) | Target::Cell(list, ..) | Target::List(list)) => {
                self.screens[self.shown].wheel(&mut self.model, &self.ui, list, by);
            }
            _ => {}
        }
    }

    fn scroll_popup(&mut self, by: isize) {
        if let Some(popup) = &mut self.popup {
            popup.scroll(by, &self.model);
        }
    }
}
