//! Caption files. A form is one file here and one line where files are recognised.

pub mod coco;
pub mod flickr;
pub mod karpathy;
pub mod lines;
pub mod listed;

use rustc_hash::FxHashSet;

use super::id::Id;

/// Captions and images of a file, in file order.
#[derive(Debug, Default)]
pub struct CaptionFile {
    /// Id and file name of each image.
    pub images: Vec<(Id, Option<String>)>,
    /// Each caption.
    pub captions: Vec<Caption>,
}

impl CaptionFile {
    /// Whether the captions of each image stand side by side.
    pub fn is_by_image(&self) -> bool {
        let mut seen = FxHashSet::default();
        let of_images = self.captions.chunk_by(|a, b| a.image == b.image);
        of_images.filter_map(|captions| captions[0].image.as_ref()).all(|image| seen.insert(image))
    }
}

/// A caption as its file lists it: id, image and text.
#[derive(Debug, Clone)]
pub struct Caption {
    /// Its id.
    pub id: Id,
    /// The image it was written for, where that is known.
    pub image: Option<Id>,
    /// Its text, raw.
    pub text: String,
}

/// Captions of a file that has no ids for them: their order says which is which.
#[derive(Debug, Default)]
pub struct Unnamed {
    /// Id and file name of each image; empty where the file is silent about images.
    pub images: Vec<(Id, Option<String>)>,
    /// Place in `images` and text of each caption.
    pub captions: Vec<(Option<u32>, String)>,
}
