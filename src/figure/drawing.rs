//! What is drawn as it is laid out, whatever it shows: a page, and what it takes to write it.

use super::fonts::Fonts;
use super::images::FigureImages;
use super::page::Page;

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
