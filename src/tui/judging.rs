//! How the judging mode begins and ends, and what holds in it alone.

use super::action::Action;
use super::app::App;
use super::keymap::Mode;
use super::model::demand::RankingsOf;
use super::model::queued::PoolToJudge;

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
    Action::Items,
    Action::CopyRow,
    Action::Boxes,
    Action::NextPhrase,
    Action::PreviousPhrase,
];

impl App {
    /// Whether an action would show what is hidden, which is then said.
    pub(super) fn is_hidden(&mut self, action: Action) -> bool {
        let is_hidden = self.model.is_blind() && REVEALING.contains(&action);
        if is_hidden {
            let key = self.ui.keymap.hint(Action::Blind);
            let words = format!("blind: {key} shows scores, ranks, marks and badges again");
            self.model.message = Some(words);
        }
        is_hidden
    }

    /// Which keys hold.
    pub(super) fn mode(&self) -> Mode {
        let in_popup = self.popup.as_ref().is_some_and(|open| open.answers());
        if self.model.judging.is_on || in_popup {
            Mode::Judging
        } else {
            Mode::Everywhere
        }
    }

    /// Begins or ends the judging mode; it begins where a ranking is in sight.
    pub(super) fn toggle_judging(&mut self) {
        if self.model.judging.is_on {
            return self.model.end_judging();
        }
        if self.model.demand.rankings == RankingsOf::Nothing {
            self.show(0);
        }
        self.model.begin_judging();
        if self.model.is_blind() {
            self.show(0);
        }
        self.follow();
    }

    /// Begins to judge the pairs of a pool, blind at first.
    pub fn judge_pool(&mut self, pool: PoolToJudge) {
        self.model.take_pool(pool);
        let before = self.model.message.take();
        if !self.model.judging.is_on {
            self.toggle_judging();
        }
        let lines = [self.model.message.take(), self.model.queue_words(), before];
        let lines: Vec<String> = lines.into_iter().flatten().collect();
        self.model.message = (!lines.is_empty()).then(|| lines.join("; "));
        self.settle();
    }

    /// Hides what tells how an item stands, or shows it; what hides it is the first screen.
    pub(super) fn toggle_blind(&mut self) {
        self.model.toggle_blind();
        if self.model.is_blind() {
            self.show(0);
        }
    }

    /// Whether the judging mode is off, which is then said: what is of that mode is written in it alone.
    pub(super) fn lacks_mode(&mut self) -> bool {
        let is_off = !self.model.judging.is_on;
        if is_off {
            let key = self.ui.keymap.hint(Action::Judge);
            self.model.message = Some(format!("{key} begins judging"));
        }
        is_off
    }

    /// Goes to the next or previous match of the search, or says that there is none.
    pub(super) fn step_match(&mut self, forward: bool) {
        if !self.model.step_match(forward) {
            let [search, judge] = [Action::Search, Action::Judge].map(|of| self.ui.keymap.hint(of));
            let words = format!("no search: {search} begins one; {judge} begins judging");
            self.model.message = Some(words);
        }
    }
}
