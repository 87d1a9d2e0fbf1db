//! A model's scores, in the forms that files have them.
//!
//! Everything else asks two questions: the ranks of some items in the whole file, which
//! [`crate::rank::count`] answers for every form, and the scores of a query, which [`Scores::by_query`]
//! does.

mod among;
mod blocks;
mod by_query;
mod embeddings;
pub mod fill;
mod fold;
mod grid;
mod items;
mod knn;
mod lists;
mod matrix;
mod matrix_blocks;
mod mixed_blocks;
mod mixed_matrices;
mod mixture;
mod nan;
mod pair;
mod phi;
mod pick;
mod read;
pub(crate) mod save;
mod scalar;
mod scaling;
mod spread;
mod within;

use std::sync::Arc;

use super::index::{ModelIx, Per, PhiIx};
use super::{Direction, PerDirection};
pub use blocks::Blocks;
pub use by_query::{ByQuery, Form, InColumns, OfQuery, Queries};
pub use embeddings::{BLOCK_BYTES, Embeddings, Product};
pub use fill::Side;
pub use fold::are_copies;
pub use grid::Grid;
pub use items::{Items, ItemsWriter};
pub use knn::Knn;
pub use lists::{ListScores, Lists, ReadScores, Resolved};
pub use matrix::{Rows, ScoreMatrix, no_matrix};
pub use mixed_blocks::MixedBlocks;
pub use mixed_matrices::{Mixed, MixedMatrices};
pub use mixture::Mixture;
pub use pair::ModelPair;
pub use phi::Phi;
pub use save::Precision;
pub use scalar::Scalar;
pub use scaling::Scaling;
pub use spread::Spread;

/// Captions of an image in published galleries.
pub const REPEATS: usize = 5;

/// One model: its name and its scores.
#[derive(Debug, Clone)]
pub struct Model {
    /// The name shown everywhere: the file's name without ending.
    pub name: String,
    /// The file or files it comes from, for messages.
    pub source: String,
    /// Its scores.
    pub scores: Scores,
}

impl Per<ModelIx> for Model {}
// A similarity is scores, too.
impl Per<PhiIx> for Model {}

/// How a model scores the gallery. Cheap to clone: files are shared.
#[derive(Debug, Clone)]
pub enum Scores {
    /// One matrix for both directions, every cell a score.
    Matrix(Arc<ScoreMatrix>),
    /// A matrix for each direction, or one with a fill value for both, as re-rankers write them.
    Two(Arc<PerDirection<Side>>),
    /// Embeddings whose dot products are the scores.
    Embeddings(Arc<Embeddings>),
    /// Two models with a weight each; made by [`ModelPair::model`].
    Mixture(Arc<Mixture>),
    /// Similarities of captions, computed from their texts.
    Phi(Arc<Phi>),
    /// The first items of each query.
    Lists(Arc<PerDirection<Lists>>),
}

impl Scores {
    /// The matrix of one file that holds the scores of a direction; `None` where there is none.
    pub fn matrix(&self, direction: Direction) -> Option<&ScoreMatrix> {
        match self {
            Scores::Matrix(matrix) => Some(matrix),
            Scores::Two(sides) => Some(&sides[direction].matrix),
            Scores::Embeddings(_) | Scores::Mixture(_) | Scores::Phi(_) | Scores::Lists(_) => None,
        }
    }

    /// Whether any query of a direction has a ranking: lists may be of the other one alone.
    pub fn ranks_any(&self, direction: Direction) -> bool {
        match self {
            Scores::Lists(lists) => !lists[direction].is_empty(),
            _ => true,
        }
    }
}
