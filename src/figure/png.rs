//! PNG: the SVG rendered as pixels.

use flate2::Crc;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::svg::{svg, to_pixels};
use super::{Drawing, Figure};
use crate::error::{Error, Result};
use crate::image_file::{self, DynamicImage};

/// Maximum number of pixels of a file.
const MAX_PIXELS: u64 = 200_000_000;
/// Length of a PNG's signature and of its chunk IHDR, in bytes.
const HEADER_LEN: usize = 8 + 25;

/// Parses the SVG of a drawing, with its fonts.
pub(super) fn svg_tree(drawing: &Drawing) -> Result<Tree> {
    let options = Options { fontdb: drawing.fonts.database(), ..Options::default() };
    let svg_error = |e| Error::new("figure", format!("its own SVG cannot be read: {e}"));
    Tree::from_str(&svg(drawing, false), &options).map_err(svg_error)
}

/// Encodes a drawing as PNG, at its resolution.
pub(super) fn encode(drawing: &Drawing) -> Result<Vec<u8>> {
    let dpi = drawing.dpi;
    let (width, height) = (to_pixels(drawing.page.width, dpi), to_pixels(drawing.page.height, dpi));
    let too_many = || {
        Error::new("--dpi", format!("{width} x {height} pixels"))
            .expected(format!("at most {MAX_PIXELS} pixels"))
            .fix("a lower --dpi, fewer queries, or --format pdf, which has no pixels")
    };
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(too_many());
    }
    let pixels = render(drawing, (width, height))?.ok_or_else(too_many)?;
    let bytes = pixels.encode_png().map_err(|e| Error::new("figure", format!("no PNG: {e}")))?;
    Ok(with_resolution(&bytes, dpi))
}

/// Renders the page at a size in pixels; `None` if memory is insufficient.
fn render(drawing: &Drawing, (width, height): (u32, u32)) -> Result<Option<Pixmap>> {
    let tree = svg_tree(drawing)?;
    let Some(mut pixels) = Pixmap::new(width, height) else {
        return Ok(None);
    };
    let size = tree.size();
    let scale = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, scale, &mut pixels.as_mut());
    Ok(Some(pixels))
}

/// Renders the page as large as fits into a width and height in pixels, for a screen.
///
/// # Errors
/// No room for a single pixel.
pub fn render_to_fit(figure: &Figure, (max_width, max_height): (u32, u32)) -> Result<DynamicImage> {
    let page = &figure.drawing.page;
    let scale = (max_width as f32 / page.width).min(max_height as f32 / page.height);
    let size = ((page.width * scale) as u32, (page.height * scale) as u32);
    let no_room = || Error::new("figure", "no room for an image of it");
    let pixels = render(&figure.drawing, size)?.ok_or_else(no_room)?;
    // The page has a white background: no transparency.
    let rgb = pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    image_file::from_rgb(size, rgb.collect()).ok_or_else(no_room)
}

/// Adds the resolution to a PNG (chunk pHYs), so that programs know the intended size.
///
/// Source: PNG Specification, third edition, 11.3.4.3.
fn with_resolution(png: &[u8], dpi: u32) -> Vec<u8> {
    let per_metre = (f64::from(dpi) / 0.0254).round() as u32;
    let mut chunk = b"pHYs".to_vec();
    chunk.extend(per_metre.to_be_bytes());
    chunk.extend(per_metre.to_be_bytes());
    // The unit is the metre.
    chunk.push(1);
    let mut crc = Crc::new();
    crc.update(&chunk);
    let (head, rest) = png.split_at(HEADER_LEN);
    let mut out = head.to_vec();
    out.extend((chunk.len() as u32 - 4).to_be_bytes());
    out.extend(&chunk);
    out.extend(crc.sum().to_be_bytes());
    out.extend(rest);
    out
}
