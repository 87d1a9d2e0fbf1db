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
use crate::tui::ui::prompt::{KeyEffect, MAX_CHARS};

impl App {
    /// Handles an event, and updates everything that depends on it. Returns the task of the event loop, if any.
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
                self.handle_without_effect(other);
                None
            }
        };
        self.sync();
        self.follow_tour();
        effect
    }

    /// Handles a paste, the wheel or a resize; ignores other events.
    fn handle_without_effect(&mut self, event: Event) {
        match event {
            Event::Paste(text) => self.paste(&text),
            Event::Wheel(x, y, by) => self.wheel((x, y), by),
            Event::Resize(columns, rows) => self.resize((columns, rows)),
            _ => {}
        }
    }

    /// Handles a key: the popup and the search line come before the bindings.
    fn key(&mut self, key: Key) -> Option<Effect> {
        if key.ctrl && key.code == Code::Char('z') {
            return Some(Effect::Suspend);
        }
        self.model.message = None;
        match self.call_popup(|popup, app| popup.key(key, &mut app.model)) {
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
        let action = self.pass_to_popup(action)?;
        if self.refuse_hidden(action) {
            return None;
        }
        self.last_action = Some(action);
        match action {
            Action::Detail if self.has_tour_focus() => self.next_tour_step(),
            Action::Close if self.has_tour_focus() => self.tour = None,
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
                    self.show_screen(0);
                }
                self.model.search.start();
            }
            _ if self.screen().overrides(&self.model, &self.ui, action) => {
                return self.update(action);
            }
            Action::Close if self.model.ends_judging() => self.model.end_judging(),
            Action::Close => self.model.close_search_or_filter(),
            Action::Direction => self.model.flip_direction(),
            Action::NextTruth => self.model.step_truth(1),
            Action::PreviousTruth => self.model.step_truth(-1),
            Action::NextModel => self.model.step_model(1),
            Action::PreviousModel => self.model.step_model(-1),
            Action::Judge => self.toggle_judging(),
            _ if action.needs_judging() && !self.model.judging.is_on => self.explain_judging(),
            _ if action.needs_item() && self.refuse_without_items() => {}
            Action::NextMatch => self.step_match(true),
            Action::PreviousMatch => self.step_match(false),
            _ if action.response().is_some() => {
                self.model.attempt(|model| model.respond(action.response()));
            }
            Action::JudgeClear => drop(self.model.attempt(|model| model.respond(None))),
            Action::PutOff => self.model.defer_pair(),
            Action::Blind => {
                self.model.toggle_blind();
                self.show_blind_screen();
            }
            Action::JudgeListed => drop(self.model.attempt(Model::toggle_listed)),
            Action::Copy => {
                return self.copy(self.model.selected_line().ok_or("nothing is selected"));
            }
            Action::Pool => self.model.next_pool(),
            Action::Mix => self.model.toggle_mix(),
            Action::AlphaUp => self.change_mixture(|model| model.step_alpha(5)),
            Action::AlphaDown => self.change_mixture(|model| model.step_alpha(-5)),
            Action::Scaling => self.change_mixture(Model::next_scaling),
            Action::More => self.model.step_threshold(true),
            Action::Less => self.model.step_threshold(false),
            Action::Pick => {
                let target = self.screen().pick_target(&self.model, &self.ui);
                let message = self.model.toggle_pick(target);
                self.model.message = message.or(self.model.message.take());
            }
            Action::Note => {
                let target = self.screen().pick_target(&self.model, &self.ui);
                let note = PromptPopup::for_note(&mut self.model, target.as_ref());
                self.popup = note.map(|note| Box::new(note) as Box<dyn Popup>);
            }
            Action::Help => self.open_help(),
            Action::Intervals => self.model.toggle_intervals(),
            Action::Undo => self.model.undo(),
            Action::Redo => self.model.redo(),
            _ => return self.show_or_update(action),
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

    /// Sets the next theme, and redraws boxes on images in its colours.
    fn next_theme(&mut self) {
        let name = self.ui.next_theme();
        self.ui.thumbnails.palette += 1;
        self.model.message = Some(format!("theme {name}"));
    }

    /// Passes an action to the open popup, if any: it handles the action, scrolls or closes. Returns an action that is
    /// still to be run.
    fn pass_to_popup(&mut self, action: Action) -> Option<Action> {
        if self.popup.is_none() {
            return Some(action);
        }
        match self.call_popup(|popup, app| popup.act(action, &mut app.model)) {
            Answer::Pass => {}
            // The screen below might override the action.
            Answer::Act(action) if let Some(at) = self.screen_index(action) => {
                self.show_screen(at);
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
            _ if action.needs_judging() => {
                if self.model.judging.is_on {
                    let key = self.ui.keymap.hint(Action::Close);
                    self.model.message =
                        Some(format!("nothing is answered here: {key}, then answer"));
                } else {
                    self.explain_judging();
                }
            }
            Action::Close | Action::Quit => self.close_popup(),
            _ if opened_by == Some(action) => self.close_popup(),
            Action::Help => self.open_help(),
            _ => {
                self.popup = None;
                return Some(action);
            }
        }
        None
    }

    /// Opens the help over the popup, if one is open.
    fn open_help(&mut self) {
        let sections = self.help_sections();
        self.popup = Some(Box::new(Help::new(&self.ui, &sections, self.popup.take())));
    }

    /// Refuses an action on items, with a message, if the screen shows no ranking; returns whether it is refused.
    fn refuse_without_items(&mut self) -> bool {
        let is_refused = self.model.demand.rankings == RankingsOf::Nothing;
        if is_refused {
            let key = self.ui.keymap.hint(Action::Browse);
            self.model.message = Some(format!("no query is in sight here: {key} shows them"));
        }
        is_refused
    }

    /// Runs an action that opens a popup, shows a screen, or belongs to one.
    fn show_or_update(&mut self, action: Action) -> Option<Effect> {
        if let Some(popup) = popups::open(action, &mut self.model, &self.ui) {
            self.popup = popup;
            return None;
        }
        if let Some(at) = self.screen_index(action) {
            self.show_screen(at);
            return None;
        }
        let owner = self.screens.iter().position(|screen| screen.owns(action));
        if let Some(at) = owner.filter(|at| *at != self.current) {
            self.show_screen(at);
            // Show picks before changing one of them.
            if action.group() == Group::Picks && action != Action::Export {
                return None;
            }
        }
        self.update(action)
    }

    /// Index of the screen that an action shows; `None` if it shows none.
    fn screen_index(&self, action: Action) -> Option<usize> {
        self.screens.iter().position(|screen| screen.tab().0 == action)
    }

    /// Whether an action belongs to another screen.
    pub(super) fn is_of_another_screen(&self, action: Action) -> bool {
        let owner = self.screens.iter().position(|screen| screen.owns(action));
        owner.is_some_and(|at| at != self.current)
    }

    /// Passes an action to the current screen, and does what it replies.
    fn update(&mut self, action: Action) -> Option<Effect> {
        let screen = &mut self.screens[self.current];
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

    /// Changes the mixture by `change`, which returns `false` if there is none: a message then says how to make one.
    fn change_mixture(&mut self, change: impl FnOnce(&mut Model) -> bool) {
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
            KeyEffect::Entered => {
                model.search.enter();
                model.prompts.add(Action::Search, model.search.text());
            }
            KeyEffect::Closed => {
                model.search.clear();
                model.dirty |= Dirty::ROWS;
            }
            KeyEffect::Edited if recalls || model.search.text().is_empty() => {
                model.dirty |= Dirty::ROWS;
            }
            KeyEffect::Edited | KeyEffect::Ignored => {}
        }
        None
    }

    /// Pastes text into the open text input, if any.
    fn paste(&mut self, text: &str) {
        let is_whole = if let Some(popup) = &mut self.popup {
            let Some(line) = popup.prompt() else { return };
            let is_whole = line.paste(text);
            popup.on_edit(&self.model);
            is_whole
        } else if self.model.search.is_typing() {
            self.model.search.line.paste(text)
        } else {
            return;
        };
        if !is_whole {
            let max = grouped(MAX_CHARS);
            self.model.message = Some(format!("cut: a line takes {max} characters"));
        }
    }

    /// Runs `call` on the open popup, and closes it on [`Answer::Close`] or [`Answer::Act`]. Returns the answer;
    /// [`Answer::Pass`] if no popup is open.
    fn call_popup(&mut self, call: impl FnOnce(&mut dyn Popup, &mut App) -> Answer) -> Answer {
        let Some(mut popup) = self.popup.take() else {
            return Answer::Pass;
        };
        match call(popup.as_mut(), self) {
            answer @ Answer::Act(_) => answer,
            answer => {
                self.popup = Some(popup);
                if matches!(answer, Answer::Close) {
                    self.close_popup();
                }
                answer
            }
        }
    }

    /// Handles a click at a column and row of the last frame.
    fn click(&mut self, at: (u16, u16)) -> Option<Effect> {
        let target = self.target_at(at)?;
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
                None => self.screens[self.current].click(&mut self.model, &self.ui, target),
            },
        }
        None
    }

    /// The click target at a column and row of the last frame.
    fn target_at(&self, at: (u16, u16)) -> Option<Target> {
        self.ui.hits.borrow().target_at(at, self.ui.size)
    }

    /// Scrolls the popup, or else the list at this column and row, by lines.
    fn wheel(&mut self, at: (u16, u16), by: isize) {
        match self.target_at(at) {
            _ if self.popup.is_some() => self.scroll_popup(by),
            Some(Target::Row(list, _) | Target::Cell(list, ..) | Target::List(list)) => {
                self.screens[self.current].wheel(&mut self.model, &self.ui, list, by);
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
