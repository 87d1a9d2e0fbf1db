//! Pictures and the figure of picks: where they are on the screen, and which are to be painted.

use std::sync::Arc;

use super::action::Action;
use super::app::App;
use super::pictures::Way;
use super::screens::picks::Picks;
use super::ui::Context;
use crate::jobs::Draft;

impl App {
    /// The screen of picks, while it is shown.
    pub(crate) fn picks(&self) -> Option<Context<'_, Picks>> {
        (self.shown() == Action::Picks).then(|| self.on::<Picks>())
    }

    /// The figure of which cells know nothing, once it is drawn: what tells whether it is still the same.
    pub(super) fn figure_in_cells(&self) -> Option<&Arc<Draft>> {
        let leaves = self.ui.picture_way().is_some_and(Way::leaves_traces);
        let picks = self.picks().filter(|_| leaves && self.popup.is_none())?;
        let (draft, _) = picks.state.drawn.as_ref()?;
        draft.place.and(Some(draft))
    }

    /// Forgets all that was painted: the terminal lost it.
    pub(super) fn forget_pictures(&mut self) {
        self.ui.pictures.forget();
        if let Some(picks) = self.on_mut::<Picks>() {
            picks.drawn = None;
        }
    }
}
