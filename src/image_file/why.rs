//! Reasons for no image.

use std::fmt;

use crate::data::text::{grouped, shown};

/// Why an image cannot be shown, in a few words that fit its area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// No such file.
    Missing,
    /// The file is something else.
    NotAnImage,
    /// Width and height: over the limit.
    TooLarge(u32, u32),
    /// Bytes of the file: over the limit.
    TooLong(u64),
    /// The file is truncated.
    CutOff,
    /// The decoder failed.
    Broken(String),
    /// The file cannot be read.
    Unreadable(String),
}

impl Why {
    /// One word for a small place.
    pub fn word(&self) -> &'static str {
        match self {
            Why::Missing => "missing",
            Why::NotAnImage => "no image",
            Why::TooLarge(..) | Why::TooLong(_) => "too large",
            Why::CutOff => "cut off",
            Why::Broken(_) => "broken",
            Why::Unreadable(_) => "unreadable",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Missing => f.write_str("no such image file"),
            Why::NotAnImage => f.write_str("not an image: neither jpeg, png, webp nor gif"),
            Why::TooLarge(width, height) => write!(
                f,
                "too large: {} x {} pixels",
                grouped(*width as usize),
                grouped(*height as usize)
            ),
            Why::TooLong(bytes) => write!(f, "too large: {} bytes", grouped(*bytes as usize)),
            Why::CutOff => f.write_str("cut off: the file ends before the image does"),
            Why::Broken(how) => write!(f, "broken: {}", shown(how)),
            Why::Unreadable(how) => write!(f, "unreadable: {}", shown(how)),
        }
    }
}
