//! How pictures get onto the terminal.

use std::fmt;
use std::str::FromStr;

use ratatui::layout::Size;
use ratatui_image::Resize;
use ratatui_image::picker::{Picker, ProtocolType};
use ratatui_image::protocol::Protocol;
use ratatui_image::protocol::halfblocks::Halfblocks;

use crate::picture::DynamicImage;

/// The ways in which a terminal shows a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Kitty's protocol, with placeholders in the cells.
    Kitty,
    /// Inline images of iTerm2, which several others know.
    Iterm2,
    /// Sixels.
    Sixel,
    /// Half a character cell a pixel: every terminal has these.
    Halfblocks,
}

/// Which way is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImageMode {
    /// The best one that the terminal says it has.
    #[default]
    Auto,
    /// This one.
    Way(Way),
    /// No pictures.
    Off,
}

impl ImageMode {
    /// Every mode by its name.
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
        let found = ImageMode::ALL.iter().find(|(known, _)| *known == name);
        let found = found.map(|&(_, mode)| mode);
        found.ok_or_else(|| format!("no pictures are named so; expected one of {names}"))
    }
}

impl Way {
    /// Whether a picture is made of cells like any text, so that what is drawn over it covers it.
    pub fn is_text(self) -> bool {
        self == Way::Halfblocks
    }

    /// Whether cells know nothing of it: what it leaves behind only drawing everything anew takes away.
    pub fn leaves_traces(self) -> bool {
        matches!(self, Way::Sixel | Way::Iterm2)
    }
}

/// Makes pictures as the terminal takes them.
#[derive(Debug, Clone)]
pub struct ImageBackend {
    way: Way,
    picker: Option<Picker>,
}

/// Pixels of a cell in half-blocks.
const HALVES: (u16, u16) = (1, 2);

impl ImageBackend {
    /// Half-blocks, without asking anybody.
    pub fn halfblocks() -> Self {
        ImageBackend { way: Way::Halfblocks, picker: None }
    }

    /// What a terminal answered, or the way that is wanted whatever it says.
    pub(in crate::tui) fn of(mut picker: Picker, wanted: Option<Way>) -> Self {
        if let Some(way) = wanted {
            picker.set_protocol_type(match way {
                Way::Kitty => ProtocolType::Kitty,
                Way::Iterm2 => ProtocolType::Iterm2,
                Way::Sixel => ProtocolType::Sixel,
                Way::Halfblocks => ProtocolType::Halfblocks,
            });
        }
        let way = match picker.protocol_type() {
            ProtocolType::Kitty => Way::Kitty,
            ProtocolType::Iterm2 => Way::Iterm2,
            ProtocolType::Sixel => Way::Sixel,
            ProtocolType::Halfblocks => return ImageBackend::halfblocks(),
        };
        ImageBackend { way, picker: Some(picker) }
    }

    /// The way it paints.
    pub fn way(&self) -> Way {
        self.way
    }

    /// Pixels of a cell of the screen, across and down.
    fn cell(&self) -> (u16, u16) {
        self.picker.as_ref().map_or(HALVES, |picker| {
            let cell = picker.font_size();
            (cell.width.max(1), cell.height.max(1))
        })
    }

    /// Pixels of a place of so many columns and rows.
    pub(crate) fn pixels(&self, (columns, rows): (u16, u16)) -> (u32, u32) {
        let (across, down) = self.cell();
        let side = |cells: u16, pixels: u16| u32::from(cells) * u32::from(pixels);
        (side(columns, across), side(rows, down))
    }

    /// Paints a picture that fits its place of so many columns and rows.
    ///
    /// # Errors
    /// What the terminal's protocol could not take.
    pub(crate) fn paint(
        &self,
        picture: DynamicImage,
        (columns, rows): (u16, u16),
    ) -> Result<Painted, String> {
        let bytes = picture.as_bytes().len() * BYTES_A_BYTE;
        let protocol = match &self.picker {
            None => {
                let size = Size::new(picture.width() as u16, picture.height().div_ceil(2) as u16);
                Halfblocks::new(picture, size).map(Protocol::Halfblocks)
            }
            Some(picker) => {
                let size = Size::new(columns, rows);
                picker.new_protocol(picture, size, Resize::Fit(None))
            }
        };
        let protocol = protocol.map_err(|error| error.to_string())?;
        Ok(Painted { protocol, bytes })
    }
}

/// What a painted picture takes at most for each byte of its pixels: a pixel of half a cell 8 bytes for
/// 3, one of kitty's 4 in base64.
const BYTES_A_BYTE: usize = 4;

/// A picture as the terminal takes it.
pub struct Painted {
    /// What is drawn.
    pub(in crate::tui) protocol: Protocol,
    /// About how much memory it takes.
    pub(super) bytes: usize,
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

    /// The text of all cells after a picture of 40 x 20 pixels was drawn.
    fn drawn(backend: &ImageBackend) -> String {
        let picture = DynamicImage::new_rgb8(40, 20);
        let painted = backend.paint(picture, (40, 20)).unwrap();
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
            let backend = ImageBackend::of(Picker::halfblocks(), Some(way));
            assert_eq!(backend.way(), way);
            assert_eq!(backend.cell(), (10, 20));
            assert!(drawn(&backend).contains(word), "{way:?}");
        }
        let halves = ImageBackend::of(Picker::halfblocks(), None);
        assert_eq!((halves.way(), halves.cell()), (Way::Halfblocks, HALVES));
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
