//! The built-in demo study, opened without arguments.

use std::sync::Arc;

use super::{Inputs, Study};
use crate::data::source::Source;
use crate::error::Result;
use crate::image_file::ImageFiles;

macro_rules! built_in {
    ($folder:literal, $start:literal, [$($name:literal),* $(,)?], $end:literal) => {
        &[$((
            concat!($start, $name, $end),
            include_bytes!(concat!("../../fixtures/demo/", $folder, $start, $name, $end))
        )),*]
    };
}

/// Matrices, captions and ground truths of the demo: name and content.
const FILES: &[(&str, &[u8])] = built_in!(
    "",
    "",
    [
        "careful.npy",
        "broad.npy",
        "naive.npy",
        "captions.json",
        "original_image_to_caption.json",
        "original_caption_to_image.json",
        "rich_image_to_caption.json",
        "rich_caption_to_image.json",
        "pm_image_to_caption.json",
        "pm_caption_to_image.json",
    ],
    ""
);

/// Image files of the demo: name and content.
const IMAGE_FILES: &[(&str, &[u8])] = built_in!(
    "images/",
    "demo_",
    [
        "000213", "000367", "000629", "000702", "000767", "001033", "001218", "001677", "002114",
        "002494", "002501", "002684", "002740", "002787", "002836", "002878", "002973", "003046",
        "003105", "003439", "003478", "003611", "003707", "003817", "003929", "003934", "003976",
        "003991", "004379", "004659", "004750", "004829", "004838", "004882", "005148", "005223",
        "005341", "005351", "005465", "005467", "005544", "005554", "005567", "005703", "005733",
        "005734", "006114", "006132", "006187", "006596", "006787", "006788", "006879", "006982",
        "007069", "008434", "008461", "008474", "008644", "008827"
    ],
    ".png"
);

/// Opens the demo: 60 drawn scenes, 300 captions, three models and three truths.
///
/// # Errors
/// Never in a tested program: the files are built in.
pub fn open() -> Result<Study> {
    super::open(&Inputs { demo: true, texts: true, ..Inputs::default() })
}

/// [`Study::caveat`] of the demo.
pub const CAVEAT: &str = "demo";

/// Matrices, captions and ground truths of the demo, as input files.
pub(super) fn sources() -> Vec<Arc<Source>> {
    let source = |&(name, bytes): &(&str, &'static [u8])| {
        Arc::new(Source::built_in(&format!("demo/{name}"), bytes))
    };
    FILES.iter().map(source).collect()
}

/// The image files of the demo.
pub(super) fn image_files() -> Arc<ImageFiles> {
    Arc::new(ImageFiles::BuiltIn(IMAGE_FILES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;

    #[test]
    fn the_demo_opens_with_realistic_gaps() {
        let study = open().unwrap();
        assert_eq!((study.gallery.images.len(), study.gallery.captions.len()), (60, 300));
        assert_eq!(study.models.len(), 3);
        let names: Vec<&str> = study.truths.iter().map(|truth| truth.name.as_str()).collect();
        assert_eq!(names, ["original", "rich", "pm"]);
        let rich = &study.truths[1];
        for direction in Direction::BOTH {
            let covered = rich.relevance[direction].as_ref().unwrap().len();
            assert!(covered < study.gallery.queries(direction).len());
        }
        assert_eq!(rich.unresolved.i2t.items, 1);
    }
}
