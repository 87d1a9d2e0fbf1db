//! Images on the screen: areas, cache, missing images, and output to the terminal.

use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;

use ratatui::layout::{Rect, Size};
use ratatui_image::Resize;
use ratatui_image::picker::Picker;
/// Image protocol of a terminal.
pub use ratatui_image::picker::ProtocolType;
use ratatui_image::protocol::Protocol;
use ratatui_image::protocol::halfblocks::Halfblocks;
use rustc_hash::FxHashMap;

use crate::image_file::{BoundedCache, DynamicImage, NoImage};
use crate::jobs::ThumbnailKey;

/// An image on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Screen area.
    pub area: Rect,
    /// Gallery index of the image.
    pub image: usize,
}

/// Maximum size of the cached images in bytes.
const MAX_CACHE_BYTES: usize = 64 << 20;
/// Assumed size in bytes of a cached reason why there is no image.
const REASON_BYTES: usize = 100;

/// Images drawn for the terminal, and whether they are shown.
#[derive(Debug)]
pub struct Thumbnails {
    /// Whether images are shown.
    pub(super) is_on: bool,
    /// Whether boxes of phrases are switched on.
    pub has_boxes: bool,
    /// Whether boxes are hidden although switched on: while judging blind, or without phrase annotation.
    pub(super) hides_boxes: bool,
    /// Number of changes of the box colours: images painted with other colours are outdated.
    pub(super) palette: u32,
    /// Image backend; `None` if images are off.
    pub(crate) backend: Option<ImageBackend>,
    /// Encoded images, or why there is none.
    painted: BoundedCache<ThumbnailKey, Result<Painted, NoImage>>,
    /// Why an image cannot be shown, by its gallery index.
    failures: FxHashMap<usize, NoImage>,
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
            painted: BoundedCache::new(MAX_CACHE_BYTES),
            failures: FxHashMap::default(),
            places: RefCell::default(),
        }
    }
}

impl Thumbnails {
    /// Requests an image while a frame is drawn; priority 0 is painted first.
    pub fn request(&self, priority: usize, place: Place) {
        self.places.borrow_mut().push((priority, place));
    }

    /// Clears all places before a frame.
    pub fn clear_places(&self) {
        self.places.borrow_mut().clear();
    }

    /// Images of the last frame, highest priority first.
    pub fn places(&self) -> Vec<Place> {
        let mut places = self.places.borrow().clone();
        places.sort_by_key(|(priority, _)| *priority);
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// Key of the image as it should be painted now.
    fn key(&self, place: Place) -> ThumbnailKey {
        ThumbnailKey {
            image: place.image,
            columns: place.area.width,
            rows: place.area.height,
            has_boxes: self.has_boxes && !self.hides_boxes,
            palette: self.palette,
        }
    }

    /// Images of the last frame that are still to be painted, highest priority first.
    pub fn unpainted(&self) -> Vec<ThumbnailKey> {
        let keys = self.places().into_iter().map(|place| self.key(place));
        keys.filter(|key| self.painted.get(key).is_none()).collect()
    }

    /// Caches a painted image, or why there is none.
    pub(crate) fn insert(&mut self, key: ThumbnailKey, result: Result<Painted, NoImage>) {
        if let Err(why) = &result {
            self.failures.insert(key.image, why.clone());
        }
        let bytes = result.as_ref().map_or(REASON_BYTES, |painted| painted.bytes);
        self.painted.insert(key, result, bytes);
    }

    /// Drops all painted images: the terminal lost them.
    pub(super) fn forget(&mut self) {
        self.painted.clear();
        self.failures.clear();
    }

    /// Why an image cannot be shown; `None` if it can, or is not known yet.
    pub fn failure(&self, image: usize) -> Option<&NoImage> {
        self.failures.get(&image)
    }

    /// The image to draw at a place (`Ok`), or why there is none (`Err`); `None` while neither is known. Until it is
    /// painted at this size and with these boxes, another painted version that fits is returned.
    pub fn get(&self, place: Place) -> Option<Result<&Painted, &NoImage>> {
        let wanted = self.key(place);
        if let Some(exact) = self.painted.get(&wanted) {
            return Some(exact.as_ref());
        }
        let fits = |key: &&ThumbnailKey| {
            key.image == place.image
                && key.columns <= place.area.width
                && key.rows <= place.area.height
        };
        let quality = |key: &&ThumbnailKey| (key.has_boxes == wanted.has_boxes, key.rows);
        let best = self.painted.keys().filter(fits).max_by_key(quality)?;
        Some(self.painted.get(best)?.as_ref())
    }
}

/// Setting of `--thumbnails`: which protocol shows images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImageMode {
    /// The best protocol that the terminal reports.
    #[default]
    Auto,
    /// This protocol.
    Only(ProtocolType),
    /// No images.
    Off,
}

impl ImageMode {
    /// Every mode by name.
    pub const ALL: [(&str, ImageMode); 6] = [
        ("auto", ImageMode::Auto),
        ("kitty", ImageMode::Only(ProtocolType::Kitty)),
        ("iterm2", ImageMode::Only(ProtocolType::Iterm2)),
        ("sixel", ImageMode::Only(ProtocolType::Sixel)),
        ("halfblocks", ImageMode::Only(ProtocolType::Halfblocks)),
        ("off", ImageMode::Off),
    ];
}

impl FromStr for ImageMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = ImageMode::ALL.map(|(known, _)| known).join(", ");
        let found = ImageMode::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, mode)| mode).ok_or_else(|| format!("expected one of {names}"))
    }
}

/// Whether images of a protocol consist of text cells, so that drawing over them covers them.
pub fn is_text(protocol: ProtocolType) -> bool {
    protocol == ProtocolType::Halfblocks
}

/// Whether ratatui cannot erase images of a protocol: only a full redraw removes them.
pub fn is_unerasable(protocol: ProtocolType) -> bool {
    matches!(protocol, ProtocolType::Sixel | ProtocolType::Iterm2)
}

/// Encodes images for the terminal.
#[derive(Debug, Clone)]
pub struct ImageBackend {
    /// Protocol and cell size; `None` for half-blocks.
    picker: Option<Picker>,
}

/// Width and height of a cell in half-blocks, in pixels.
const HALFBLOCK_PIXELS: (u16, u16) = (1, 2);

impl ImageBackend {
    /// Half-blocks, which need no answer from the terminal.
    pub fn halfblocks() -> Self {
        ImageBackend { picker: None }
    }

    /// Backend with the protocol and cell size that the terminal reports; `wanted` replaces the protocol.
    pub(super) fn new(mut picker: Picker, wanted: Option<ProtocolType>) -> Self {
        if let Some(protocol) = wanted {
            picker.set_protocol_type(protocol);
        }
        ImageBackend { picker: (!is_text(picker.protocol_type())).then_some(picker) }
    }

    /// The graphics protocol that draws images.
    pub fn protocol_type(&self) -> ProtocolType {
        self.picker.as_ref().map_or(ProtocolType::Halfblocks, Picker::protocol_type)
    }

    /// Width and height of a cell in pixels.
    fn cell_size(&self) -> (u16, u16) {
        self.picker.as_ref().map_or(HALFBLOCK_PIXELS, |picker| {
            let cell = picker.font_size();
            (cell.width.max(1), cell.height.max(1))
        })
    }

    /// Width and height in pixels of these columns and rows.
    pub(crate) fn pixel_size(&self, (columns, rows): (u16, u16)) -> (u32, u32) {
        let (width, height) = self.cell_size();
        let pixels = |cells: u16, side: u16| u32::from(cells) * u32::from(side);
        (pixels(columns, width), pixels(rows, height))
    }

    /// Encodes an image that fits an area of these columns and rows.
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

/// Maximum bytes of an encoded image per byte of pixels: 8 per 3 in half-blocks, 4 per 3 in the base64 of kitty.
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
    fn each_protocol_writes_its_own_escape_sequences() {
        for (protocol, word) in [
            (ProtocolType::Kitty, "\x1b_G"),
            (ProtocolType::Iterm2, "\x1b]1337;File="),
            (ProtocolType::Sixel, "\x1bP"),
        ] {
            let backend = ImageBackend::new(Picker::halfblocks(), Some(protocol));
            assert_eq!(backend.protocol_type(), protocol);
            assert_eq!(backend.cell_size(), (10, 20));
            assert!(drawn(&backend).contains(word), "{protocol:?}");
        }
        let halves = ImageBackend::new(Picker::halfblocks(), None);
        assert_eq!(
            (halves.protocol_type(), halves.cell_size()),
            (ProtocolType::Halfblocks, HALFBLOCK_PIXELS)
        );
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
