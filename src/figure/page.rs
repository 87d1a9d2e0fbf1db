//! A laid-out figure: marks at positions, in points from the top left corner, for all formats.

use super::fonts::{Fonts, MISSING};
use super::images::FigureImages;
use super::options::Options;
use super::style::{FAINT, FRAME_SPACE, Frame, GROUND, INK, RULE, Sign, frame};
use super::wrap::{Line, TextStyle, widest_word, wrap};
use crate::error::Result;

/// Margin around the page, in points.
pub(super) const MARGIN: f32 = 2.0;

/// A rectangle on the page, in points from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Area {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

impl Area {
    /// The area inside a border on each side.
    #[must_use]
    pub fn inner(self, border: f32) -> Self {
        Area {
            x: self.x + border,
            y: self.y + border,
            width: (self.width - 2.0 * border).max(0.0),
            height: (self.height - 2.0 * border).max(0.0),
        }
    }
}

/// An element of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A line of text that starts at `x`, with its baseline at `y`.
    Text {
        /// Left end.
        x: f32,
        /// Baseline.
        y: f32,
        /// The text.
        line: Line,
        /// Its style.
        look: TextStyle,
    },
    /// A rectangle filled with a colour, as `#rrggbb`.
    Ground(Area, &'static str),
    /// A line around an area, within it.
    Frame(Area, Frame),
    /// A line from point to point.
    Line {
        /// Its points.
        points: Vec<[f32; 2]>,
        /// Its style.
        line: Frame,
    },
    /// A disc or a ring.
    Dot {
        /// Horizontal position of the centre.
        x: f32,
        /// Vertical position of the centre.
        y: f32,
        /// Half of its width.
        radius: f32,
        /// Colour, as `#rrggbb`.
        colour: &'static str,
        /// Its fill.
        fill: Fill,
    },
    /// The sign of an item.
    Sign {
        /// The sign.
        sign: Sign,
        /// Horizontal position of the centre.
        x: f32,
        /// Vertical position of the centre.
        y: f32,
        /// Half of its height.
        half: f32,
    },
    /// An image, as large as its aspect ratio allows, centred in an area.
    Image {
        /// Gallery index of the image.
        image: usize,
        /// The area.
        area: Area,
        /// Its description.
        alt: String,
    },
}

/// Fill of a dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Filled with its colour.
    Whole,
    /// Filled with its colour, translucent.
    Half,
    /// A ring without a fill.
    Ring,
}

/// A laid-out figure, ready for a writer of any format.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// The elements, from bottom to top.
    pub marks: Vec<Mark>,
    /// Warnings of characters that no font has, a line each.
    pub warnings: Vec<String>,
    /// Heights of the queries of a scene, in points.
    pub heights: Vec<f32>,
}

/// A page with its fonts and images.
pub struct Drawing {
    /// Its title.
    pub title: String,
    /// Its caption in LaTeX.
    pub caption: String,
    /// The layout.
    pub page: Page,
    /// Warning of images without a file, if the study has any image files.
    pub(super) image_warning: Option<String>,
    pub(super) fonts: Fonts,
    pub(super) images: FigureImages,
    /// Resolution of images, in dots per inch.
    pub(super) dpi: u32,
}

impl Drawing {
    /// Draws a page without images. `draw` gets the sheet and the area inside the margins (height 0: not limited), and
    /// returns the y of the lower edge of what it drew. `part` is the name of the page in warnings.
    ///
    /// # Errors
    /// Invalid options, a font that the system lacks.
    pub(super) fn new(
        [title, part]: [&str; 2],
        options: &Options,
        draw: impl FnOnce(&mut Sheet<'_>, Area) -> f32,
    ) -> Result<Self> {
        options.check()?;
        let mut fonts = Fonts::new(options.font.as_deref())?;
        let images = FigureImages::default();
        let page = Page::new(&mut fonts, &images, options, part, draw);
        let caption = title.to_owned();
        let (title, dpi) = (title.to_owned(), options.dpi);
        Ok(Drawing { title, caption, page, image_warning: None, fonts, images, dpi })
    }
}

impl Page {
    /// Draws a page of any height. `draw` gets the sheet and the area inside the margins (height 0: not limited), and
    /// returns the y of the lower edge of what it drew. `last_part` is the name of the last part drawn, for warnings.
    pub(super) fn new(
        fonts: &mut Fonts,
        images: &FigureImages,
        options: &Options,
        last_part: &str,
        draw: impl FnOnce(&mut Sheet<'_>, Area) -> f32,
    ) -> Self {
        fonts.take_missing();
        let page = Page { width: options.width_points(), ..Page::default() };
        let width = page.width - 2.0 * MARGIN;
        let mut sheet =
            Sheet { fonts, images, page, size: options.text, card_scale: options.card_scale };
        let end = draw(&mut sheet, Area { x: MARGIN, y: MARGIN, width, height: 0.0 });
        sheet.warn(last_part);
        sheet.page.height = end + MARGIN;
        sheet.page
    }
}

/// A page during layout.
pub(super) struct Sheet<'a> {
    pub fonts: &'a mut Fonts,
    pub images: &'a FigureImages,
    pub page: Page,
    /// Size of the text, in points.
    pub size: f32,
    /// Width of cards, relative to the usual one.
    pub card_scale: f32,
}

impl Sheet<'_> {
    /// The style of running text, such as captions.
    pub fn body(&self) -> TextStyle {
        TextStyle { size: self.size, bold: false, colour: INK }
    }

    /// The style of headings: bold, as large as running text.
    pub fn bold(&self) -> TextStyle {
        TextStyle { bold: true, ..self.body() }
    }

    /// The style of ranks, scores and names: smaller and grey.
    pub fn small(&self) -> TextStyle {
        TextStyle { size: self.size * 0.85, colour: FAINT, ..self.body() }
    }

    /// The distance between two elements, in points.
    pub fn gap(&self) -> f32 {
        self.size * 0.6
    }

    /// Writes text in lines of a width from `y` down. Returns the y below them.
    pub fn write(&mut self, text: &str, x: f32, y: f32, width: f32, look: TextStyle) -> f32 {
        self.write_lines(text, Area { x, y, width, height: f32::INFINITY }, look)
    }

    /// Writes as many lines as fit into an area, at least one. Returns the y below them.
    pub fn write_lines(&mut self, text: &str, area: Area, look: TextStyle) -> f32 {
        // The cast saturates: an infinite height has room for all lines.
        let max_lines = (area.height / look.leading()) as usize;
        let mut y = area.y;
        for line in wrap(self.fonts, text, look, area.width, max_lines.max(1)) {
            self.page.marks.push(Mark::Text { x: area.x, y: y + look.ascent(), line, look });
            y += look.leading();
        }
        y
    }

    /// Warns of characters replaced since the last call; the warning names the `part` of the page that has them.
    pub fn warn(&mut self, part: &str) {
        let with_codes = |cluster: String| {
            let codes = cluster.chars().map(|c| format!("U+{:04X}", c as u32));
            format!("{cluster} ({})", codes.collect::<Vec<_>>().join(" "))
        };
        let missing: Vec<String> = self.fonts.take_missing().into_iter().map(with_codes).collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            let line = format!("{part}: no font of this system has {missing}: drawn as {MISSING}");
            self.page.warnings.push(line);
        }
    }

    /// The width of text on one line.
    pub fn text_width(&mut self, text: &str, look: TextStyle) -> f32 {
        self.fonts.line(text, look).width
    }

    /// The minimum width at which no word of these texts is broken.
    pub fn min_width<'t>(&mut self, texts: impl Iterator<Item = &'t str>, look: TextStyle) -> f32 {
        texts.map(|text| widest_word(self.fonts, text, look)).fold(0.0, f32::max)
    }

    /// Draws a sign on a line of text whose top is `y`. Returns the x after it.
    pub fn draw_sign(&mut self, sign: Sign, x: f32, y: f32, look: TextStyle) -> f32 {
        let half = look.size * 0.36;
        self.page.marks.push(Mark::Sign { sign, x: x + half, y: y + look.leading() * 0.5, half });
        x + half * 2.0 + look.size * 0.3
    }

    /// Draws an image in an area; if it has no file, its name and first caption instead.
    pub fn draw_image(&mut self, subject: &super::scene::Subject, area: Area) {
        self.page.marks.push(Mark::Ground(area, GROUND));
        if self.images.is_shown(subject.index) {
            self.page.marks.push(Mark::Image { image: subject.index, area, alt: subject.alt() });
            return;
        }
        let inner = area.inner(self.size * 0.25);
        let name_style = TextStyle { size: self.size * 0.7, ..self.small() };
        let caption_style = TextStyle { size: self.size * 0.8, ..self.body() };
        let half = Area { height: inner.height * 0.4, ..inner };
        let y = self.write_lines(&subject.label(), half, name_style);
        if let Some(caption) = subject.captions.first() {
            let rest = Area { y, height: inner.y + inner.height - y, ..inner };
            if rest.height >= caption_style.leading() {
                self.write_lines(caption, rest, caption_style);
            }
        }
    }

    /// Draws an image in the frame of a sign, or without a sign in a thin frame.
    pub fn draw_framed_image(
        &mut self,
        subject: &super::scene::Subject,
        area: Area,
        sign: Option<Sign>,
    ) {
        let border = if sign.is_some() { FRAME_SPACE } else { THIN.width };
        self.draw_image(subject, area.inner(border));
        self.page.marks.push(Mark::Frame(area, sign.map_or(THIN, frame)));
    }
}

/// Frame of an image without a sign.
const THIN: Frame = Frame { colour: RULE, width: 0.6, dashes: &[], double: false };
