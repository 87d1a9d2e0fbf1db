//! Which queries are no independent evidence of each other: those of one image.

use crate::data::Direction;
use crate::error::{Error, Result};
use crate::study::Study;

/// Which queries form a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clustering {
    /// The queries of one image, where their images are known: captions of one image are not
    /// independent.
    ByImage,
    /// The same, and an error where a caption's image is not known.
    ByImageOnly,
    /// Each query by itself.
    ByQuery,
}

impl Clustering {
    /// The image of each caption, if captions of one image form a cluster; `None` where each is one by itself.
    ///
    /// # Errors
    /// Captions without an image, where they must have one.
    pub fn images(self, study: &Study) -> Result<Option<Vec<u32>>> {
        match self {
            Clustering::ByQuery => Ok(None),
            Clustering::ByImage => Ok(images(study).ok()),
            Clustering::ByImageOnly => images(study).map(Some),
        }
    }
}

/// The original image of each caption: what captions are clustered by.
///
/// # Errors
/// Captions without one.
pub fn images(study: &Study) -> Result<Vec<u32>> {
    let own = |caption: usize| {
        study.own(Direction::T2i, caption).first().ok_or_else(|| {
            let found =
                format!("no image is known for caption {}", study.gallery.captions[caption]);
            Error::new("--by-image", found)
                .expected("an original ground truth that gives each caption its original image")
                .mend("name the original pairs among the files")
        })
    };
    (0..study.gallery.captions.len()).map(own).collect()
}

/// The cluster of each query of a direction, where images are known: an image is its own.
pub fn cluster_of(images: Option<&[u32]>, direction: Direction) -> Option<&[u32]> {
    images.filter(|_| direction == Direction::T2i)
}
