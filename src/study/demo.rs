//! The demo study, built into the program: what opens without arguments.

use std::sync::Arc;

use super::{Inputs, Study, demo_pictures};
use crate::data::source::Source;
use crate::error::Result;
use crate::picture::Pictures;

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../fixtures/demo/", $name)))),*]
    };
}

const FILES: &[(&str, &[u8])] = built_in!(
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
);

/// Opens the demo: 60 drawn scenes, 300 captions, three models and three truths.
///
/// # Errors
/// Never in a program whose tests pass: the files are part of it.
pub fn open() -> Result<Study> {
    super::open(&Inputs { demo: true, texts: true, ..Inputs::default() })
}

/// What is said of it wherever its numbers are.
pub const CAVEAT: &str = "demo";

/// Its files.
pub(super) fn sources() -> Vec<Arc<Source>> {
    let source = |&(name, bytes): &(&str, &'static [u8])| {
        Arc::new(Source::built_in(&format!("demo/{name}"), bytes))
    };
    FILES.iter().map(source).collect()
}

/// Its pictures.
pub(super) fn pictures() -> Arc<Pictures> {
    Arc::new(Pictures::BuiltIn(demo_pictures::FILES))
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
