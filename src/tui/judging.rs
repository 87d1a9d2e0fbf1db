//! How the judging mode begins and ends, and what holds in it alone.

use super::action::Action;
use super::app::App;
use super::keymap::{Key, Mode};
use super::model::Model;
use super::model::annotation_pool::PoolToJudge;
use super::model::dirty::RankingsOf;
use super::screen::Hint;

/// What shows ranks, marks or numbers, and waits while these are hidden.
const REVEALING: &[Action] = &[
    Action::Compare,
    Action::Metrics,
    Action::Errors,
    Action::Picks,
    Action::NextPositive,
    Action::PreviousPositive,
    Action::Define,
    Action::History,
    Action::Tests,
    Action::Intervals,
    Action::Curve,
    Action::WhatIf,
    Action::Beside,
    Action::Plot,
    Action::Sort,
    Action::SortBy,
    Action::Items,
    Action::CopyRow,
    Action::Boxes,
    Action::NextPhrase,
    Action::PreviousPhrase,
];

/// How what is said of judging blind begins.
const BLIND: &str = "blind: ";

impl App {
    /// Whether an action would show what is hidden, which is then said.
    pub(super) fn is_hidden(&mut self, action: Action) -> bool {
        let reveals = REVEALING.contains(&action) || self.leads_away(action);
        let is_hidden = self.model.is_blind() && reveals;
        if is_hidden {
            let key = self.ui.keymap.hint(Action::Blind);
            let sheet = ["", "no contact sheet; "][usize::from(action == Action::Plot)];
            let words = format!("blind: {sheet}{key} shows scores, ranks, marks and badges again");
            self.model.message = Some(words);
        }
        is_hidden
    }

    /// The action of a key here. Answers have their keys where the pair that they are about is in sight, and no
    /// search is on, whose next match these keys go to.
    pub(super) fn action_of(&self, key: Key) -> Option<Action> {
        let [elsewhere, judging] =
            [Mode::Everywhere, Mode::Judging].map(|mode| self.ui.keymap.action(mode, key));
        let steps = elsewhere.is_some_and(Action::steps_match);
        if self.answers() {
            return elsewhere.filter(|_| steps && self.is_searched()).or(judging);
        }
        // What would be an answer and is no key of what is open is refused, rather than done as something else.
        let would_answer = self.model.judging.is_on && judging.is_some_and(Action::is_of_judging);
        if would_answer && elsewhere.is_none_or(|own| !self.is_own(own)) {
            judging
        } else {
            elsewhere
        }
    }

    /// Whether the keys of the judging mode hold.
    fn answers(&self) -> bool {
        let popup = self.popup.as_ref();
        popup.map_or(self.judges_here(), |open| open.answers(&self.model))
    }

    /// Whether the mode is on, and the screen shows what a person could judge.
    pub(super) fn judges_here(&self) -> bool {
        self.model.judging.is_on && self.model.demand.rankings != RankingsOf::Nothing
    }

    /// Whether a search is on where keys go to.
    fn is_searched(&self) -> bool {
        let popup = self.popup.as_ref();
        popup.map_or(self.model.is_searched(), |open| open.is_searched(&self.model))
    }

    /// Whether an action is among those that the open popup names as its own, or that mean something of their own on
    /// the screen.
    fn is_own(&self, action: Action) -> bool {
        match &self.popup {
            Some(open) => open.hints(&self.model).iter().any(|(own, _)| *own == action),
            None => self.screen().takes(&self.model, &self.ui, action),
        }
    }

    /// Says why nothing is answered in what is open on top.
    pub(super) fn refuse_answer(&mut self) {
        if !self.lacks_mode() {
            let key = self.ui.keymap.hint(Action::Close);
            self.model.message = Some(format!("nothing is answered here: {key}, then answer"));
        }
    }

    /// The hints whose keys do here what they say.
    pub(super) fn holding(&self, hints: Vec<Hint>) -> Vec<Hint> {
        let does = |action: Action| {
            let key = self.ui.keymap.keys(action).first();
            key.is_none_or(|key| self.action_of(*key) == Some(action))
        };
        let hints = hints.into_iter();
        hints.filter(|(action, _)| does(*action)).collect()
    }

    /// Begins or ends the judging mode; it begins where a ranking is in sight.
    pub(super) fn toggle_judging(&mut self) {
        if self.model.judging.is_on {
            return self.model.end_judging();
        }
        if self.model.demand.rankings == RankingsOf::Nothing {
            self.show(0);
        }
        self.model.attempt(Model::begin_judging);
        let said = self.model.message.take();
        self.hide_others();
        self.say_first(said);
        self.tell_passed_over();
    }

    /// While one judges blind, the first screen is shown, which is said where it was another.
    fn hide_others(&mut self) {
        let before = self.shown();
        if self.model.is_blind() {
            self.show(0);
        }
        if self.shown() != before {
            let title = self.screen().title();
            self.model.message = Some(format!("blind: on {title}, since other screens show ranks"));
        }
    }

    /// Puts what was said before what is said now.
    fn say_first(&mut self, said: Option<String>) {
        let lines = [said, self.model.message.take()];
        let mut lines: Vec<String> = lines.into_iter().flatten().collect();
        // That one judges blind is said once.
        if let [first, others @ ..] = &mut lines[..]
            && first.starts_with(BLIND)
        {
            for other in others {
                *other = other.trim_start_matches(BLIND).to_owned();
            }
        }
        self.model.message = (!lines.is_empty()).then(|| lines.join("; "));
    }

    /// Says, while one judges blind, that rows that are passed over are positives, and what has them asked too.
    fn tell_passed_over(&mut self) {
        if self.model.is_blind() && self.model.passes_over_positives() {
            let key = self.ui.keymap.hint(Action::JudgeListed);
            let words =
                format!("blind: what is passed over is a positive; {key} asks about every item");
            let said = self.model.message.replace(words);
            self.say_first(said);
        }
    }

    /// Begins to judge the pairs of a pool, blind at first.
    pub fn judge_pool(&mut self, pool: PoolToJudge) {
        self.model.take_pool(pool);
        let before = self.model.message.take();
        if !self.model.judging.is_on {
            self.toggle_judging();
        }
        for words in [self.model.queue_words(), before] {
            let said = std::mem::replace(&mut self.model.message, words);
            self.say_first(said);
        }
        self.settle();
    }

    /// Hides what tells how an item stands, or shows it; what hides it is the first screen.
    pub(super) fn toggle_blind(&mut self) {
        self.model.toggle_blind();
        if self.model.is_blind() {
            // The header says what is hidden.
            let said = self.model.message.take();
            self.hide_others();
            self.say_first(said.filter(|_| !self.model.passes_over_positives()));
        }
        self.tell_passed_over();
    }

    /// Whether the judging mode is off, which is then said: what is of that mode is written in it alone.
    pub(super) fn lacks_mode(&mut self) -> bool {
        let is_off = !self.model.judging.is_on;
        if is_off {
            let key = self.ui.keymap.hint(Action::Judge);
            let why = self.model.check_writable().err();
            self.model.message = why.or(Some(format!("{key} begins judging")));
        }
        is_off
    }

    /// Goes to the next or previous match of the search, or says that there is none.
    pub(super) fn step_match(&mut self, forward: bool) {
        let is_found = self.model.step_match(forward);
        if is_found && self.model.judging.is_on {
            let [close, answer] =
                [Action::Close, Action::VerdictMostlyNo].map(|of| self.ui.keymap.hint(of));
            let said = self.model.message.take().unwrap_or_default();
            let words = format!("{said}; {close} ends the search, then {answer} answers");
            self.model.message = Some(words);
        } else if !is_found {
            let [search, judge] = [Action::Search, Action::Judge].map(|of| self.ui.keymap.hint(of));
            let words = format!("no search: {search} begins one; {judge} begins judging");
            self.model.message = Some(words);
        }
    }
}
