//! Images and their phrase boxes, and output of the selected line to other programs.

use std::sync::Arc;

use super::App;
use crate::jobs::Draft;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::pictures::leaves_traces;
use crate::tui::screens::picks::Picks;

/// Message where no phrases are annotated.
const NO_PHRASES: &str = "no phrases are known: --entities names the folder of Flickr30k Entities";

impl App {
    pub(super) fn toggle_pictures(&mut self) {
        if self.ui.pictures.backend.is_some() {
            self.ui.pictures.is_on = !self.ui.pictures.is_on;
        } else {
            self.model.message = Some(self.ui.lacks_pictures(&self.model));
        }
    }

    /// The screen of picks, while it is shown.
    pub(crate) fn picks(&self) -> Option<Context<'_, Picks>> {
        (self.shown() == Action::Picks).then(|| self.on::<Picks>())
    }

    /// The drawn figure that ratatui cannot erase, by its draft, to detect changes.
    pub(in crate::tui) fn figure_in_cells(&self) -> Option<&Arc<Draft>> {
        let leaves = self.ui.picture_way().is_some_and(leaves_traces);
        let picks = self.picks().filter(|_| leaves && self.popup.is_none())?;
        let (draft, _) = picks.state.drawn.as_ref()?;
        draft.place.and(Some(draft))
    }

    /// Drops all painted images: the terminal lost them.
    pub(in crate::tui) fn forget_pictures(&mut self) {
        self.ui.pictures.forget();
        if let Some(picks) = self.on_mut::<Picks>() {
            picks.drawn = None;
        }
    }

    pub(super) fn toggle_boxes(&mut self) {
        if self.model.study.phrases.is_none() {
            self.model.message = Some(NO_PHRASES.into());
            return;
        }
        let pictures = &mut self.ui.pictures;
        pictures.has_boxes = !pictures.has_boxes;
    }
}
