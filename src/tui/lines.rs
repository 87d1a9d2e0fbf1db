//! What acts on the selected lines: for the help, and what marks several.

use super::action::Action;
use super::app::App;
use super::model::demand::RankingsOf;
use super::screen::Hint;

/// What acts on the selected query or item beyond the keys that a footer has room for.
const OF_LINES: &[Hint] = &[
    (Action::Pick, "pick"),
    (Action::Note, "note"),
    (Action::Mark, "mark"),
    (Action::SortBy, "sort"),
    (Action::Copy, "copy"),
];

impl App {
    /// The keys that act on the present screen: those that matter most, and those of a query or an item.
    pub(super) fn acts_here(&self) -> Vec<Hint> {
        let mut acts = self.screen().hints(&self.model, &self.ui);
        if self.model.demand.rankings != RankingsOf::Nothing {
            let others = OF_LINES
                .iter()
                .filter(|(action, _)| acts.iter().all(|(known, _)| known != action));
            acts.extend(others.copied().collect::<Vec<Hint>>());
        }
        acts
    }

    /// Marks the selected line and the next one in a direction.
    pub(super) fn extend_marks(&mut self, step: Action) {
        self.model.mark(true);
        self.update(step);
        self.model.mark(true);
    }
}
