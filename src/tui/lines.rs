//! What acts on the selected lines: for the help, and what marks several.

use super::action::Action;
use super::app::App;
use super::model::dirty::RankingsOf;
use super::popup::judging_hints;
use super::screen::Hint;

/// What acts on the selected query or item beyond the keys that a footer has room for.
const OF_LINES: &[Hint] = &[
    (Action::Pick, "pick"),
    (Action::Note, "note"),
    (Action::Mark, "mark"),
    (Action::SortBy, "sort"),
    (Action::Copy, "copy"),
];

/// Hints that every screen begins with: help and quit.
const ALWAYS: usize = 2;

impl App {
    /// What the help begins with: the keys of what is open on top, those of the judging mode while that is on, and those
    /// of the screen, each under its heading.
    pub(super) fn here(&self) -> Vec<(String, Vec<Hint>)> {
        let open = self.popup.as_ref();
        let open = open.map(|open| ("in what is open".to_owned(), open.hints(&self.model)));
        let judging = self.model.judging.is_on;
        let judging = judging.then(|| ("judging".to_owned(), judging_hints(&self.model)));
        let screen = format!("on the screen {}", self.screen().title());
        open.into_iter().chain(judging).chain([(screen, self.acts_here())]).collect()
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

    /// The keys that the footer names: of what is open on top, of the judging mode, of the screen.
    pub(super) fn footer_hints(&self) -> Vec<Hint> {
        let mut hints = match &self.popup {
            Some(open) => return open.hints(&self.model),
            None if self.judges_here() => self.holding(judging_hints(&self.model)),
            None => self.screen().hints(&self.model, &self.ui),
        };
        if self.popup.is_none() && self.model.judging.is_on && !self.judges_here() {
            // Nothing is answered on this screen.
            let rest = self.holding(hints.split_off(ALWAYS.min(hints.len())));
            hints.extend([(Action::Browse, "to judge on"), (Action::Close, "end judging")]);
            hints.extend(rest);
        }
        if self.ui.is_zoomed {
            hints.insert(ALWAYS.min(hints.len()), (Action::Zoom, "all panes"));
        }
        hints
    }

    /// Marks the selected line and the next one in a direction.
    pub(super) fn extend_marks(&mut self, step: Action) {
        self.model.mark(true);
        self.update(step);
        self.model.mark(true);
    }
}
