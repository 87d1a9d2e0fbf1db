//! Pictures on the screen: where they are, which are there, and which are to be asked for.

mod image_backend;
use std::cell::RefCell;

use ratatui::layout::Rect;
use rustc_hash::FxHashMap;

use crate::jobs::PictureKey;
use crate::phrase::{Boxes, Chain};
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
    /// Which boxes of phrases are drawn on them.
    boxes: Boxes,
    /// Whether none are for now: while one judges blind, and where none are known.
    hides_boxes: bool,
    /// How often the colours of boxes changed.
    palette: u32,
    backend: Option<ImageBackend>,
    kept: Bounded<PictureKey, Result<Painted, Why>>,
    /// Images whose pictures are not there, or cannot be shown, and why.
    lacking: FxHashMap<usize, Why>,
    /// Where the last frame had pictures, each with how much it is wanted: 0 the most.
    places: RefCell<Vec<(usize, Place)>>,
}

impl Default for Pictures {
    /// No pictures until they are started.
    fn default() -> Self {
        Pictures {
            is_on: true,
            boxes: Boxes::All,
            hides_boxes: false,
            palette: 0,
            backend: None,
            kept: Bounded::new(KEPT),
            lacking: FxHashMap::default(),
            places: RefCell::default(),
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

    /// Which boxes are drawn: none while one judges blind.
    pub fn boxes(&self) -> Boxes {
        if self.hides_boxes { Boxes::Off } else { self.boxes }
    }

    /// The chain whose phrases stand out, where one was chosen.
    pub fn chain(&self) -> Option<Chain> {
        match self.boxes() {
            Boxes::Of(chain) => Some(chain),
            _ => None,
        }
    }

    /// Draws these boxes from now on.
    pub(super) fn draw_boxes(&mut self, boxes: Boxes) {
        self.boxes = boxes;
    }

    /// Hides them, or shows those that were chosen.
    pub(super) fn hide_boxes(&mut self, hides: bool) {
        self.hides_boxes = hides;
    }

    /// Boxes have other colours from now on.
    pub(super) fn recolour_boxes(&mut self) {
        self.palette += 1;
    }

    /// Registers the place of a picture while a frame is drawn.
    pub fn show(&self, order: usize, place: Place) {
        self.places.borrow_mut().push((order, place));
    }

    /// Forgets all places, for another frame.
    pub fn clear_places(&self) {
        self.places.borrow_mut().clear();
    }

    /// Where the last frame had pictures, the most wanted first.
    pub fn places(&self) -> Vec<Place> {
        let mut places = self.places.borrow().clone();
        places.sort_by_key(|(order, _)| *order);
        places.into_iter().map(|(_, place)| place).collect()
    }

    fn key(&self, place: Place) -> PictureKey {
        PictureKey {
            image: place.image,
            columns: place.area.width,
            rows: place.area.height,
            boxes: self.boxes(),
            palette: self.palette,
        }
    }

    /// Those to be made, the most wanted first.
    pub(crate) fn missing(&self) -> Vec<PictureKey> {
        let keys = self.places().into_iter().map(|place| self.key(place));
        keys.filter(|key| self.kept.get(key).is_none()).collect()
    }

    /// Keeps a picture that was painted, or why it could not be.
    pub(crate) fn keep(&mut self, key: PictureKey, made: Result<Painted, Why>) {
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
    pub(crate) fn backend(&self) -> Option<&ImageBackend> {
        self.backend.as_ref()
    }

    /// Why an image has no picture; `None` where it has one, or where that is not known yet.
    pub fn lacks(&self, image: usize) -> Option<&Why> {
        self.lacking.get(&image)
    }

    /// What is to be drawn in a place: the picture, or why there is none. Until it is there, the same
    /// picture of another size, or with other boxes, serves where it fits. `None` while nothing is known.
    pub fn get(&self, place: Place) -> Option<Result<&Painted, &Why>> {
        let wanted = self.key(place);
        if let Some(known) = self.kept.get(&wanted) {
            return Some(known.as_ref());
        }
        let fits = |key: &&PictureKey| {
            key.image == place.image
                && key.columns <= place.area.width
                && key.rows <= place.area.height
        };
        let near = |key: &&PictureKey| (key.boxes == wanted.boxes, key.rows);
        let nearest = self.kept.keys().filter(fits).max_by_key(near)?;
        Some(self.kept.get(nearest)?.as_ref())
    }
}
