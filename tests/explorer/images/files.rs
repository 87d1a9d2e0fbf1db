//! Image files, good and bad.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage};

/// An image that is red at the left and blue at the right.
pub fn red_blue(width: u32, height: u32) -> DynamicImage {
    let colour = |x| {
        if x < width / 2 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) }
    };
    RgbImage::from_fn(width, height, |x, _| colour(x)).into()
}

pub fn bytes(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG whose EXIF data say how it is to be turned (1 to 8).
pub fn turned_jpeg(image: &DynamicImage, orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
    encoder.encode_image(image).unwrap();
    // Behind the two bytes that every JPEG begins with.
    let segment = [&[0xFF, 0xE1][..], &(exif.len() as u16 + 2).to_be_bytes(), &exif].concat();
    bytes.splice(2..2, segment);
    bytes
}

/// A JPEG of 8 x 8 pixels in four inks, as Adobe's programs write them: every ink at one half.
pub fn cmyk_jpeg() -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8];
    let mut segment = |marker: u8, content: &[u8]| {
        bytes.extend([0xFF, marker]);
        bytes.extend((content.len() as u16 + 2).to_be_bytes());
        bytes.extend(content);
    };
    segment(0xEE, b"Adobe\0\x64\0\0\0\0\0");
    segment(0xDB, &[&[0][..], &[1; 64]].concat());
    let inks = (1..=4u8).flat_map(|ink| [ink, 0x11, 0]);
    segment(0xC0, &[8, 0, 8, 0, 8, 4].into_iter().chain(inks).collect::<Vec<_>>());
    // One code of one bit: no difference, no frequencies.
    let one_code = [&[1][..], &[0; 15], &[0]].concat();
    segment(0xC4, &[&[0x00][..], &one_code].concat());
    segment(0xC4, &[&[0x10][..], &one_code].concat());
    segment(0xDA, &[4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0]);
    bytes.extend([0x00, 0xFF, 0xD9]);
    bytes
}

/// A PNG that says it has so many pixels, and holds none.
pub fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = bytes(&red_blue(2, 2), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let mut crc = flate2::Crc::new();
    crc.update(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    bytes
}

/// A colour of an image, each part rounded to the nearest of 0, 85, 170, 255.
pub fn about(image: &DynamicImage, x: u32, y: u32) -> [u8; 3] {
    let [red, green, blue, _] = image.get_pixel(x, y).0;
    [red, green, blue].map(|part| ((u16::from(part) + 42) / 85 * 85) as u8)
}
