//! What an action takes and is not there, which is said.

use super::App;
use crate::tui::action::Action;
use crate::tui::model::dirty::RankingsOf;

impl App {
    /// Whether this screen lacks what a person could judge, which is then said.
    pub(super) fn lacks_items(&mut self) -> bool {
        let lacks = self.model.demand.rankings == RankingsOf::Nothing;
        if lacks {
            let first = &self.screens[0];
            let (key, name) = (self.ui.keymap.hint(first.shown_by()), first.title());
            let words = format!("no query is in sight here: {key} shows {name}");
            self.model.message = Some(words);
        }
        lacks
    }

    /// Whether there is no pick that a figure could be of, which is then said, with the key that picks; the screen of
    /// picks says so itself.
    pub(super) fn lacks_picks(&mut self) -> bool {
        if self.shown() == Action::Picks || !self.model.session.picks().is_empty() {
            return false;
        }
        let [pick, export, browse] =
            [Action::Pick, Action::Export, Action::Browse].map(|of| self.ui.keymap.hint(of));
        let way = match self.screen().sighted(&self.model, &self.ui) {
            Some(_) => format!("{pick} picks this one, {export} then writes its figure"),
            None => format!("{browse} shows queries, where {pick} picks one"),
        };
        self.model.message = Some(format!("no query is picked: {way}"));
        true
    }
}
