//! Images of the gallery: found by file name, decoded within limits. Independent of terminals.

mod archive;
mod bounded;
mod encode;
mod files;
mod jpeg;
mod load;
mod outlined;
mod why;

use std::path::PathBuf;

pub use archive::Member;
pub use bounded::Bounded;
pub use encode::{FileFormat, encoded};
pub use files::ImageFiles;
pub use image::DynamicImage;
pub use load::{Limits, fitted, load, read, shrunk};
pub use outlined::{Framed, outlined};
pub use why::Why;

/// Location of the images of a study.
#[derive(Debug)]
pub enum Pictures {
    /// In a folder or an archive.
    Files(ImageFiles),
    /// In the program, by file name.
    BuiltIn(&'static [(&'static str, &'static [u8])]),
}

/// One image, not loaded yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A file in an archive.
    Member(Member),
    /// Bytes that are part of the program.
    BuiltIn(&'static [u8]),
}

/// An image of these pixels, row by row, three bytes each; `None` if their number does not fit.
pub fn of_pixels((width, height): (u32, u32), rgb: Vec<u8>) -> Option<DynamicImage> {
    image::RgbImage::from_raw(width, height, rgb).map(DynamicImage::ImageRgb8)
}

impl Pictures {
    /// The image with this file name, or of an image's id.
    ///
    /// # Errors
    /// As [`ImageFiles::find`].
    pub fn find(&self, file_name: &str) -> Result<Source, Why> {
        match self {
            Pictures::Files(files) => files.find(file_name),
            Pictures::BuiltIn(files) => {
                let mut files = files.iter();
                let found = files.find(|(name, _)| *name == file_name);
                found.map(|&(_, bytes)| Source::BuiltIn(bytes)).ok_or(Why::Missing)
            }
        }
    }
}
