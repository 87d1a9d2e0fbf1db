//! Pictures and the figure of picks: where they are on the screen, and which are to be painted.

use std::sync::Arc;

use super::action::Action;
use super::app::App;
use super::pictures::{Place, Way};
use super::screens::picks::Picks;
use super::ui::Context;
use crate::jobs::{Draft, PictureKey};

impl App {
    /// The screen of picks, while it is shown.
    pub(crate) fn picks(&self) -> Option<Context<'_, Picks>> {
        (self.shown() == Action::Picks).then(|| self.on::<Picks>())
    }

    /// Where pictures are to be drawn, the most wanted first.
    pub fn picture_places(&self) -> Vec<Place> {
        let popup = self.popup.as_ref();
        let mut places = popup.map_or_else(Vec::new, |popup| popup.pictures(self.ui.size));
        places.extend(self.screen().pictures(&self.model, &self.ui));
        places
    }

    /// The pictures to be made, in this order.
    pub fn wanted_pictures(&self) -> Vec<PictureKey> {
        self.ui.pictures.missing(self.picture_places())
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
