//! The judging mode: start, hidden actions and keys.

use super::App;
use crate::tui::action::Action;
use crate::tui::state::Model;
use crate::tui::state::pool::PoolToJudge;
use crate::tui::state::results::RankingsOf;

/// Actions that reveal ranks, marks or numbers: refused while blind.
const REVEALING: &[Action] = &[
    Action::Compare,
    Action::Metrics,
    Action::Errors,
    Action::Picks,
    Action::NextPositive,
    Action::PreviousPositive,
    Action::Tests,
    Action::Nearest,
    Action::Intervals,
    Action::Plot,
    Action::Sort,
    Action::SortBy,
    Action::Items,
    Action::Boxes,
];

impl App {
    /// Refuses an action that would break blind judging, with a message; returns whether it is refused.
    pub(super) fn refuse_hidden(&mut self, action: Action) -> bool {
        let is_revealing = REVEALING.contains(&action) || self.is_of_another_screen(action);
        let is_refused = self.model.is_blind() && is_revealing;
        if is_refused {
            let key = self.ui.keymap.hint(Action::Blind);
            self.model.message =
                Some(format!("blind: {key} shows scores, ranks, marks and badges again"));
        }
        is_refused
    }

    /// Whether judging mode is on, and the screen shows a ranking.
    pub(super) fn is_judging_here(&self) -> bool {
        self.model.judging.is_on && self.model.demand.rankings != RankingsOf::Nothing
    }

    /// Starts or ends the judging mode; starts it on a screen with a ranking.
    pub(super) fn toggle_judging(&mut self) {
        if self.model.judging.is_on {
            return self.model.end_judging();
        }
        if self.model.demand.rankings == RankingsOf::Nothing {
            self.show_screen(0);
        }
        self.model.attempt(Model::begin_judging);
        self.show_blind_screen();
    }

    /// While judging blind, shows the first screen: others show ranks. Warns if positives are skipped: that reveals
    /// which items are positives.
    pub(super) fn show_blind_screen(&mut self) {
        if !self.model.is_blind() {
            return;
        }
        self.show_screen(0);
        if self.model.skips_positives() {
            let key = self.ui.keymap.hint(Action::JudgeListed);
            self.model
                .append_message(&format!("positives are skipped; {key} asks about every item"));
        }
    }

    /// Starts to judge the pairs of an annotation pool, blind at first.
    pub fn judge_pool(&mut self, pool: PoolToJudge) {
        self.model.set_annotation_pool(pool);
        if !self.model.judging.is_on {
            self.toggle_judging();
        }
        if let Some(words) = self.model.unqueued_note() {
            self.model.append_message(&words);
        }
        self.sync();
    }

    /// Shows how to begin judging, or why nobody can.
    pub(super) fn explain_judging(&mut self) {
        let key = self.ui.keymap.hint(Action::Judge);
        let why = self.model.check_writable().err();
        self.model.message = why.or(Some(format!("{key} begins judging")));
    }

    /// Goes to the next or previous match of the search, or shows that there is no search.
    pub(super) fn step_match(&mut self, forward: bool) {
        if !self.model.step_match(forward) {
            let search = self.ui.keymap.hint(Action::Search);
            self.model.message = Some(format!("no search: {search} begins one"));
        }
    }
}
