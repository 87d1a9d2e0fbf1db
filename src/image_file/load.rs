//! Pixels of an image: within limits, upright, without transparency.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Cursor, Read};
use std::panic::catch_unwind;
use std::path::Path;

use image::imageops::{FilterType, overlay};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, Rgba, RgbaImage};

use super::{Source, Why, jpeg};
use crate::data::in_use;

/// Decoding limits.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Pixels of the longer side.
    pub side: u32,
    /// Bytes of the decoded pixels.
    pub decoded: u64,
    /// Bytes of the file.
    pub file: u64,
}

impl Default for Limits {
    /// Images of 50 megapixels, and files of 64 MB: larger ones are in no gallery.
    fn default() -> Self {
        Limits { side: 20_000, decoded: 150 << 20, file: 64 << 20 }
    }
}

/// Loads an image in any format, whatever its name: upright by its EXIF data, the first frame of an animation, on white
/// if transparent.
///
/// # Errors
/// Why it cannot be shown.
pub fn load(source: &Source, limits: Limits) -> Result<DynamicImage, Why> {
    let bytes = read(source, limits)?;
    // Decoders may panic on untrusted files; that is one more way to be broken.
    let decoded = catch_unwind(|| decode(&bytes, limits));
    decoded.unwrap_or_else(|_| Err(Why::Broken("it confuses the decoder".into())))
}

/// The bytes of an image file.
///
/// # Errors
/// Why there are none.
pub fn read(source: &Source, limits: Limits) -> Result<Cow<'static, [u8]>, Why> {
    match source {
        Source::BuiltIn(bytes) => Ok(Cow::Borrowed(bytes)),
        Source::File(path) => read_file(path, limits.file).map(Cow::Owned),
        Source::Member(member) => member.read(limits.file).map(Cow::Owned),
    }
}

/// A regular file and its length.
fn open(path: &Path) -> Result<(File, u64), Why> {
    // Opening a pipe without a writer would block.
    let facts = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !facts.is_file() {
        return Err(Why::NotAnImage);
    }
    Ok((File::open(path).map_err(|error| unreadable(&error))?, facts.len()))
}

pub(super) fn unreadable(error: &std::io::Error) -> Why {
    match error.kind() {
        std::io::ErrorKind::NotFound => Why::Missing,
        _ => Why::Unreadable(error.to_string()),
    }
}

fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, Why> {
    // If it is also an output, its writer reports the error.
    let _ = in_use::reads(path);
    let (file, length) = open(path)?;
    if length > most {
        return Err(Why::TooLong(length));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // It may have grown.
    file.take(most).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

fn decode(bytes: &[u8], limits: Limits) -> Result<DynamicImage, Why> {
    let guessed = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = guessed.map_err(|error| Why::Unreadable(error.to_string()))?;
    if reader.format().is_none() {
        return Err(Why::NotAnImage);
    }
    let mut bounds = image::Limits::default();
    // Memory that a decoder needs beside the pixels.
    bounds.max_alloc = Some(limits.decoded * 2);
    reader.limits(bounds);
    let mut decoder = reader.into_decoder().map_err(why)?;
    let (width, height) = decoder.dimensions();
    if width.max(height) > limits.side || decoder.total_bytes() > limits.decoded {
        return Err(Why::TooLarge(width, height));
    }
    if jpeg::is_cut_off(bytes) {
        return Err(Why::CutOff);
    }
    let upright = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let decoded = DynamicImage::from_decoder(decoder).map_err(why)?;
    let mut opaque = on_white(decoded);
    opaque.apply_orientation(upright);
    Ok(opaque)
}

fn why(error: ImageError) -> Why {
    match error {
        ImageError::Unsupported(_) => Why::NotAnImage,
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Why::CutOff
        }
        other => Why::Broken(other.to_string()),
    }
}

/// Eight bits of red, green and blue; transparent pixels are blended with white.
fn on_white(image: DynamicImage) -> DynamicImage {
    if !image.color().has_alpha() {
        return image.into_rgb8().into();
    }
    let above = image.into_rgba8();
    let mut white = RgbaImage::from_pixel(above.width(), above.height(), Rgba([u8::MAX; 4]));
    overlay(&mut white, &above, 0, 0);
    DynamicImage::from(white).into_rgb8().into()
}

/// The image scaled down to a width and height in pixels, with its aspect ratio; never enlarged. For a large reduction,
/// means of blocks are taken first: this costs a tenth of a good filter, which then gets twice the size.
pub fn shrunk(image: DynamicImage, (width, height): (u32, u32)) -> DynamicImage {
    if image.width() <= width && image.height() <= height {
        return image;
    }
    fitted(&image, (width, height))
}

/// The image scaled to fit a width and height in pixels, with its aspect ratio.
pub fn fitted(image: &DynamicImage, (width, height): (u32, u32)) -> DynamicImage {
    let (width, height) = (width.max(1), height.max(1));
    let much = |has: u32, wanted: u32| has > wanted.saturating_mul(4);
    if much(image.width(), width) && much(image.height(), height) {
        let rough = image.thumbnail(width.saturating_mul(2), height.saturating_mul(2));
        return rough.resize(width, height, FilterType::Lanczos3);
    }
    let is_smaller = image.width() < width && image.height() < height;
    let filter = if is_smaller {
        // Lanczos leaves rings at edges in enlarged images.
        FilterType::CatmullRom
    } else {
        FilterType::Lanczos3
    };
    image.resize(width, height, filter)
}
