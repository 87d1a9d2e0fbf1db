//! Flickr30k Entities (Plummer et al., "Flickr30k Entities: Collecting Region-to-Phrase Correspondences for
//! Richer Image-to-Sentence Models", IJCV 2017): which words of a caption name what, and the boxes of it.
//!
//! A *phrase* is a run of words of a caption. A *chain* is what phrases of the captions of one image name
//! together; a *box* shows one thing, and may belong to several chains. The numbers of chains hold over all
//! images. The folder is laid out as it is published: `Sentences/ID.txt`, `Annotations/ID.xml`, and beside
//! them `UNRELATED_CAPTIONS` and lists of ids such as `test.txt`.

pub mod annotation;
mod boxes;
mod folder;
mod kind;
pub mod localisation;
mod placed;
pub mod rect;
mod runs;
pub mod sentence;
pub mod stats;

pub use annotation::{Annotation, Region};
pub use boxes::Outline;
pub use folder::{Entities, ImagePhrases, read_split};
pub use kind::{PhraseType, Types};
pub use placed::{Phrased, Phrases};
pub use runs::{Run, Runs};
pub use sentence::{Phrase, Sentence};

/// The number of what phrases name together, over all images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chain(pub u32);

impl Chain {
    /// The number that all phrases have that name nothing to be seen: they do not belong together.
    pub const NOT_VISUAL: Chain = Chain(0);

    /// Reads a number as files write it.
    fn parse(text: &str) -> Option<Self> {
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_plain).map(Chain)
    }
}
