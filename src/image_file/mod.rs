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
pub use cache::BoundedCache;
pub use encode::{FileFormat, encode};
pub use folder::ImageFolder;
pub use image::DynamicImage;
pub use load::{ImageLimits, load, read, scale_to_fit, shrink_to_fit};
pub use outlines::{ColouredBox, draw_boxes};
pub use why::NoImage;

/// Where the image files of a study are.
#[derive(Debug)]
pub enum ImageFiles {
    /// In a folder or an archive.
    Folder(ImageFolder),
    /// In the program: file names and contents.
    BuiltIn(&'static [(&'static str, &'static [u8])]),
}

/// One image file, not read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageFile {
    /// A file.
    File(PathBuf),
    /// A file in an archive.
    Member(Member),
    /// The content of a file that is part of the program.
    BuiltIn(&'static [u8]),
}

/// An image of this width and height from its pixels, row by row, as red, green and blue; `None` if their number does
/// not fit.
pub fn from_rgb((width, height): (u32, u32), rgb: Vec<u8>) -> Option<DynamicImage> {
    image::RgbImage::from_raw(width, height, rgb).map(DynamicImage::ImageRgb8)
}

impl ImageFiles {
    /// The image file with this name; in a folder or an archive also one of a similar name, as [`ImageFolder::find`]
    /// describes.
    ///
    /// # Errors
    /// [`NoImage::Missing`]; [`NoImage::Unreadable`] for a damaged archive.
    pub fn find(&self, file_name: &str) -> Result<ImageFile, NoImage> {
        match self {
            ImageFiles::Folder(folder) => folder.find(file_name),
            ImageFiles::BuiltIn(files) => {
                let found = files.iter().find(|(name, _)| *name == file_name);
                found.map(|&(_, bytes)| ImageFile::BuiltIn(bytes)).ok_or(NoImage::Missing)
            }
        }
    }
}
