//! Images on the screen: areas, cache, missing images, and output to the terminal.

use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;

use ratatui::layout::{Rect, Size};
use ratatui_image::Resize;
use ratatui_image::picker::Picker;
/// Image protocol of a terminal.
pub use ratatui_image::picker::ProtocolType as Way;
use ratatui_image::protocol::Protocol;
use ratatui_image::protocol::halfblocks::Halfblocks;
use rustc_hash::FxHashMap;

use crate::image_file::{Bounded, DynamicImage, Why};
use crate::jobs::ThumbnailKey;

/// An image on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Screen area.
    pub area: Rect,
    /// Gallery index of the image.
    pub image: usize,
}

/// Maximum size of the cache in bytes.
const MAX_CACHE_BYTES: usize = 64 << 20;
/// Size of a cached reason in bytes.
const REASON_BYTES: usize = 100;

/// Images drawn for the terminal, and whether they are shown.
#[derive(Debug)]
pub struct Thumbnails {
    pub(super) is_on: bool,
    /// Whether boxes of phrases are drawn on them.
    pub has_boxes: bool,
    /// Whether boxes are hidden: while judging blind, and if there are none.
    pub(super) hides_boxes: bool,
    /// Version of the box colours.
    pub(super) palette: u32,
    /// Image backend; `None` if images are off.
    pub(crate) backend: Option<ImageBackend>,
    kept: Bounded<ThumbnailKey, Result<Painted, Why>>,
    /// Images without a file that can be shown, and why.
    lacking: FxHashMap<usize, Why>,
    /// Images of the last frame with their priority, 0 highest.
    places: RefCell<Vec<(usize, Place)>>,
}

impl Default for Thumbnails {
    /// No images until started.
    fn default() -> Self {
        Thumbnails {
            is_on: true,
            has_boxes: true,
            hides_boxes: false,
            palette: 0,
            backend: None,
            kept: Bounded::new(MAX_CACHE_BYTES),
            lacking: FxHashMap::default(),
            places: RefCell::default(),
        }
    }
}

impl Thumbnails {
    /// Registers an image while a frame is drawn.
    pub fn show(&self, order: usize, place: Place) {
        self.places.borrow_mut().push((order, place));
    }

    /// Clears all places before a frame.
    pub fn clear_places(&self) {
        self.places.borrow_mut().clear();
    }

    /// Images of the last frame, highest priority first.
    pub fn places(&self) -> Vec<Place> {
        let mut places = self.places.borrow().clone();
        places.sort_by_key(|(order, _)| *order);
        places.into_iter().map(|(_, place)| place).collect()
    }

    fn key(&self, place: Place) -> ThumbnailKey {
        ThumbnailKey {
            image: place.image,
            columns: place.area.width,
            rows: place.area.height,
            has_boxes: self.has_boxes && !self.hides_boxes,
            palette: self.palette,
        }
    }

    /// Images to paint, highest priority first.
    pub fn missing(&self) -> Vec<ThumbnailKey> {
        let keys = self.places().into_iter().map(|place| self.key(place));
        keys.filter(|key| self.kept.get(key).is_none()).collect()
    }

    /// Caches a painted image, or why there is none.
    pub(crate) fn keep(&mut self, key: ThumbnailKey, made: Result<Painted, Why>) {
        if let Err(why) = &made {
            self.lacking.insert(key.image, why.clone());
        }
        let bytes = made.as_ref().map_or(REASON_BYTES, |painted| painted.bytes);
        self.kept.insert(key, made, bytes);
    }

    /// Drops all painted images: the terminal lost them.
    pub(super) fn forget(&mut self) {
        self.kept.clear();
        self.lacking.clear();
    }

    /// Why an image cannot be shown; `None` if it can, or is not known yet.
    pub fn lacks(&self, image: usize) -> Option<&Why> {
        self.lacking.get(&image)
    }

    /// The image to draw at a place, or why there is none. Until it is painted, another size, or other boxes, serves
    /// where it fits. `None` while nothing is known.
    pub fn get(&self, place: Place) -> Option<Result<&Painted, &Why>> {
        let wanted = self.key(place);
        if let Some(known) = self.kept.get(&wanted) {
            return Some(known.as_ref());
        }
        let fits = |key: &&ThumbnailKey| {
            key.image == place.image
                && key.columns <= place.area.width
                && key.rows <= place.area.height
        };
        let near = |key: &&ThumbnailKey| (key.has_boxes == wanted.has_boxes, key.rows);
        let nearest = self.kept.keys().filter(fits).max_by_key(near)?;
        Some(self.kept.get(nearest)?.as_ref())
    }
}

/// Wanted protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImageMode {
    /// The best one that the terminal reports.
    #[default]
    Auto,
    /// This one.
    Way(Way),
    /// No images.
    Off,
}

impl ImageMode {
    /// Every mode by name.
    pub const ALL: [(&str, ImageMode); 6] = [
        ("auto", ImageMode::Auto),
        ("kitty", ImageMode::Way(Way::Kitty)),
        ("iterm2", ImageMode::Way(Way::Iterm2)),
        ("sixel", ImageMode::Way(Way::Sixel)),
        ("halfblocks", ImageMode::Way(Way::Halfblocks)),
        ("off", ImageMode::Off),
    ];
}

impl FromStr for ImageMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = ImageMode::ALL.map(|(known, _)| known).join(", ");
        let found = ImageMode::ALL.into_iter().find(|(known, _)| *known == name);
        let mode = found.map(|(_, mode)| mode);
        mode.ok_or_else(|| format!("expected one of {names}"))
    }
}

/// Whether an image consists of text cells, so that drawing over it covers it.
pub fn is_text(way: Way) -> bool {
    way == Way::Halfblocks
}

/// Whether ratatui cannot erase an image: only a full redraw removes it.
pub fn leaves_traces(way: Way) -> bool {
    matches!(way, Way::Sixel | Way::Iterm2)
}

/// Encodes images for the terminal.
#[derive(Debug, Clone)]
pub struct ImageBackend {
    /// Protocol and cell size; `None` for half-blocks.
    picker: Option<Picker>,
}

/// Pixels of a cell in half-blocks.
const HALFBLOCK_PIXELS: (u16, u16) = (1, 2);

impl ImageBackend {
    /// Half-blocks, without a query.
    pub fn halfblocks() -> Self {
        ImageBackend { picker: None }
    }

    /// The terminal's answer, or the wanted protocol in its place.
    pub(super) fn new(mut picker: Picker, wanted: Option<Way>) -> Self {
        if let Some(way) = wanted {
            picker.set_protocol_type(way);
        }
        ImageBackend { picker: Some(picker).filter(|of| of.protocol_type() != Way::Halfblocks) }
    }

    /// Its protocol.
    pub fn way(&self) -> Way {
        self.picker.as_ref().map_or(Way::Halfblocks, Picker::protocol_type)
    }

    /// Width and height of a cell in pixels.
    fn cell(&self) -> (u16, u16) {
        self.picker.as_ref().map_or(HALFBLOCK_PIXELS, |picker| {
            let cell = picker.font_size();
            (cell.width.max(1), cell.height.max(1))
        })
    }

    /// Size in pixels of columns and rows.
    pub(crate) fn pixels(&self, (columns, rows): (u16, u16)) -> (u32, u32) {
        let (across, down) = self.cell();
        let side = |cells: u16, pixels: u16| u32::from(cells) * u32::from(pixels);
        (side(columns, across), side(rows, down))
    }

    /// Paints an image that fits an area of columns and rows.
    ///
    /// # Errors
    /// When the protocol cannot encode it.
    pub(crate) fn paint(
        &self,
        pixels: DynamicImage,
        (columns, rows): (u16, u16),
    ) -> Result<Painted, String> {
        let bytes = pixels.as_bytes().len() * MAX_BYTES_PER_BYTE;
        let protocol = match &self.picker {
            None => {
                let size = Size::new(pixels.width() as u16, pixels.height().div_ceil(2) as u16);
                Halfblocks::new(pixels, size).map(Protocol::Halfblocks)
            }
            Some(picker) => {
                let size = Size::new(columns, rows);
                picker.new_protocol(pixels, size, Resize::Fit(None))
            }
        };
        let protocol = protocol.map_err(|error| error.to_string())?;
        Ok(Painted { protocol, bytes })
    }
}

/// Maximum bytes of a painted image per byte of pixels: a half-block pixel takes 8 bytes for 3, one of kitty's 4 in
/// base64.
const MAX_BYTES_PER_BYTE: usize = 4;

/// An image encoded for the terminal.
pub struct Painted {
    /// Encoded image.
    pub(super) protocol: Protocol,
    /// Approximate size in bytes.
    bytes: usize,
}

impl fmt::Debug for Painted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.protocol.size();
        write!(f, "Painted({} x {})", size.width, size.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::{Buffer, Cell};
    use ratatui::layout::Rect;
    use ratatui::widgets::Widget;

    /// Text of all cells after drawing an image of 40 x 20 pixels.
    fn drawn(backend: &ImageBackend) -> String {
        let pixels = DynamicImage::new_rgb8(40, 20);
        let painted = backend.paint(pixels, (40, 20)).unwrap();
        let area = Rect::new(0, 0, 40, 20);
        let mut buffer = Buffer::empty(area);
        ratatui_image::Image::new(&painted.protocol).render(area, &mut buffer);
        buffer.content.iter().map(Cell::symbol).collect()
    }

    #[test]
    fn each_way_speaks_its_own_language() {
        for (way, word) in
            [(Way::Kitty, "\x1b_G"), (Way::Iterm2, "\x1b]1337;File="), (Way::Sixel, "\x1bP")]
        {
            let backend = ImageBackend::new(Picker::halfblocks(), Some(way));
            assert_eq!(backend.way(), way);
            assert_eq!(backend.cell(), (10, 20));
            assert!(drawn(&backend).contains(word), "{way:?}");
        }
        let halves = ImageBackend::new(Picker::halfblocks(), None);
        assert_eq!((halves.way(), halves.cell()), (Way::Halfblocks, HALFBLOCK_PIXELS));
        assert!(!drawn(&halves).contains('\x1b'));
    }

    #[test]
    fn modes_have_their_names() {
        for (name, mode) in ImageMode::ALL {
            assert_eq!(name.parse(), Ok(mode));
        }
        let wrong = "ascii".parse::<ImageMode>().unwrap_err();
        assert!(wrong.contains("halfblocks"), "{wrong}");
    }
}
