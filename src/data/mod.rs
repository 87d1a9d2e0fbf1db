//! Files in, typed arrays out.
//!
//! Nothing here depends on truths or ranks. Every loader takes a [`source::Source`], so that files, pipes and the
//! built-in demo are read the same way.

pub mod arrays;
pub mod candidate_mask;
pub mod captions;
pub mod cider;
mod columns;
pub mod file_states;
pub mod gallery;
pub mod id;
pub mod in_use;
pub mod index;
pub mod json;
pub mod json_text;
pub mod markup;
pub mod matrix_text;
pub mod memory;
pub mod mmap;
pub mod near;
pub mod npy;
pub mod output;
pub mod own_files;
pub(crate) mod parallel;
pub mod ratings;
pub mod rows;
pub mod scores;
pub mod sets;
pub mod source;
pub(crate) mod stream;
pub mod table;
pub mod text;
pub mod text_pairs;
pub mod trec;
pub mod word_diff;
pub mod words;

use std::fmt;

use serde::{Deserialize, Serialize};

/// Direction of retrieval: image to text or text to image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// An image queries captions.
    I2t,
    /// A caption queries images.
    T2i,
}

impl Direction {
    /// Both directions, image to text first.
    pub const BOTH: [Direction; 2] = [Direction::I2t, Direction::T2i];

    /// Results of `make` for image to text and for text to image.
    pub fn both<T>(mut make: impl FnMut(Direction) -> T) -> [T; 2] {
        [make(Direction::I2t), make(Direction::T2i)]
    }

    /// Name on the command line and in JSON: `i2t` or `t2i`.
    pub fn key(self) -> &'static str {
        match self {
            Direction::I2t => "i2t",
            Direction::T2i => "t2i",
        }
    }

    /// `(query, item)` from an image and a caption. Also `(image, caption)` from a query and an item.
    pub fn query_and_item<T>(self, image: T, caption: T) -> (T, T) {
        match self {
            Direction::I2t => (image, caption),
            Direction::T2i => (caption, image),
        }
    }

    /// The other direction: swaps queries and items.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Direction::I2t => Direction::T2i,
            Direction::T2i => Direction::I2t,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// One value for each direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerDirection<T> {
    /// The value of image queries.
    pub i2t: T,
    /// The value of caption queries.
    pub t2i: T,
}

impl<T> PerDirection<T> {
    /// Calls `make` for each direction.
    pub fn from_fn(mut make: impl FnMut(Direction) -> T) -> Self {
        PerDirection { i2t: make(Direction::I2t), t2i: make(Direction::T2i) }
    }
}

impl<T> std::ops::Index<Direction> for PerDirection<T> {
    type Output = T;

    fn index(&self, direction: Direction) -> &T {
        match direction {
            Direction::I2t => &self.i2t,
            Direction::T2i => &self.t2i,
        }
    }
}

impl<T> std::ops::IndexMut<Direction> for PerDirection<T> {
    fn index_mut(&mut self, direction: Direction) -> &mut T {
        match direction {
            Direction::I2t => &mut self.i2t,
            Direction::T2i => &mut self.t2i,
        }
    }
}
