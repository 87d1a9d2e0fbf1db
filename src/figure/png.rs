//! PNG: the SVG as pixels.

use flate2::Crc;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::svg::{dots, svg};
use super::{Drawing, Figure};
use crate::error::{Error, Result};
use crate::image_file::{self, DynamicImage};

/// Maximum number of pixels.
const MAX_PIXELS: u64 = 200_000_000;
/// End of a PNG's header: its signature, and the chunk IHDR.
const HEADER: usize = 8 + 25;

/// The SVG with its fonts, parsed.
pub(super) fn tree(drawing: &Drawing) -> Result<Tree> {
    let options = Options { fontdb: drawing.fonts.database(), ..Options::default() };
    let wrong = |e| Error::new("figure", format!("its own SVG cannot be read: {e}"));
    Tree::from_str(&svg(drawing, false), &options).map_err(wrong)
}

/// The drawing as a file.
pub(super) fn png(drawing: &Drawing) -> Result<Vec<u8>> {
    let dpi = drawing.dpi;
    let (width, height) = (dots(drawing.page.width, dpi), dots(drawing.page.height, dpi));
    let too_many = || {
        Error::new("--dpi", format!("{width} x {height} pixels"))
            .expected(format!("at most {MAX_PIXELS} pixels"))
            .mend("a lower --dpi, fewer queries, or --format pdf, which has no pixels")
    };
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(too_many());
    }
    let pixels = drawn(drawing, (width, height))?.ok_or_else(too_many)?;
    let bytes = pixels.encode_png();
    let bytes = bytes.map_err(|e| Error::new("figure", format!("no PNG: {e}")))?;
    Ok(with_resolution(&bytes, dpi))
}

/// The page at a size in pixels; `None` if memory is insufficient.
fn drawn(drawing: &Drawing, (width, height): (u32, u32)) -> Result<Option<Pixmap>> {
    let tree = tree(drawing)?;
    let Some(mut pixels) = Pixmap::new(width, height) else {
        return Ok(None);
    };
    let size = tree.size();
    let scale = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, scale, &mut pixels.as_mut());
    Ok(Some(pixels))
}

/// The page as an image that fits into a width and height in pixels, for a screen.
///
/// # Errors
/// No room for a single pixel.
pub fn pixels(figure: &Figure, within: (u32, u32)) -> Result<DynamicImage> {
    let page = &figure.drawing.page;
    let scale = (within.0 as f32 / page.width).min(within.1 as f32 / page.height);
    let size = [page.width, page.height].map(|side| (side * scale) as u32);
    let none = || Error::new("figure", "no room for an image of it");
    let pixels = drawn(&figure.drawing, (size[0], size[1]))?.ok_or_else(none)?;
    // The page is fully white: no transparency.
    let rgb = pixels.pixels().iter();
    let rgb = rgb.flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    image_file::of_pixels((size[0], size[1]), rgb.collect()).ok_or_else(none)
}

/// Adds the resolution (chunk pHYs), so that programs know the intended size.
///
/// Source: PNG Specification, third edition, 11.3.4.3.
fn with_resolution(png: &[u8], dpi: u32) -> Vec<u8> {
    let per_metre = (f64::from(dpi) / 0.0254).round() as u32;
    let mut chunk = b"pHYs".to_vec();
    chunk.extend(per_metre.to_be_bytes());
    chunk.extend(per_metre.to_be_bytes());
    chunk.push(1);
    let mut sum = Crc::new();
    sum.update(&chunk);
    let (head, rest) = png.split_at(HEADER);
    let mut out = head.to_vec();
    out.extend((chunk.len() as u32 - 4).to_be_bytes());
    out.extend(&chunk);
    out.extend(sum.sum().to_be_bytes());
    out.extend(rest);
    out
}
