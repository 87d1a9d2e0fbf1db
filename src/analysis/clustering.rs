//! Which queries are no independent evidence of each other: those of one image.

use crate::data::Direction;
use crate::study::Study;

/// Which queries form a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clustering {
    /// The queries of one image, where their images are known: captions of one image are not
    /// independent.
    ByImage,
    /// Each query by itself.
    ByQuery,
}

impl Clustering {
    /// The image of each caption, if captions of one image form a cluster; `None` where each is one by itself.
    pub fn images(self, study: &Study) -> Option<Vec<u32>> {
        match self {
            Clustering::ByQuery => None,
            Clustering::ByImage => images(study),
        }
    }
}

/// The original image of each caption: what captions are clustered by; `None` if one has none.
pub fn images(study: &Study) -> Option<Vec<u32>> {
    let own = |caption: usize| study.own(Direction::T2i, caption).first();
    (0..study.gallery.captions.len()).map(own).collect()
}

/// The cluster of each query of a direction, where images are known: an image is its own.
pub fn cluster_of(images: Option<&[u32]>, direction: Direction) -> Option<&[u32]> {
    images.filter(|_| direction == Direction::T2i)
}
