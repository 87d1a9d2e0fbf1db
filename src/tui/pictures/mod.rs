//! Pictures on the screen: where they are, which are there, and which are to be asked for.

mod image_backend;

use ratatui::layout::Rect;

pub use image_backend::{ImageBackend, ImageMode, Painted, Way};

use super::app::App;
use super::backend::AppJob;
use super::popups::Sheet;
use super::screens::Screen;
use crate::data::Direction;
use crate::engine::{PaintPictures, PictureKey, Wanted};
use crate::picture::{Bounded, Why};

/// A picture's place on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Where it is.
    pub area: Rect,
    /// Gallery index of the image.
    pub image: usize,
}

/// Bytes of painted pictures that are kept.
const KEPT: usize = 64 << 20;
/// Bytes that a reason takes.
const OF_REASON: usize = 100;

/// Painted pictures, and whether they are shown.
#[derive(Debug)]
pub struct Pictures {
    is_on: bool,
    backend: Option<ImageBackend>,
    kept: Bounded<PictureKey, Result<Painted, Why>>,
}

impl Default for Pictures {
    /// No pictures until [`App::start_pictures`].
    fn default() -> Self {
        Pictures {
            is_on: true,
            backend: None,
            kept: Bounded::new(KEPT),
        }
    }
}

impl AppJob for PaintPictures<ImageBackend> {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let backend = app.pictures.backend()?;
        let input = || (app.base.clone(), backend.clone());
        Some(Wanted::parts((), app.wanted_pictures(), input))
    }

    fn take(app: &mut App, (): (), (key, made): Self::Output) {
        let bytes = made.as_ref().map_or(OF_REASON, |painted| painted.bytes);
        app.pictures.kept.insert(key, made, bytes);
    }
}

impl Pictures {
    /// What paints them; `None` where none are shown.
    pub(super) fn backend(&self) -> Option<&ImageBackend> {
        self.backend.as_ref()
    }

    /// What is to be drawn in a place: the picture, or why there is none. Until it is there, the same
    /// picture of another size serves where it fits. `None` while nothing is known.
    pub fn get(&self, place: Place) -> Option<Result<&Painted, &Why>> {
        if let Some(known) = self.kept.get(&place.key()) {
            return Some(known.as_ref());
        }
        let fits = |key: &&PictureKey| {
            key.image == place.image
                && key.columns <= place.area.width
                && key.rows <= place.area.height
        };
        let largest = self.kept.keys().filter(fits).max_by_key(|key| key.rows)?;
        Some(self.kept.get(largest)?.as_ref())
    }
}

impl Place {
    fn key(self) -> PictureKey {
        PictureKey {
            image: self.image,
            columns: self.area.width,
            rows: self.area.height,
        }
    }
}

impl App {
    /// Shows pictures from now on, as a terminal takes them; no study without pictures has any.
    pub fn start_pictures(&mut self, backend: ImageBackend) {
        self.pictures.backend = self.study.pictures.is_some().then_some(backend);
        self.screen_follow();
    }

    /// The way in which pictures are shown; `None` where none are.
    pub fn picture_way(&self) -> Option<Way> {
        self.pictures
            .backend()
            .map(ImageBackend::way)
            .filter(|_| self.pictures.is_on)
    }

    /// Whether there are pictures of what a query ranks.
    pub fn ranks_pictures(&self) -> bool {
        self.picture_way().is_some() && self.view.direction == Direction::T2i
    }

    /// Turns pictures on or off.
    pub(super) fn toggle_pictures(&mut self) {
        if self.pictures.backend.is_none() {
            self.message = Some(match self.study.pictures {
                None => "no pictures are known: --images names their folder".into(),
                Some(_) => "pictures are off: --pictures auto shows them".into(),
            });
            return;
        }
        self.pictures.is_on = !self.pictures.is_on;
        let now = ["off", "on"][usize::from(self.pictures.is_on)];
        self.message = Some(format!("pictures {now}"));
        self.screen_follow();
    }

    /// The image that the selected pair has: the item that a caption ranks, or the image that asks.
    pub fn selected_image(&self) -> Option<usize> {
        match self.view.direction {
            Direction::T2i => Some(self.item()?.item),
            Direction::I2t => self.browse.query(),
        }
    }

    /// Where pictures are to be drawn, the most wanted first.
    pub fn picture_places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        if let Some(sheet) = self.popup::<Sheet>() {
            places.extend(sheet.place(self.size));
        }
        places.extend(self.screen_pictures());
        places
    }

    /// Those below what is open on top; none where a terminal would draw them over it.
    pub fn screen_pictures(&self) -> Vec<Place> {
        match self.picture_way() {
            Some(way) if self.screen == Screen::Browse => {
                let is_covered = self.popup.is_some() && !way.is_text();
                if is_covered {
                    Vec::new()
                } else {
                    self.browse_pictures()
                }
            }
            _ => Vec::new(),
        }
    }

    /// The pictures to be made, in this order.
    pub fn wanted_pictures(&self) -> Vec<PictureKey> {
        let keys = self.picture_places().into_iter().map(Place::key);
        let missing = |key: &PictureKey| self.pictures.kept.get(key).is_none();
        keys.filter(missing).collect()
    }

    /// Forgets all that was painted: the terminal lost it.
    pub(super) fn forget_pictures(&mut self) {
        self.pictures.kept.clear();
        self.forget_draft();
    }
}
