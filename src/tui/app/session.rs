//! What a session keeps of the screens, and the opening of one.

use serde_json::{Map, Value};

use super::App;
use crate::session::{Opened, Saver};
use crate::tui::model::dirty::RankingsOf;
use crate::tui::model::query_list::Pane;
use crate::tui::screens::browse::CARDS;

/// Whether a pane has the whole screen, as a session has it.
const ZOOM: &str = "zoom";
/// Whether keys go to the ranking, as a session has it.
const RANKING: &str = "ranking";

impl App {
    /// Opens a session: its verdicts, picks and view are those of the explorer from now on. Gives what
    /// saves it, where that is this process.
    pub fn open_session(&mut self, opened: Opened, by: &str, files: Vec<String>) -> Option<Saver> {
        self.restore(&opened.session.view);
        self.ask();
        let saver = self.model.take_session(opened, by, files);
        self.settle();
        saver
    }

    /// Shows the screens as a session has them. Keys go to the queries at first, unless the ranking, as a list or as a
    /// contact sheet, has the whole screen.
    fn restore(&mut self, view: &Map<String, Value>) {
        let title = view.get("screen").and_then(Value::as_str);
        let at = title.and_then(|title| self.screens.iter().position(|of| of.title() == title));
        // There is nothing to compare one model with.
        let is_empty = |at: &usize| {
            let demand = self.screens[*at].demand();
            demand.rankings == RankingsOf::Compared && self.model.study.models.len() < 2
        };
        self.shown = at.filter(|at| !is_empty(at)).unwrap_or(self.shown);
        let is = |key: &str| view.get(key).and_then(Value::as_bool).unwrap_or_default();
        self.ui.is_zoomed = is(ZOOM);
        if is(RANKING) && (is(ZOOM) || is(CARDS)) {
            self.model.selection.pane = Pane::Ranking;
        }
        self.restore_screens(view);
    }

    /// Has the session keep where it is left.
    pub(crate) fn leave_page(&mut self) {
        self.model.store_view(self.words());
    }

    /// What a session keeps of the screens: which is shown, whether a pane has all of it, and what each keeps.
    pub(super) fn words(&self) -> Map<String, Value> {
        let shown = [
            ("screen".to_owned(), self.screen().title().into()),
            (ZOOM.to_owned(), self.ui.is_zoomed.into()),
            (RANKING.to_owned(), (self.model.selection.pane == Pane::Ranking).into()),
        ];
        let of_screens = self.screens.iter().flat_map(|screen| screen.words());
        shown.into_iter().chain(of_screens).collect()
    }

    pub(super) fn restore_screens(&mut self, view: &Map<String, Value>) {
        for screen in &mut self.screens {
            screen.restore(view);
        }
    }
}
