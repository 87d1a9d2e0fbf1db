//! Pictures on the screen: where they are, which are there, and which are to be asked for.

mod image_backend;
use ratatui::layout::Rect;
use rustc_hash::FxHashMap;

use crate::engine::PictureKey;
use crate::picture::{Bounded, Why};
pub use image_backend::{ImageBackend, ImageMode, Painted, Way};

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
    pub(super) is_on: bool,
    backend: Option<ImageBackend>,
    kept: Bounded<PictureKey, Result<Painted, Why>>,
    /// Images whose pictures are not there, or cannot be shown, and why.
    lacking: FxHashMap<usize, Why>,
}

impl Default for Pictures {
    /// No pictures until they are started.
    fn default() -> Self {
        Pictures {
            is_on: true,
            backend: None,
            kept: Bounded::new(KEPT),
            lacking: FxHashMap::default(),
        }
    }
}

impl Pictures {
    /// Shows them from now on, as a terminal takes them, if there are any.
    pub(super) fn start(&mut self, backend: ImageBackend, has_pictures: bool) {
        self.backend = has_pictures.then_some(backend);
    }

    /// Turns them on or off; gives the present state in words, `None` where there are none.
    pub(super) fn toggle(&mut self) -> Option<&'static str> {
        self.backend.as_ref()?;
        self.is_on = !self.is_on;
        Some(["off", "on"][usize::from(self.is_on)])
    }

    /// Those to be made for these places, in this order.
    pub(super) fn missing(&self, places: Vec<Place>) -> Vec<PictureKey> {
        let keys = places.into_iter().map(Place::key);
        keys.filter(|key| self.kept.get(key).is_none()).collect()
    }

    /// Keeps a picture that was painted, or why it could not be.
    pub(super) fn keep(&mut self, key: PictureKey, made: Result<Painted, Why>) {
        if let Err(why) = &made {
            self.lacking.insert(key.image, why.clone());
        }
        let bytes = made.as_ref().map_or(OF_REASON, |painted| painted.bytes);
        self.kept.insert(key, made, bytes);
    }

    /// Forgets all that was painted: the terminal lost it.
    pub(super) fn forget(&mut self) {
        self.kept.clear();
        self.lacking.clear();
    }

    /// What paints them; `None` where none are shown.
    pub(super) fn backend(&self) -> Option<&ImageBackend> {
        self.backend.as_ref()
    }

    /// Why an image has no picture; `None` where it has one, or where that is not known yet.
    pub fn lacks(&self, image: usize) -> Option<&Why> {
        self.lacking.get(&image)
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
