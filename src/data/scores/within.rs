//! Scores of a part of the gallery, in the order of the part. Matrices and lists stay where they
//! are; embeddings of the part are copied.

use std::sync::Arc;

use super::mixed_matrices::Part as Mixed;
use super::pick::Pick;
use super::{Embeddings, Lists, MixedMatrices, Mixture, Model, ScoreMatrix, Scores, Side};
use crate::data::candidate_mask::{Part, places};
use crate::data::{Direction, PerDirection};

impl Model {
    /// The model over a part of the gallery: index i of a side is the i-th of the part.
    #[must_use]
    pub fn within(&self, part: &Part) -> Model {
        Model { scores: self.scores.within(part), ..self.clone() }
    }
}

impl Scores {
    /// The scores of a part of the gallery.
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
                lists_within(lists, direction, part)
            }))),
        }
    }
}

impl ScoreMatrix {
    fn within(&self, part: &Part) -> ScoreMatrix {
        let [images, captions] = self.stored;
        ScoreMatrix {
            image_pick: self.image_pick.within(&part.images, images),
            caption_pick: self.caption_pick.within(&part.captions, captions),
            ..self.clone()
        }
    }
}

impl Mixture {
    fn within(&self, part: &Part) -> Mixture {
        match self {
            Mixture::Matrices(matrices) => Mixture::Matrices(matrices.within(part)),
            Mixture::Blocks(blocks) => Mixture::Blocks(blocks.within(part)),
        }
    }
}

impl MixedMatrices {
    /// How scores are scaled stays as it is over the whole gallery.
    fn within(&self, part: &Part) -> MixedMatrices {
        let within =
            |mixed: &Mixed| Mixed { matrix: Arc::new(mixed.matrix.within(part)), term: mixed.term };
        MixedMatrices { first: within(&self.first), second: within(&self.second) }
    }
}

fn lists_within(whole: &Arc<PerDirection<Lists>>, direction: Direction, part: &Part) -> Lists {
    let items = part.items(direction);
    let places = places(items, whole[direction].item_count());
    let queries = part.queries(direction).clone();
    Lists::part_of(whole.clone(), direction, queries, places, items.len())
}

impl Pick {
    /// What of this pick, which is of so many stored, is at these places, which ascend.
    fn within(&self, places: &Arc<[u32]>, stored: usize) -> Pick {
        if places.len() == self.count(stored) {
            return self.clone();
        }
        match self {
            Pick::All => Pick::Listed(places.clone()),
            _ => Pick::Listed(places.iter().map(|&at| self.stored(at as usize) as u32).collect()),
        }
    }
}
