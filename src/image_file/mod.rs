//! Image files of the gallery: found by name, decoded within limits. Independent of terminals.

mod archive;
mod cache;
mod encode;
mod folder;
mod jpeg;
mod load;
mod outlines;
mod why;

use std::path::PathBuf;

pub use archive::Member;
pub use cache::Bounded;
pub use encode::{FileFormat, encoded};
pub use folder::ImageFolder;
pub use image::DynamicImage;
pub use load::{Limits, fitted, load, read, shrunk};
pub use outlines::{Framed, outlined};
pub use why::Why;

/// Location of the image files of a study.
#[derive(Debug)]
pub enum ImageFiles {
    /// In a folder or an archive.
    Folder(ImageFolder),
    /// In the program, by file name.
    BuiltIn(&'static [(&'static str, &'static [u8])]),
}

/// One image file, not loaded yet.
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

impl ImageFiles {
    /// The image file with this name, or of the image with this id.
    ///
    /// # Errors
    /// As [`ImageFolder::find`].
    pub fn find(&self, file_name: &str) -> Result<Source, Why> {
        match self {
            ImageFiles::Folder(folder) => folder.find(file_name),
            ImageFiles::BuiltIn(files) => {
                let mut files = files.iter();
                let found = files.find(|(name, _)| *name == file_name);
                found.map(|&(_, bytes)| Source::BuiltIn(bytes)).ok_or(Why::Missing)
            }
        }
    }
}
