//! Why there is no image.

use std::fmt;

use crate::data::text::{grouped, shown};

/// Why an image cannot be shown. Displayed as a few words that fit the area of the image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoImage {
    /// No such file.
    Missing,
    /// The file is something else.
    NotAnImage,
    /// Width and height in pixels are over the limit.
    TooLarge(u32, u32),
    /// The size of the file in bytes is over the limit.
    TooLong(u64),
    /// The file is truncated.
    CutOff,
    /// The decoder failed, with this message.
    Broken(String),
    /// The file cannot be read, for this reason.
    Unreadable(String),
}

impl NoImage {
    /// One or two words for a small area.
    pub fn short(&self) -> &'static str {
        match self {
            NoImage::Missing => "missing",
            NoImage::NotAnImage => "no image",
            NoImage::TooLarge(..) | NoImage::TooLong(_) => "too large",
            NoImage::CutOff => "cut off",
            NoImage::Broken(_) => "broken",
            NoImage::Unreadable(_) => "unreadable",
        }
    }
}

impl fmt::Display for NoImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoImage::Missing => f.write_str("no such image file"),
            NoImage::NotAnImage => f.write_str("not an image: neither jpeg, png, webp nor gif"),
            NoImage::TooLarge(width, height) => write!(
                f,
                "too large: {} x {} pixels",
                grouped(*width as usize),
                grouped(*height as usize)
            ),
            NoImage::TooLong(bytes) => write!(f, "too large: {} bytes", grouped(*bytes as usize)),
            NoImage::CutOff => f.write_str("cut off: the file ends before the image does"),
            NoImage::Broken(how) => write!(f, "broken: {}", shown(how)),
            NoImage::Unreadable(how) => write!(f, "unreadable: {}", shown(how)),
        }
    }
}
