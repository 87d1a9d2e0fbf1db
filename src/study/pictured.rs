//! Which picture belongs to which image.

use std::path::Path;
use std::sync::Arc;

use super::{Note, Study};
use crate::error::Result;
use crate::picture::{Folder, Pictures, Source, Why};

impl Study {
    /// Takes the pictures of a folder, if one is named; they replace those that are there.
    ///
    /// # Errors
    /// When it is missing, or no folder.
    pub fn add_pictures(&mut self, folder: Option<&Path>) -> Result<()> {
        let Some(folder) = folder else {
            return Ok(());
        };
        let found = Folder::open(folder)?;
        self.notes.push(Note::fine(format!(
            "{}: pictures, by file name or id; of several, the one whose folders agree longest, then the first path",
            folder.display()
        )));
        self.pictures = Some(Arc::new(Pictures::Folder(found)));
        Ok(())
    }

    /// The picture of an image, by its file name or else by its id. The first call may walk a folder.
    ///
    /// # Errors
    /// [`Why::Missing`].
    pub fn picture(&self, image: usize) -> std::result::Result<Source, Why> {
        let pictures = self.pictures.as_ref().ok_or(Why::Missing)?;
        match self.gallery.file_names.get(image) {
            Some(name) if !name.raw().is_empty() => pictures.find(name.raw()),
            _ => pictures.find(&self.gallery.images[image].raw()),
        }
    }
}
