//! Switches of thumbnails and phrase boxes, and the drawn figure of picks.

use std::sync::Arc;

use super::App;
use crate::jobs::Draft;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::screens::picks::Picks;
use crate::tui::thumbnails::leaves_traces;

/// Message where no phrases are annotated.
const NO_PHRASES: &str = "no phrases are known: --entities names the folder of Flickr30k Entities";

impl App {
    pub(super) fn toggle_thumbnails(&mut self) {
        if self.ui.thumbnails.backend.is_some() {
            self.ui.thumbnails.is_on = !self.ui.thumbnails.is_on;
        } else {
            self.model.message = Some(self.ui.why_no_thumbnails(&self.model));
        }
    }

    /// The screen of picks, while it is shown.
    pub(crate) fn picks(&self) -> Option<Context<'_, Picks>> {
        (self.shown() == Action::Picks).then(|| self.on::<Picks>())
    }

    /// The drawn figure that ratatui cannot erase, by its draft, to detect changes.
    pub(in crate::tui) fn figure_in_cells(&self) -> Option<&Arc<Draft>> {
        let leaves = self.ui.image_protocol().is_some_and(leaves_traces);
        let picks = self.picks().filter(|_| leaves && self.popup.is_none())?;
        let (draft, _) = picks.state.drawn.as_ref()?;
        draft.image_cells.and(Some(draft))
    }

    /// Drops all drawn images: the terminal lost them.
    pub(in crate::tui) fn forget_images(&mut self) {
        self.ui.thumbnails.forget();
        if let Some(picks) = self.on_mut::<Picks>() {
            picks.drawn = None;
        }
    }

    pub(super) fn toggle_boxes(&mut self) {
        if self.model.study.phrases.is_none() {
            self.model.message = Some(NO_PHRASES.into());
            return;
        }
        let thumbnails = &mut self.ui.thumbnails;
        thumbnails.has_boxes = !thumbnails.has_boxes;
    }
}
