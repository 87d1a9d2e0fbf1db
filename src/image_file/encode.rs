//! Encodes an image to a file format.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageEncoder, ImageFormat};

/// JPEG quality of 1 to 100, high enough for print.
const QUALITY: u8 = 90;

/// The file format of an image in a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Small for photographs.
    Jpeg,
    /// Exact, and small for drawings.
    Png,
}

impl FileFormat {
    /// Subtype of its media type: `jpeg` for `image/jpeg`.
    pub fn media_subtype(self) -> &'static str {
        match self {
            FileFormat::Jpeg => "jpeg",
            FileFormat::Png => "png",
        }
    }
}

/// The bytes of an image file in this format; empty if the image has no pixels.
pub fn encode(image: &DynamicImage, format: FileFormat) -> Vec<u8> {
    if image.width() == 0 || image.height() == 0 {
        return Vec::new();
    }
    let mut bytes = Cursor::new(Vec::new());
    let image = DynamicImage::from(image.to_rgb8());
    let written = match format {
        FileFormat::Png => image.write_to(&mut bytes, ImageFormat::Png),
        FileFormat::Jpeg => JpegEncoder::new_with_quality(&mut bytes, QUALITY).write_image(
            image.as_bytes(),
            image.width(),
            image.height(),
            image.color().into(),
        ),
    };
    // Writing to memory cannot fail.
    written.map_or_else(|_| Vec::new(), |()| bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use image::{ImageReader, Rgb, RgbImage};

    use super::*;

    #[test]
    fn each_kind_reads_back() {
        let image = RgbImage::from_fn(20, 10, |x, _| Rgb([x as u8 * 12, 90, 200]));
        let image = DynamicImage::from(image);
        for (format, expected) in
            [(FileFormat::Png, ImageFormat::Png), (FileFormat::Jpeg, ImageFormat::Jpeg)]
        {
            let bytes = encode(&image, format);
            let reader = ImageReader::new(Cursor::new(&bytes)).with_guessed_format().unwrap();
            assert_eq!(reader.format(), Some(expected));
            let back = reader.decode().unwrap();
            assert_eq!((back.width(), back.height()), (20, 10));
            let far = back
                .to_rgb8()
                .as_raw()
                .iter()
                .zip(image.as_bytes())
                .map(|(a, b)| a.abs_diff(*b))
                .max();
            assert!(
                far.unwrap() <= if format == FileFormat::Png { 0 } else { 24 },
                "{format:?} {far:?}"
            );
        }
        assert!(encode(&DynamicImage::new_rgb8(0, 0), FileFormat::Jpeg).is_empty());
    }
}
