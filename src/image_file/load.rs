//! Loads the pixels of an image, within limits, upright and without transparency; scales images.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Cursor, Read};
use std::panic::catch_unwind;
use std::path::Path;

use image::imageops::{FilterType, overlay};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, Rgba, RgbaImage};

use super::{ImageFile, NoImage, jpeg};
use crate::data::in_use;

/// Maximum sizes of an image that is loaded.
#[derive(Debug, Clone, Copy)]
pub struct ImageLimits {
    /// Maximum pixels of the longer side.
    pub side: u32,
    /// Maximum bytes of the decoded pixels.
    pub decoded: u64,
    /// Maximum bytes of the file.
    pub file: u64,
}

impl Default for ImageLimits {
    /// Images of 50 megapixels and files of 64 MB: no gallery has larger ones.
    fn default() -> Self {
        ImageLimits { side: 20_000, decoded: 150 << 20, file: 64 << 20 }
    }
}

/// Loads an image in any format, whatever its name: upright by its EXIF data, the first frame of an animation, on white
/// if transparent.
///
/// # Errors
/// Why it cannot be shown.
pub fn load(source: &ImageFile, limits: ImageLimits) -> Result<DynamicImage, NoImage> {
    let bytes = read(source, limits)?;
    // Decoders may panic on untrusted files; that is one more way to be broken.
    let decoded = catch_unwind(|| decode(&bytes, limits));
    decoded.unwrap_or_else(|_| Err(NoImage::Broken("it confuses the decoder".into())))
}

/// The bytes of an image file.
///
/// # Errors
/// The file is missing, unreadable, no regular file, or longer than the limit.
pub fn read(source: &ImageFile, limits: ImageLimits) -> Result<Cow<'static, [u8]>, NoImage> {
    match source {
        ImageFile::BuiltIn(bytes) => Ok(Cow::Borrowed(bytes)),
        ImageFile::File(path) => read_file(path, limits.file).map(Cow::Owned),
        ImageFile::Member(member) => member.read(limits.file).map(Cow::Owned),
    }
}

/// Opens a regular file; returns it with its length in bytes.
fn open(path: &Path) -> Result<(File, u64), NoImage> {
    // Opening a pipe without a writer would block.
    let metadata = std::fs::metadata(path).map_err(|error| read_failure(&error))?;
    if !metadata.is_file() {
        return Err(NoImage::NotAnImage);
    }
    Ok((File::open(path).map_err(|error| read_failure(&error))?, metadata.len()))
}

pub(super) fn read_failure(error: &std::io::Error) -> NoImage {
    match error.kind() {
        std::io::ErrorKind::NotFound => NoImage::Missing,
        _ => NoImage::Unreadable(error.to_string()),
    }
}

fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, NoImage> {
    // If it is also an output, its writer reports the error.
    let _ = in_use::note_input(path);
    let (file, length) = open(path)?;
    if length > max_bytes {
        return Err(NoImage::TooLong(length));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // The file may have grown.
    file.take(max_bytes).read_to_end(&mut bytes).map_err(|error| read_failure(&error))?;
    Ok(bytes)
}

/// Decodes an image within limits, as [`load`] describes.
fn decode(bytes: &[u8], limits: ImageLimits) -> Result<DynamicImage, NoImage> {
    let guessed = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = guessed.map_err(|error| NoImage::Unreadable(error.to_string()))?;
    if reader.format().is_none() {
        return Err(NoImage::NotAnImage);
    }
    let mut decoder_limits = image::Limits::default();
    // Decoders need memory beside the pixels.
    decoder_limits.max_alloc = Some(limits.decoded * 2);
    reader.limits(decoder_limits);
    let mut decoder = reader.into_decoder().map_err(decode_failure)?;
    let (width, height) = decoder.dimensions();
    if width.max(height) > limits.side || decoder.total_bytes() > limits.decoded {
        return Err(NoImage::TooLarge(width, height));
    }
    if jpeg::is_cut_off(bytes) {
        return Err(NoImage::CutOff);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut opaque = blend_with_white(DynamicImage::from_decoder(decoder).map_err(decode_failure)?);
    opaque.apply_orientation(orientation);
    Ok(opaque)
}

fn decode_failure(error: ImageError) -> NoImage {
    match error {
        ImageError::Unsupported(_) => NoImage::NotAnImage,
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            NoImage::CutOff
        }
        other => NoImage::Broken(other.to_string()),
    }
}

/// The image with eight bits each of red, green and blue; transparent pixels are blended with white.
fn blend_with_white(image: DynamicImage) -> DynamicImage {
    if !image.color().has_alpha() {
        return image.into_rgb8().into();
    }
    let above = image.into_rgba8();
    let mut white = RgbaImage::from_pixel(above.width(), above.height(), Rgba([u8::MAX; 4]));
    overlay(&mut white, &above, 0, 0);
    DynamicImage::from(white).into_rgb8().into()
}

/// The image scaled down to fit a width and height in pixels, with its aspect ratio; never enlarged.
pub fn shrink_to_fit(image: DynamicImage, (width, height): (u32, u32)) -> DynamicImage {
    if image.width() <= width && image.height() <= height {
        return image;
    }
    scale_to_fit(&image, (width, height))
}

/// The image scaled to fit a width and height in pixels, with its aspect ratio. If it is more than four times as wide
/// and high, averaging blocks of pixels reduces it to twice the size first, at a tenth of the cost of the final filter.
pub fn scale_to_fit(image: &DynamicImage, (width, height): (u32, u32)) -> DynamicImage {
    let (width, height) = (width.max(1), height.max(1));
    let is_far_larger = |side: u32, wanted: u32| side > wanted.saturating_mul(4);
    if is_far_larger(image.width(), width) && is_far_larger(image.height(), height) {
        let rough = image.thumbnail(width.saturating_mul(2), height.saturating_mul(2));
        return rough.resize(width, height, FilterType::Lanczos3);
    }
    let is_smaller = image.width() < width && image.height() < height;
    // Lanczos leaves rings at edges in enlarged images.
    let filter = if is_smaller { FilterType::CatmullRom } else { FilterType::Lanczos3 };
    image.resize(width, height, filter)
}
