//! Caption files. A form is one function here and one line where files are recognised.

pub mod json;
pub mod text;

use rustc_hash::FxHashSet;

use super::id::Id;

/// Captions and images of a file, in file order.
#[derive(Debug, Default)]
pub struct CaptionFile {
    /// The file, for messages.
    pub file: String,
    /// Id and file name of each image.
    pub images: Vec<(Id, Option<String>)>,
    /// Each caption.
    pub captions: Vec<Caption>,
    /// Whether the file has caption ids. Without, the id is the position in the file until the order of the gallery is
    /// known.
    pub has_ids: bool,
}

impl CaptionFile {
    /// Adds a caption without an id.
    fn push(&mut self, image: Option<Id>, text: String) {
        let id = Id::Number(self.captions.len() as i64);
        self.captions.push(Caption { id, image, text });
    }

    /// Whether the captions of each image are consecutive.
    pub fn is_by_image(&self) -> bool {
        let mut seen = FxHashSet::default();
        let of_images = self.captions.chunk_by(|a, b| a.image == b.image);
        of_images.filter_map(|captions| captions[0].image.as_ref()).all(|image| seen.insert(image))
    }
}

/// A caption of a file: id, image and text.
#[derive(Debug, Clone)]
pub struct Caption {
    /// Its id.
    pub id: Id,
    /// The image it was written for, if known.
    pub image: Option<Id>,
    /// Its text, raw.
    pub text: String,
}
