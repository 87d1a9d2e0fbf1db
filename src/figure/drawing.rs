//! What is drawn as it is laid out, whatever it shows: a page, and what it takes to write it.

use super::arrange;
use super::fonts::Fonts;
use super::images::FigureImages;
use super::options::Options;
use super::page::{Page, Sheet};
use crate::error::Result;

/// A page with its fonts and pictures.
pub struct Drawing {
    /// What it is about.
    pub title: String,
    /// What stands where.
    pub page: Page,
    pub(super) fonts: Fonts,
    pub(super) images: FigureImages,
    /// Resolution of pictures, in dots per inch.
    pub(super) dpi: u32,
}

impl Drawing {
    /// What `place` puts on a page; it gives where it ends. `last` names what stands there.
    ///
    /// # Errors
    /// Options that cannot be drawn, a font that the system lacks.
    pub(super) fn new(
        [title, last]: [&str; 2],
        options: &Options,
        images: impl FnOnce() -> FigureImages,
        place: impl FnOnce(&mut Sheet<'_>) -> f32,
    ) -> Result<Self> {
        options.check()?;
        let mut fonts = Fonts::new(options.font.as_deref())?;
        let images = images();
        let mut sheet = Sheet {
            cards: 1.0,
            fonts: &mut fonts,
            images: &images,
            page: Page { width: options.width(), ..Page::default() },
            size: options.text,
        };
        let end = place(&mut sheet);
        arrange::finish(&mut sheet, end, last);
        let page = sheet.page;
        Ok(Drawing { title: title.to_owned(), page, fonts, images, dpi: options.dpi })
    }
}
