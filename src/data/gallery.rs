//! The gallery: the images and captions, in matrix order.

use std::fmt::{self, Display, Write};
use std::ops::Range;

use super::id::IdList;
use super::text::Text;
use super::{Direction, PerDirection};

/// File name of the ids of COCO's test gallery, without extension.
pub const TEST_IDS: &str = "coco_test_ids";

/// Images and captions in matrix order, with ids and, where known, file names and texts.
#[derive(Debug, Clone, Default)]
pub struct Gallery {
    /// Ids of the images, by row.
    pub images: IdList,
    /// Ids of the captions, by column.
    pub captions: IdList,
    /// File name of each image; empty if unknown.
    pub file_names: Vec<Text>,
    /// Text of each caption; empty if unknown.
    pub texts: Vec<Text>,
    /// The [`fingerprint`] of the texts, also if `texts` was emptied since; `None` without texts, or
    /// with ids other than plain indices.
    pub text_fingerprint: Option<u64>,
}

impl Gallery {
    /// The ids of the queries of a direction.
    pub fn queries(&self, direction: Direction) -> &IdList {
        match direction {
            Direction::I2t => &self.images,
            Direction::T2i => &self.captions,
        }
    }

    /// The ids of the items that a query of this direction ranks.
    pub fn items(&self, direction: Direction) -> &IdList {
        self.queries(direction.flipped())
    }

    /// A gallery of these sizes whose ids are plain indices.
    pub fn from_sizes(images: usize, captions: usize) -> Self {
        Gallery {
            images: IdList::for_len(images),
            captions: IdList::for_len(captions),
            ..Gallery::default()
        }
    }

    /// Whether all ids are plain indices, which are the same in every gallery of this size.
    pub fn is_indexed(&self) -> bool {
        self.images.is_indexed() && self.captions.is_indexed()
    }

    /// The number of queries of each direction.
    pub fn sizes(&self) -> PerDirection<usize> {
        PerDirection::from_fn(|direction| self.queries(direction).len())
    }

    /// A caption's text, or its id where no text is known.
    pub fn caption(&self, caption: usize) -> String {
        match self.texts.get(caption) {
            Some(text) if !text.shown().trim().is_empty() => text.shown().to_owned(),
            _ => format!("caption {}", self.captions[caption]),
        }
    }

    /// An image's file name, or its id where no name is known.
    pub fn image(&self, image: usize) -> String {
        match self.file_names.get(image) {
            Some(name) if !name.shown().is_empty() => name.shown().to_owned(),
            _ => format!("image {}", self.images[image]),
        }
    }

    /// Whether this is the COCO Caption test gallery of 5,000 images and 25,000 captions in the
    /// order of `coco_test_ids.npy`, on which `coco_5k_*` and `coco_1k_*` are defined.
    pub fn is_coco_test(&self) -> bool {
        self.images.len() == 5_000
            && self.captions.len() == 25_000
            && self.captions.fingerprint() == COCO_TEST_CAPTIONS
            && self.images.fingerprint() == COCO_TEST_IMAGES
    }
}

/// [`fingerprint`] of the 25,000 caption ids.
const COCO_TEST_CAPTIONS: u64 = 0x346c_582a_c41d_7399;
/// [`fingerprint`] of the 5,000 image ids.
const COCO_TEST_IMAGES: u64 = 0x3970_7720_14bd_1838;

/// FNV-1a over lines in order, such as ids, so that a gallery is recognised without its ids.
pub fn fingerprint(lines: &[impl Display]) -> u64 {
    struct Fnv(u64);
    impl Write for Fnv {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            self.0 = text.bytes().fold(self.0, add);
            Ok(())
        }
    }
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for line in lines {
        writeln!(hash, "{line}").expect("hashing cannot fail");
    }
    hash.0
}

/// Equal, contiguous parts of a gallery, for the COCO 1K protocol: fold f holds the f-th part of the images and the
/// captions of these images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folds {
    /// Number of folds.
    pub count: usize,
}

/// One fold of a gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// Index of the fold, from 0.
    pub at: usize,
    /// The folds it belongs to.
    pub of: Folds,
}

impl Folds {
    /// The five folds of 1,000 images of the COCO test gallery; `None` for any other gallery.
    pub fn for_gallery(gallery: &Gallery) -> Option<Folds> {
        gallery.is_coco_test().then_some(Folds { count: 5 })
    }

    /// Index of the fold that holds gallery index `at`, on a side of `len` images or captions.
    pub fn fold(self, at: usize, len: usize) -> usize {
        ((at + 1) * self.count - 1) / len
    }

    /// Gallery indices in a fold, on a side of `len` images or captions.
    pub fn range(self, fold: usize, len: usize) -> Range<usize> {
        fold * len / self.count..(fold + 1) * len / self.count
    }
}

impl Fold {
    /// Whether it holds gallery index `at`, on a side of `len` images or captions.
    pub fn holds(self, at: usize, len: usize) -> bool {
        self.of.fold(at, len) == self.at
    }
}
