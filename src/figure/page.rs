//! A laid-out figure: marks at positions, in points from the top left corner, for all formats.

use super::fonts::{Fonts, MISSING};
use super::images::FigureImages;
use super::options::Options;
use super::style::{FAINT, FRAMED, Frame, GROUND, INK, RULE, Sign, frame};
use super::wrap::{Line, Type, widest_word, wrap};
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
    pub fn within(self, border: f32) -> Self {
        Area {
            x: self.x + border,
            y: self.y + border,
            width: (self.width - 2.0 * border).max(0.0),
            height: (self.height - 2.0 * border).max(0.0),
        }
    }
}

/// An element of a page: text, a rectangle, a frame, a sign or an image.
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
        /// Its type.
        look: Type,
    },
    /// A filled rectangle.
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
        /// Middle.
        x: f32,
        /// Middle.
        y: f32,
        /// Half of its width.
        radius: f32,
        /// As `#rrggbb`.
        colour: &'static str,
        /// Its fill.
        fill: Fill,
    },
    /// The sign of an item.
    Sign {
        /// The sign.
        sign: Sign,
        /// Middle.
        x: f32,
        /// Middle.
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
    /// Its colour.
    Whole,
    /// Its colour, translucent.
    Half,
    /// No fill.
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
    /// Characters that are not drawn, a line each.
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
    /// Lists the images without a file, if the study has any image files.
    pub(super) lacking: Option<String>,
    pub(super) fonts: Fonts,
    pub(super) images: FigureImages,
    /// Resolution of images, in dots per inch.
    pub(super) dpi: u32,
}

impl Drawing {
    /// Draws a page without images: `place` returns the used height, and `last` names its lowest part in errors.
    ///
    /// # Errors
    /// Invalid options, a font that the system lacks.
    pub(super) fn new(
        [title, last]: [&str; 2],
        options: &Options,
        place: impl FnOnce(&mut Sheet<'_>, Area) -> f32,
    ) -> Result<Self> {
        options.check()?;
        let mut fonts = Fonts::new(options.font.as_deref())?;
        let images = FigureImages::default();
        let page = Page::new(&mut fonts, &images, options, last, place);
        let caption = title.to_owned();
        let (title, dpi) = (title.to_owned(), options.dpi);
        Ok(Drawing { title, caption, page, lacking: None, fonts, images, dpi })
    }
}

impl Page {
    /// Draws a page of any height: `place` returns the used height, and `last` names its lowest part in errors.
    pub(super) fn new(
        fonts: &mut Fonts,
        images: &FigureImages,
        options: &Options,
        last: &str,
        place: impl FnOnce(&mut Sheet<'_>, Area) -> f32,
    ) -> Self {
        fonts.take_missing();
        let page = Page { width: options.width(), ..Page::default() };
        let width = page.width - 2.0 * MARGIN;
        let mut sheet = Sheet { fonts, images, page, size: options.text, cards: options.cards };
        let end = place(&mut sheet, Area { x: MARGIN, y: MARGIN, width, height: 0.0 });
        sheet.warn(last);
        sheet.page.height = end + MARGIN;
        sheet.page
    }
}

/// A page during layout.
pub(super) struct Sheet<'a> {
    pub fonts: &'a mut Fonts,
    pub images: &'a FigureImages,
    pub page: Page,
    /// Size of the text.
    pub size: f32,
    /// Share of the usual card width.
    pub cards: f32,
}

impl Sheet<'_> {
    /// The type of running text, such as captions.
    pub fn body(&self) -> Type {
        Type { size: self.size, bold: false, colour: INK }
    }

    /// The type of headings: bold, of the size of running text.
    pub fn bold(&self) -> Type {
        Type { bold: true, ..self.body() }
    }

    /// The type of ranks, scores and names: smaller and grey.
    pub fn small(&self) -> Type {
        Type { size: self.size * 0.85, colour: FAINT, ..self.body() }
    }

    /// The distance between two elements, in points.
    pub fn gap(&self) -> f32 {
        self.size * 0.6
    }

    /// Writes text from `y` down; returns its end.
    pub fn text(&mut self, text: &str, x: f32, y: f32, width: f32, look: Type) -> f32 {
        self.lines(text, Area { x, y, width, height: f32::INFINITY }, look)
    }

    /// Writes as many lines as fit into an area, at least one; returns their end.
    pub fn lines(&mut self, text: &str, area: Area, look: Type) -> f32 {
        let room = (area.height / look.leading()).floor();
        let most = if room.is_finite() { room as usize } else { usize::MAX };
        let lines = wrap(self.fonts, text, look, area.width, most.max(1));
        let mut y = area.y;
        for line in lines {
            self.page.marks.push(Mark::Text { x: area.x, y: y + look.ascent(), line, look });
            y += look.leading();
        }
        y
    }

    /// Warns of the characters replaced since the last call.
    pub fn warn(&mut self, place: &str) {
        let code = |cluster: String| {
            let codes = cluster.chars().map(|c| format!("U+{:04X}", c as u32));
            format!("{cluster} ({})", codes.collect::<Vec<_>>().join(" "))
        };
        let missing: Vec<String> = self.fonts.take_missing().into_iter().map(code).collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            let line = format!("{place}: no font of this system has {missing}: drawn as {MISSING}");
            self.page.warnings.push(line);
        }
    }

    /// The width of text on one line.
    pub fn width_of(&mut self, text: &str, look: Type) -> f32 {
        self.fonts.line(text, look).width
    }

    /// The minimum width without broken words in these texts.
    pub fn widest_word<'t>(&mut self, texts: impl Iterator<Item = &'t str>, look: Type) -> f32 {
        let widths = texts.map(|text| widest_word(self.fonts, text, look));
        widths.fold(0.0, f32::max)
    }

    /// A sign on a line of text whose top is `y`; returns its right end.
    pub fn sign(&mut self, sign: Sign, x: f32, y: f32, look: Type) -> f32 {
        let half = look.size * 0.36;
        self.page.marks.push(Mark::Sign { sign, x: x + half, y: y + look.leading() * 0.5, half });
        x + half * 2.0 + look.size * 0.3
    }

    /// An image in an area; if missing, its name and captions.
    pub fn image(&mut self, subject: &super::scene::Subject, area: Area) {
        self.page.marks.push(Mark::Ground(area, GROUND));
        if self.images.lacks(subject.index).is_none() {
            self.page.marks.push(Mark::Image { image: subject.index, area, alt: subject.alt() });
            return;
        }
        let inner = area.within(self.size * 0.25);
        let name = Type { size: self.size * 0.7, ..self.small() };
        let words = Type { size: self.size * 0.8, ..self.body() };
        let half = Area { height: inner.height * 0.4, ..inner };
        let y = self.lines(&subject.label(), half, name);
        if let Some(caption) = subject.own.first() {
            let rest = Area { y, height: inner.y + inner.height - y, ..inner };
            if rest.height >= words.leading() {
                self.lines(caption, rest, words);
            }
        }
    }

    /// An image in the frame of a sign, or in a thin one.
    pub fn framed(&mut self, subject: &super::scene::Subject, area: Area, sign: Option<Sign>) {
        let border = if sign.is_some() { FRAMED } else { THIN.width };
        self.image(subject, area.within(border));
        self.page.marks.push(Mark::Frame(area, sign.map_or(THIN, frame)));
    }
}

/// Frame without a standing.
const THIN: Frame = Frame { colour: RULE, width: 0.6, dashes: &[], double: false };
