//! Equal, contiguous parts of a gallery, as in the COCO 1K protocol.

use std::ops::Range;

use super::gallery::Gallery;

/// Equal, contiguous parts: fold f holds the f-th part of the images and the captions of these images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folds {
    /// How many.
    pub count: usize,
}

/// One fold of a gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// Which, counted from 0.
    pub at: usize,
    /// Of which folds.
    pub of: Folds,
}

impl Folds {
    /// The five folds of 1,000 images, on the COCO test gallery only.
    pub fn of(gallery: &Gallery) -> Option<Folds> {
        gallery.is_coco_test().then_some(Folds { count: 5 })
    }

    /// The fold of index `at` on a side of `len` entries: the one whose [`Folds::range`] holds it.
    pub fn fold(self, at: usize, len: usize) -> usize {
        ((at + 1) * self.count - 1) / len
    }

    /// The indices of a fold on a side of `len` entries.
    pub fn range(self, fold: usize, len: usize) -> Range<usize> {
        fold * len / self.count..(fold + 1) * len / self.count
    }
}

impl Fold {
    /// Whether index `at` on a side of `len` entries is in it.
    pub fn holds(self, at: usize, len: usize) -> bool {
        self.of.fold(at, len) == self.at
    }
}
