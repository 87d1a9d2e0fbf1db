//! A model's scores, in all supported forms.
//!
//! Everything else needs two operations: the ranks of some items in the whole file, by [`crate::rank::rank_targets`],
//! and the scores of a query, by [`Scores::by_query`].

mod embeddings;
pub mod fill;
mod fold;
mod items;
mod knn;
mod lists;
mod matrix;
mod mixture;
mod nan;
mod pair;
mod peaks;
mod phi;
pub(crate) mod save;
mod scalar;
mod scaling;
mod source;
mod spread;

use std::sync::Arc;

use super::candidate_mask::{Part, part_positions};
use super::index::{ModelIx, Per, PhiIx};
use super::{Direction, PerDirection};
pub use embeddings::{Embeddings, Product};
pub use fill::Side;
pub use fold::are_copies;
pub use items::{Items, ItemsWriter};
pub use knn::Knn;
pub use lists::{ListScores, Lists, ReadScores, ResolvedLists};
pub use matrix::{ScoreMatrix, no_matrix_error};
pub use mixture::Mixture;
pub use nan::has_nan;
pub use pair::ModelPair;
pub use peaks::Peaks;
pub use phi::Phi;
pub use save::Precision;
pub use scalar::Scalar;
pub use scaling::Scaling;
pub use source::{BLOCK_BYTES, Blocks, Buffer, DirectionScores, Form, Queries, QueryBlock, Source};
pub use spread::Spread;

/// Captions per image in published galleries.
pub const CAPTIONS_PER_IMAGE: usize = 5;

/// One model: its name and its scores.
#[derive(Debug, Clone)]
pub struct Model {
    /// Its name: that of the file without extension.
    pub name: String,
    /// Its file or files, for messages.
    pub source: String,
    /// Its scores.
    pub scores: Scores,
}

impl Per<ModelIx> for Model {}
// A similarity is scores, too.
impl Per<PhiIx> for Model {}

impl Model {
    /// The model over a part of the gallery: image or caption i is the i-th of the part.
    #[must_use]
    pub fn within(&self, part: &Part) -> Model {
        Model { scores: self.scores.within(part), ..self.clone() }
    }
}

/// How a model scores the gallery. Cheap to clone: files are shared.
#[derive(Debug, Clone)]
pub enum Scores {
    /// One matrix for both directions, every cell a score.
    Matrix(Arc<ScoreMatrix>),
    /// A matrix for each direction, or one with a fill value for both, as re-rankers write them.
    Two(Arc<PerDirection<Side>>),
    /// Embeddings whose dot products are the scores.
    Embeddings(Arc<Embeddings>),
    /// Two models with a weight each; see [`ModelPair::model`].
    Mixture(Arc<Mixture>),
    /// Similarities of captions, computed from their texts.
    Phi(Arc<Phi>),
    /// The first items of each query.
    Lists(Arc<PerDirection<Lists>>),
}

impl Scores {
    /// The matrix file with the scores of a direction; `None` if the scores are no matrix.
    pub fn matrix(&self, direction: Direction) -> Option<&ScoreMatrix> {
        match self {
            Scores::Matrix(matrix) => Some(matrix),
            Scores::Two(sides) => Some(&sides[direction].matrix),
            _ => None,
        }
    }

    /// Whether any query of a direction has a ranking: ranked lists may exist for one direction only.
    pub fn ranks_any(&self, direction: Direction) -> bool {
        match self {
            Scores::Lists(lists) => !lists[direction].is_empty(),
            _ => true,
        }
    }

    /// Copies a small matrix with scattered cells into one block; other scores stay as they are.
    pub(super) fn compact(self) -> Scores {
        match self {
            Scores::Matrix(matrix) => Scores::Matrix(matrix.compact().map_or(matrix, Arc::new)),
            other => other,
        }
    }

    /// The scores of a part of the gallery, in the order of the part. Matrices and lists are not copied; embeddings of
    /// the part are.
    pub(super) fn within(&self, part: &Part) -> Scores {
        match self {
            Scores::Matrix(matrix) => Scores::Matrix(Arc::new(matrix.within(part))),
            Scores::Two(sides) => Scores::Two(Arc::new(PerDirection::from_fn(|direction| {
                let side: &Side = &sides[direction];
                Side::new(side.matrix.within(part), direction, side.fill)
            }))),
            Scores::Embeddings(embeddings) => {
                Scores::Embeddings(Arc::new(match embeddings.as_ref() {
                    Embeddings::Single(product) => Embeddings::Single(product.within(part)),
                    Embeddings::Double(product) => Embeddings::Double(product.within(part)),
                }))
            }
            Scores::Phi(phi) => Scores::Phi(Arc::new(phi.within(part))),
            Scores::Mixture(mixture) => Scores::Mixture(Arc::new(mixture.within(part))),
            Scores::Lists(lists) => Scores::Lists(Arc::new(PerDirection::from_fn(|direction| {
                let items = part.items(direction);
                let positions = part_positions(items, lists[direction].item_count());
                let queries = part.queries(direction).clone();
                Lists::for_part(lists.clone(), direction, queries, positions, items.len())
            }))),
        }
    }
}
