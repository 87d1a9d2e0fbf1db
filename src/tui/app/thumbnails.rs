//! Switches of thumbnails and phrase boxes, and the drawn figure of picks.

use std::sync::Arc;

use super::App;
use crate::jobs::Draft;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::screens::picks::Picks;
use crate::tui::thumbnails::is_unerasable;

/// Message if the study has no phrases.
const NO_PHRASES: &str = "no phrases are known: --entities names the folder of Flickr30k Entities";

impl App {
    /// Shows or hides thumbnails, or shows why there are none.
    pub(super) fn toggle_thumbnails(&mut self) {
        if self.ui.thumbnails.backend.is_some() {
            self.ui.thumbnails.is_on = !self.ui.thumbnails.is_on;
        } else {
            self.model.message = Some(self.ui.why_no_thumbnails(&self.model));
        }
    }

    /// Context of the screen with the picks, if it is the current one.
    pub(crate) fn picks_screen(&self) -> Option<Context<'_, Picks>> {
        (self.current_tab() == Action::Picks).then(|| self.context::<Picks>())
    }

    /// Draft of the visible figure of picks, if the terminal shows it as an image that ratatui cannot erase.
    pub(in crate::tui) fn unerasable_figure(&self) -> Option<&Arc<Draft>> {
        let is_unerasable = self.ui.image_protocol().is_some_and(is_unerasable);
        let picks = self.picks_screen().filter(|_| is_unerasable && self.popup.is_none())?;
        let (draft, _) = picks.state.preview.as_ref()?;
        draft.image_cells.and(Some(draft))
    }

    /// Drops all drawn images: the terminal lost them.
    pub(in crate::tui) fn forget_images(&mut self) {
        self.ui.thumbnails.forget();
        if let Some(picks) = self.screen_mut::<Picks>() {
            picks.preview = None;
        }
    }

    /// Shows or hides boxes of phrases, or shows why there are none.
    pub(super) fn toggle_boxes(&mut self) {
        if self.model.study.phrases.is_none() {
            self.model.message = Some(NO_PHRASES.into());
            return;
        }
        let thumbnails = &mut self.ui.thumbnails;
        thumbnails.has_boxes = !thumbnails.has_boxes;
    }
}
