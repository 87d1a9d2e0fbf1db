//! Flickr30k Entities (Plummer et al., "Flickr30k Entities: Collecting Region-to-Phrase Correspondences for Richer
//! Image-to-Sentence Models", IJCV 2017): phrases of captions, and their boxes.
//!
//! A *phrase* is a run of words of a caption. A *chain* is the common referent of phrases in the captions of one image;
//! a *box* shows one thing, and may belong to several chains. The numbers of chains are unique over all images. The
//! folder is as published: `Sentences/ID.txt`, `Annotations/ID.xml`, and beside them `UNRELATED_CAPTIONS` and lists of
//! ids such as `test.txt`.

pub mod annotation;
mod boxes;
mod folder;
mod gallery;
mod kind;
pub mod localisation;
pub mod rect;
mod runs;
pub mod sentence;
pub mod stats;

pub use annotation::{Annotation, Region};
pub use boxes::Outline;
pub use folder::{Entities, ImagePhrases, read_split};
pub use gallery::{PhrasedCaption, Phrases};
pub use kind::{PhraseType, Types};
pub use runs::{Run, Runs};
pub use sentence::{Phrase, Sentence};

/// Number of a chain, the common referent of phrases; unique over images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chain(pub u32);

impl Chain {
    /// Number that all phrases of nothing visible have; they do not have a common referent.
    pub const NOT_VISUAL: Chain = Chain(0);

    /// Parses the number of a chain; `None` if it has other characters than digits, or is empty or too large.
    fn parse(text: &str) -> Option<Self> {
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_plain).map(Chain)
    }
}
